// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

// Memory asked for before it is needed, for accesses that jump about as no prefetcher foresees.
namespace flopsmith::cpu {

namespace detail {

inline constexpr std::size_t kLineFloats = 16;

} // namespace detail

/// Asks for the cache lines of `count` floats that will be read.
inline void askToRead(const float* from, std::size_t count)
{
    for (std::size_t i = 0; i < count; i += detail::kLineFloats) {
        __builtin_prefetch(from + i, 0);
    }
}

/// The same for floats that will be written.
inline void askToWrite(float* to, std::size_t count)
{
    for (std::size_t i = 0; i < count; i += detail::kLineFloats) {
        __builtin_prefetch(to + i, 1);
    }
}

} // namespace flopsmith::cpu
