// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

// Software prefetch: for irregular accesses that no hardware prefetcher predicts, and for the lists
// of their addresses, whose stream the hardware loses between such accesses.
namespace flopsmith::cpu {

namespace detail {

inline constexpr std::size_t kLineFloats = 16;
inline constexpr std::size_t kPageFloats = 1024;
inline constexpr std::uintptr_t kLineBytes = 64;
inline constexpr std::uintptr_t kPrefetchBytes = 2048; ///< read while one line comes from memory

} // namespace detail

/// Prefetches the cache lines of `count` floats that will be read.
inline void prefetchToRead(const float* from, std::size_t count)
{
    for (std::size_t i = 0; i < count; i += detail::kLineFloats) {
        __builtin_prefetch(from + i, 0);
    }
}

/// The same for floats that will be written.
inline void prefetchToWrite(float* to, std::size_t count)
{
    for (std::size_t i = 0; i < count; i += detail::kLineFloats) {
        __builtin_prefetch(to + i, 1);
    }
}

/// Prefetches one page of 4 KiB ahead. Hardware prefetchers stop at the end of a page: without this a
/// long walk through memory begins every page with misses that wait for one another.
inline void prefetchNextPage(const float* now)
{
    __builtin_prefetch(now + detail::kPageFloats, 0);
}

/// Prefetches a list kPrefetchBytes ahead, as many bytes as its next `count` entries take; at the
/// list's end it prefetches beyond it, which does no harm.
template <class Entry>
void prefetchEntries(const Entry* next, std::size_t count)
{
    const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(next) + detail::kPrefetchBytes;
    for (std::uintptr_t at = first; at < first + count * sizeof(Entry); at += detail::kLineBytes) {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): may be after the list, where no pointer may
        __builtin_prefetch(reinterpret_cast<const void*>(at), 0, 2);
    }
}

} // namespace flopsmith::cpu
