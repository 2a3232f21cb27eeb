// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/lens.h"

#include <optional>
#include <string>
#include <string_view>

namespace flopsmith {

/// The effect of muting or unmuting a part of some blocks on the model's cost.
struct MuteChange
{
    std::string_view part; ///< "FFN"
    int blocks = 1;
    bool muted = true; ///< false: it is executed again
    std::optional<Count> before{}; ///< the model's cost, where the lens defines one
    std::optional<Count> after{};
};

/// "FFN of 12 blocks muted: −116.0 GFLOPs (−39.8 %)".
std::string muteSentence(const MuteChange& change, LensId lens);

} // namespace flopsmith
