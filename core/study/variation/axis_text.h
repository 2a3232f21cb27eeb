// SPDX-License-Identifier: MIT
#pragma once

#include "core/study/variation/axis.h"

namespace flopsmith {

/// Reads an axis from the command line: `KEY=FROM..TO`, with `:log2`, `:step N` or `:COUNT` behind
/// it, or `KEY=A,B,C`. "seq=128..8192:log2", "ffn.k_freq=1..385:step 16", "phase=prefill,decode". A
/// space does as well as the colon, and `x2` as `log2`.
Result<Axis> parsedAxis(std::string_view text,
                        const Scenario& scenario,
                        AxisValues allowed = AxisValues::legal);

} // namespace flopsmith
