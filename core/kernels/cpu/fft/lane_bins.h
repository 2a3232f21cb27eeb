// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/fft/lane_butterflies.h"

#include <utility>

// Neighbouring bins of a spectrum, (re, im) interleaved, as a register of each part. Only the
// sources of this folder include it, see lanes.h.
namespace flopsmith::cpu {

namespace detail {

inline constexpr std::make_integer_sequence<int, kLanes> kEachLane{};

template <int... Lane>
inline Complex deinterleaved(Lanes a, Lanes b, std::integer_sequence<int, Lane...> /*lanes*/)
{
    return {__builtin_shufflevector(a, b, (2 * Lane)...),
            __builtin_shufflevector(a, b, (2 * Lane + 1)...)};
}

// From the first half of the lanes or from the second.
template <int First, int... Lane>
inline Lanes interleaved(const Complex& z, std::integer_sequence<int, Lane...> /*lanes*/)
{
    return __builtin_shufflevector(z.re, z.im, (First + Lane / 2 + Lane % 2 * kLanes)...);
}

template <int... Lane>
inline Lanes reversed(Lanes x, std::integer_sequence<int, Lane...> /*lanes*/)
{
    return __builtin_shufflevector(x, x, (kLanes - 1 - Lane)...);
}

} // namespace detail

inline Complex loadBins(const float* from)
{
    return detail::deinterleaved(load(from), load(from + kLanes), detail::kEachLane);
}

inline void storeBins(float* to, const Complex& z)
{
    store(to, detail::interleaved<0>(z, detail::kEachLane));
    store(to + kLanes, detail::interleaved<kLanes / 2>(z, detail::kEachLane));
}

/// The last bin first.
inline Complex reversed(const Complex& z)
{
    return {detail::reversed(z.re, detail::kEachLane), detail::reversed(z.im, detail::kEachLane)};
}

} // namespace flopsmith::cpu
