// SPDX-License-Identifier: MIT
#pragma once

#include "core/study/variation/axis.h"

#include <array>
#include <string_view>

namespace flopsmith {

/// A few values of a parameter around its present one, which is among them, for charts of two
/// parameters: three doublings to each side if it is logarithmic, otherwise stops of its slider.
/// All are legal as long as nothing else changes.
Result<Axis> studyAxis(const Scenario& scenario, std::string_view key);

/// The parameters that such a chart starts with: the width, and the layers or the length.
std::array<std::string_view, 2> usualStudyKeys(const Scenario& scenario);

} // namespace flopsmith
