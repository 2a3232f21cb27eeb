// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/lens.h"

#include <string>
#include <string_view>

namespace flopsmith {

/// What muting or unmuting a part of some blocks did to the cost of the model.
struct MuteChange
{
    std::string_view part; ///< "FFN"
    int blocks = 1;
    bool muted = true; ///< false: it is executed again
    Count before = 0; ///< the model's cost under the lens
    Count after = 0;
};

/// "FFN of 12 blocks muted: −116.0 GFLOPs (−39.8 %)".
std::string muteSentence(const MuteChange& change, LensId lens);

} // namespace flopsmith
