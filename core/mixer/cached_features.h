// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace flopsmith {

/// Cached elements per token, or of a mixer with a state, per sequence, whatever its length.
struct CachedFeatures
{
    std::int64_t keys = 0;
    std::int64_t values = 0; ///< 0 where the values are part of `keys`
    bool perSequence = false; ///< a state, which does not grow

    bool operator==(const CachedFeatures&) const = default;
};

} // namespace flopsmith
