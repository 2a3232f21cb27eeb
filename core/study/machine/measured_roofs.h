// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/machine_roofs.h"
#include "core/protocol/wire/message.h"

#include <string>

namespace flopsmith {

/// The roofs of a device from a measuring program's answer. Without peaks by precision or by memory
/// level there is one product and one level, the memory.
MachineRoofs machineRoofs(const PeaksMeasured& peaks,
                          std::string device,
                          HardwareKind kind = HardwareKind::cpu);

/// Which roofs bound measurements taken with this precision and cache state.
RoofConditions roofConditions(ComputePrecision precision, CacheState cache);

/// "cpu" is one; any other kind of a Described is a GPU.
HardwareKind hardwareKindOf(const Described& described);

} // namespace flopsmith
