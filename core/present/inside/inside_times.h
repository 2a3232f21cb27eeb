// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/operation.h"
#include "core/present/inside/inside.h"
#include "core/present/time/part_time.h"

#include <span>

namespace flopsmith {

/// Fills in the times of the separately measured parts of the picture, or why they have none;
/// timeNote says how many have one. `times` is parallel to `parts`; missing entries count as
/// pending.
void addTimes(InsidePicture& picture,
              std::span<const MeasuredPart> parts,
              std::span<const PartTime> times);

} // namespace flopsmith
