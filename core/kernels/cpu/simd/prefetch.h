// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

// Memory asked for before it is needed, for accesses that jump about as no prefetcher foresees, and
// for the lists that say where to: between such jumps the processor loses their track.
namespace flopsmith::cpu {

namespace detail {

inline constexpr std::size_t kLineFloats = 16;
inline constexpr std::size_t kPageFloats = 1024;
inline constexpr std::uintptr_t kLineBytes = 64;
inline constexpr std::uintptr_t kBytesAhead = 2048; ///< what is read while one line comes from far

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

/// Asks for what lies a page of 4 KiB further on. The processor's own prefetchers stop where a page
/// ends: without this a long walk through memory begins every page with misses that wait for one
/// another.
inline void askOnePageOn(const float* now)
{
    __builtin_prefetch(now + detail::kPageFloats, 0);
}

/// The next `count` entries of a list are read now: asks for as many that come some time later, or
/// for nothing that matters, at the list's end.
template <class Entry>
void askFurtherOn(const Entry* next, std::size_t count)
{
    const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(next) + detail::kBytesAhead;
    for (std::uintptr_t at = first; at < first + count * sizeof(Entry); at += detail::kLineBytes) {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): may lie behind the list, where no pointer may
        __builtin_prefetch(reinterpret_cast<const void*>(at), 0, 2);
    }
}

} // namespace flopsmith::cpu
