// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/machine_roofs.h"
#include "core/protocol/wire/message.h"

#include <string>

namespace flopsmith {

/// What a measuring program answered as the roofs of its device. A program that says nothing of
/// products by precision or of memory levels has one product and one level, the memory.
MachineRoofs machineRoofs(const PeaksMeasured& peaks,
                          std::string device,
                          HardwareKind kind = HardwareKind::cpu);

/// Which roofs stand above what was measured so.
RoofConditions roofConditions(ComputePrecision precision, CacheState cache);

/// "cpu" is one; any other kind of a Described is a GPU.
HardwareKind hardwareKindOf(const Described& described);

} // namespace flopsmith
