// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
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

/// Memory that will be read by and by, asked for a line at a time between other work, so that it is
/// in the second-level cache by then and nothing waits for it.
class ReadAhead
{
public:
    /// `count` floats, after those that were added before; at most kMostPieces times.
    void add(const float* first, std::int64_t count)
    {
        m_pieces[m_count++] = {first, first + count};
    }

    /// Where the next `lines` cache lines begin, which may reach beyond what was added; null if none
    /// are left.
    const float* take(std::int64_t lines)
    {
        while (m_now < m_count && m_pieces[m_now].next >= m_pieces[m_now].end) {
            ++m_now;
        }
        if (m_now == m_count) {
            return nullptr;
        }
        const float* const here = m_pieces[m_now].next;
        m_pieces[m_now].next += lines * static_cast<std::int64_t>(detail::kLineFloats);
        return here;
    }

    static constexpr std::size_t kMostPieces = 8;

private:
    struct Piece
    {
        const float* next = nullptr;
        const float* end = nullptr;
    };

    std::array<Piece, kMostPieces> m_pieces;
    std::size_t m_count = 0;
    std::size_t m_now = 0;
};

/// Lines that a loop asks for, one in each step: those that were taken, or always the same one.
class LinesAhead
{
public:
    LinesAhead(ReadAhead* ahead, std::int64_t lines, const float* otherwise)
        : m_next(ahead == nullptr ? nullptr : ahead->take(lines))
        , m_step(m_next == nullptr ? 0 : detail::kLineFloats)
    {
        m_next = m_next == nullptr ? otherwise : m_next;
    }

    void ask()
    {
        __builtin_prefetch(m_next, 0, 2);
        m_next += m_step;
    }

private:
    const float* m_next;
    std::size_t m_step;
};

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
