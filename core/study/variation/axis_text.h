// SPDX-License-Identifier: MIT
#pragma once

#include "core/study/variation/axis.h"

namespace flopsmith {

/// Reads an axis from the command line: `KEY=FROM..TO`, optionally followed by `:log2`, `:step N`
/// or `:COUNT`, or `KEY=A,B,C`. "seq=128..8192:log2", "ffn.k_freq=1..385:step 16",
/// "phase=prefill,decode". A space may replace the colon, and `x2` means `log2`.
Result<Axis> parsedAxis(std::string_view text,
                        const Scenario& scenario,
                        AxisValues allowed = AxisValues::legal);

} // namespace flopsmith
