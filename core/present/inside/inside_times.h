// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/operation.h"
#include "core/present/inside/inside.h"
#include "core/present/time/part_time.h"

#include <span>

namespace flopsmith {

/// Gives the parts of the picture that are measured by themselves their times, or why they have
/// none, and says in timeNote how many have one. `times` is parallel to `parts`; a shorter one
/// counts as pending.
void addTimes(InsidePicture& picture,
              std::span<const MeasuredPart> parts,
              std::span<const PartTime> times);

} // namespace flopsmith
