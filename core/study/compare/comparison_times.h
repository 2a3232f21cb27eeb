// SPDX-License-Identifier: MIT
#pragma once

#include "core/study/compare/comparison.h"

#include <optional>
#include <span>

namespace flopsmith {

/// The measured times of the designs. Times are compared only where one device measured them: where
/// devices differ there are no values, and where designs lack one its note names these. None where
/// nobody looked for times.
std::optional<ComparedFigure> comparedTimes(std::span<const ComparedDesign> designs);

} // namespace flopsmith
