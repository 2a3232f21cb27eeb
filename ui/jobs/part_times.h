// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/time/part_time.h"
#include "core/protocol/measuring/measuring.h"

namespace flopsmith {

/// A part's result as the screen shows it.
PartTime partTime(const PartResult& result);

Peaks peaksOf(const PeaksMeasured& measured);

} // namespace flopsmith
