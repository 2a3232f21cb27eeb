// SPDX-License-Identifier: MIT
#pragma once

#include "core/study/compare/comparison.h"

#include <optional>
#include <span>

namespace flopsmith {

/// The measured times of the designs. Times are comparable only if one device measured them: if
/// devices differ there are no values, and if designs lack a time the note names them. Empty if
/// times were not requested.
std::optional<ComparedFigure> comparedTimes(std::span<const ComparedDesign> designs);

} // namespace flopsmith
