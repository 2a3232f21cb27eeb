// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/vector_math.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

// The operations of softmax, norms and limits on one row of numbers.
namespace flopsmith::cpu {

/// The sum of term(i, at) over the lanes along [0, count), where at(p) loads from p; lanes that pad
/// the last register are left out.
template <class Term>
float sumAlong(std::size_t count, const Term& term)
{
    Lanes sum{};
    float rest = 0.0F;
    along(
        count,
        [&](std::size_t i) { sum += term(i, load); },
        [&](std::size_t i, std::size_t n) {
            const Lanes last = term(i, [n](const float* from) { return loadSome(from, n); });
            for (std::size_t j = 0; j < n; ++j) {
                rest += last[j];
            }
        });
    return sumOf(sum) + rest;
}

/// Σ a_j·b_j
inline float dotOfRows(const float* a, const float* b, std::size_t count)
{
    return sumAlong(count, [=](std::size_t i, const auto& at) { return at(a + i) * at(b + i); });
}

inline float largestIn(const float* values, std::int64_t count)
{
    Lanes max = all(values[0]);
    float rest = values[0];
    along(
        static_cast<std::size_t>(count),
        [&](std::size_t i) { max = larger(max, load(values + i)); },
        [&](std::size_t i, std::size_t n) {
            for (std::size_t j = i; j < i + n; ++j) {
                rest = std::max(rest, values[j]);
            }
        });
    return std::max(rest, largestOf(max));
}

/// values ← e^(values − shift); their sum.
inline float exponentiate(float* values, std::int64_t count, float shift)
{
    Lanes sum{};
    float rest = 0.0F;
    along(
        static_cast<std::size_t>(count),
        [&](std::size_t i) {
            const Lanes e = exp(load(values + i) - shift);
            store(values + i, e);
            sum += e;
        },
        [&](std::size_t i, std::size_t n) {
            const Lanes e = exp(loadSome(values + i, n) - shift);
            storeSome(values + i, e, n);
            for (std::size_t j = 0; j < n; ++j) {
                rest += e[j];
            }
        });
    return sumOf(sum) + rest;
}

/// A row of a few registers; a call of memmove takes longer.
inline void copyRow(const float* from, float* to, std::int64_t count)
{
    transform(from, to, static_cast<std::size_t>(count), [](Lanes v, std::size_t) { return v; });
}

inline void scaleRow(float* values, std::int64_t count, float factor)
{
    transform(values, values, static_cast<std::size_t>(count), [factor](Lanes v, std::size_t) {
        return v * factor;
    });
}

/// values ← values within [−limit, limit].
inline void limitRow(float* values, std::int64_t count, float limit)
{
    transform(values, values, static_cast<std::size_t>(count), [limit](Lanes v, std::size_t) {
        return smaller(larger(v, all(-limit)), all(limit));
    });
}

/// gradients ← 0 where values are beyond [−limit, limit].
inline void limitRowBackward(const float* values, float* gradients, std::int64_t count, float limit)
{
    combine(values,
            gradients,
            gradients,
            static_cast<std::size_t>(count),
            [limit](Lanes v, Lanes gradient) { return magnitude(v) > limit ? Lanes{} : gradient; });
}

} // namespace flopsmith::cpu
