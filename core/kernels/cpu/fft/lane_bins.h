// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/fft/lane_butterflies.h"

#include <utility>

// Neighbouring bins of a spectrum, which stand as (re, im), a register of each part. Only the
// sources of this folder include it, see lanes.h.
namespace flopsmith::cpu {

namespace detail {

inline constexpr std::make_integer_sequence<int, kLanes> kEachLane{};

template <int... Lane>
inline Complex apart(Lanes a, Lanes b, std::integer_sequence<int, Lane...> /*lanes*/)
{
    return {__builtin_shufflevector(a, b, (2 * Lane)...),
            __builtin_shufflevector(a, b, (2 * Lane + 1)...)};
}

// Of the first half of the lanes or of the second one.
template <int First, int... Lane>
inline Lanes together(const Complex& z, std::integer_sequence<int, Lane...> /*lanes*/)
{
    return __builtin_shufflevector(z.re, z.im, (First + Lane / 2 + Lane % 2 * kLanes)...);
}

template <int... Lane>
inline Lanes backwards(Lanes x, std::integer_sequence<int, Lane...> /*lanes*/)
{
    return __builtin_shufflevector(x, x, (kLanes - 1 - Lane)...);
}

} // namespace detail

inline Complex loadBins(const float* from)
{
    return detail::apart(load(from), load(from + kLanes), detail::kEachLane);
}

inline void storeBins(float* to, const Complex& z)
{
    store(to, detail::together<0>(z, detail::kEachLane));
    store(to + kLanes, detail::together<kLanes / 2>(z, detail::kEachLane));
}

/// The last bin first.
inline Complex backwards(const Complex& z)
{
    return {detail::backwards(z.re, detail::kEachLane), detail::backwards(z.im, detail::kEachLane)};
}

} // namespace flopsmith::cpu
