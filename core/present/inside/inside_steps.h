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

/// Groups steps in sequence or in parallel. A single step stays unchanged.
InsideStep inSequence(Steps steps);
InsideStep sideBySide(Steps lanes);

/// Takes the named steps out, in their order.
Steps takeSteps(Steps& from, const StepNames& names);

/// Replaces the named steps by parallel lanes, one for each list, at the position of the first of
/// them.
void splitLanes(Steps& steps, const std::vector<StepNames>& lanes);

/// Fills in the input and output shape of every step, and returns the output of the last. Parallel
/// lanes have a common shape if they agree.
std::optional<WireShape> threadShapes(InsideStep& step, const std::optional<WireShape>& before);

} // namespace flopsmith
