// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/fft_plan.h"
#include "core/kernels/cpu/stage.h"

namespace flopsmith::cpu {

/// Transforms of `rows` tokens at once.
struct TransformPair
{
    FftPlan forward;
    FftPlan inverse;
    int rows;
};

/// How the features of a block of tokens are transformed. Short transforms go several at a time,
/// which hides the cost of a call; long ones gain nothing from it (measured from 768 on) and stay
/// in the first-level cache alone.
class TokenTransforms
{
public:
    static Result<TokenTransforms> create(const StageSize& size);

    /// Most tokens that are transformed at once.
    static int batchOf(const StageSize& size);

    /// work(pair, first token) for all of `tokens`, pair.rows of them at a time.
    template <class Work>
    void forEach(int tokens, const Work& work) const
    {
        int first = 0;
        for (; first + m_batch.rows <= tokens; first += m_batch.rows) {
            work(m_batch, first);
        }
        for (; first < tokens; ++first) {
            work(m_single, first);
        }
    }

private:
    TokenTransforms(TransformPair batch, TransformPair single)
        : m_batch(std::move(batch))
        , m_single(std::move(single))
    {}

    TransformPair m_batch;
    TransformPair m_single;
};

} // namespace flopsmith::cpu
