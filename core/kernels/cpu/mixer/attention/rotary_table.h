// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/buffer.h"
#include "core/mixer/rope.h"

#include <cmath>
#include <cstdint>

namespace flopsmith::cpu {

/// RoPE: cosines and sines of the new tokens' positions, [S, features/2] each.
class RotaryTable
{
public:
    /// For heads of `features` (0: none); the first new token is at `position`.
    RotaryTable(std::int64_t queries,
                std::int64_t position,
                std::int64_t features,
                const Rope& rope)
        : m_half(features / 2)
        , m_cos(static_cast<std::size_t>(queries * m_half))
        , m_sin(static_cast<std::size_t>(queries * m_half))
    {
        for (std::int64_t i = 0; i < queries * m_half; ++i) {
            const auto at = static_cast<int>(position + i / m_half);
            const double angle =
                rotaryAngle(at, static_cast<int>(i % m_half), static_cast<int>(features), rope);
            m_cos.data()[i] = static_cast<float>(rope.amplitude * std::cos(angle));
            m_sin.data()[i] = static_cast<float>(rope.amplitude * std::sin(angle));
        }
    }

    bool present() const { return m_half > 0; }

    /// One head of the query-th new token.
    void rotate(float* head, std::int64_t query) const { rotateBy(head, query, 1.0F); }

    /// The transpose: the inverse unless the angles have an amplitude.
    void rotateBack(float* head, std::int64_t query) const { rotateBy(head, query, -1.0F); }

private:
    void rotateBy(float* head, std::int64_t query, float direction) const
    {
        const float* cosines = m_cos.data() + query * m_half;
        const float* sines = m_sin.data() + query * m_half;
        float* high = head + m_half;
        for (std::int64_t i = 0; i < m_half; ++i) {
            const float first = head[i];
            const float second = high[i];
            const float sine = direction * sines[i];
            head[i] = first * cosines[i] - second * sine;
            high[i] = second * cosines[i] + first * sine;
        }
    }

    std::int64_t m_half;
    Buffer m_cos;
    Buffer m_sin;
};

} // namespace flopsmith::cpu
