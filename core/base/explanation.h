// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace flopsmith {

/// What a parameter, a variant or a value of a choice is, for somebody who has never heard of it.
struct Explanation
{
    /// "d_ff"; "spectral.algorithm" where a component means something else by the name; "ffn/dense"
    /// and "mixer/attention" for variants, "norm=rms_norm" for a value.
    std::string_view key;
    std::string_view text; ///< a paragraph of plain English
    std::string_view formula; ///< what it means, in one line; empty for variants, which have theirs
    std::string_view source; ///< the paper with author, year and title, or that there is none
};

} // namespace flopsmith
