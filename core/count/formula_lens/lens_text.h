// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/numbers.h"

#include <string_view>

namespace flopsmith {

/// Whose convention a lens is: how a list of them is divided.
enum class LensGroup { counted, products, tools, papers, notes };

/// What people read of a lens, and what its authors say besides the figure of a forward pass.
struct LensText
{
    std::string_view name; ///< on the command line and in files
    std::string_view title;
    std::string_view unit; ///< "FLOPs" or "MACs"
    std::string_view rule; ///< one sentence
    std::string_view source; ///< who counts so
    PairsRule pairs = PairsRule::exact; ///< unless the caller asks for another
    LensGroup group = LensGroup::counted;
    /// A training step in forward passes, as its authors reckon; 0: they do not say.
    int trainingFactor = 0;

    int perMac() const { return unit == "MACs" ? 1 : 2; }
};

} // namespace flopsmith
