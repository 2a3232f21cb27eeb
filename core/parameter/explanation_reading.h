// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// What a parameter, a variant or a value of a choice is, for somebody who has never heard of it.
struct Explanation
{
    /// "d_ff"; "spectral.algorithm" where a component means something else by the name; "ffn/dense"
    /// and "mixer/attention" for variants, "norm=rms_norm" for a value.
    std::string key;
    std::string text; ///< a paragraph of plain English
    std::string formula; ///< what it means, in one line; empty for variants, which have theirs
    std::string source; ///< the paper with author, year and title, or that there is none
    std::string place; ///< file and line of its heading: "ffn.md:12"
};

/// The entries of a file in the format of resources/explanations/README.md, or file and line of the
/// first entry that is broken.
Result<std::vector<Explanation>> parsedExplanations(std::string_view fileName,
                                                    std::string_view text);

} // namespace flopsmith
