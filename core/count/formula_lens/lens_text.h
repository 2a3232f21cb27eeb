// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"

#include <string_view>

namespace flopsmith {

/// Groups of a list of lenses, by the origin of the convention.
enum class LensGroup { counted, products, tools, papers, notes };

/// Texts of a lens, and its authors' statements besides the forward pass.
struct LensText
{
    std::string_view name; ///< on the command line and in files
    std::string_view title;
    std::string_view unit; ///< "FLOPs" or "MACs"
    std::string_view rule; ///< one sentence
    std::string_view source; ///< who counts so
    PairsRule pairs = PairsRule::exact; ///< the lens's default
    LensGroup group = LensGroup::counted;
    /// A training step in forward passes, as its authors count; 0: unspecified.
    int trainingFactor = 0;

    int perMac() const { return unit == "MACs" ? 1 : 2; }
};

} // namespace flopsmith
