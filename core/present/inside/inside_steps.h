// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/inside/inside.h"

#include <optional>
#include <string_view>
#include <vector>

// How the steps inside a block are put together.

namespace flopsmith {

using Steps = std::vector<InsideStep>;
using StepNames = std::vector<std::string_view>;

/// The steps as one, with the sum of their costs.
InsideStep stepGroup(InsideStep::Kind kind, Steps steps);

/// Groups one after the other and side by side. A single step stays what it is.
InsideStep inSequence(Steps steps);
InsideStep sideBySide(Steps lanes);

/// Takes the named steps out, in their order.
Steps takeSteps(Steps& from, const StepNames& names);

/// Puts the named steps side by side, a lane for each list, where the first of them stood.
void splitLanes(Steps& steps, const std::vector<StepNames>& lanes);

/// Fills in what comes into every step and what leaves it, and returns what leaves the last. Lanes
/// side by side have a common shape if they agree.
std::optional<WireShape> threadShapes(InsideStep& step, const std::optional<WireShape>& before);

} // namespace flopsmith
