// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/operation.h"
#include "core/protocol/wire/message.h"

#include <optional>

namespace flopsmith::bench {

/// What FFTW's plans execute in one run of the operation, to stand beside the nominal count; nothing
/// if the operation transforms nothing or a length cannot be planned.
std::optional<PlannedTransforms> plannedTransforms(const Operation& operation);

} // namespace flopsmith::bench
