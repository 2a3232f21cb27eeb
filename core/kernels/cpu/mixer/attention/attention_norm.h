// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gradient_output.h"
#include "core/kernels/cpu/layer/norm_backward.h"
#include "core/kernels/cpu/mixer/attention/attention_tile.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/weights.h"
#include "core/mixer/attention.h"

#include <array>
#include <cstdint>
#include <vector>

namespace flopsmith::cpu {

/// Columns of the rows q | k | v that one norm sees, in pieces of `features`; the first of its
/// tensors.
struct QkPart
{
    std::int64_t column;
    std::int64_t width;
    std::int64_t features;
    std::size_t tensors;
};

/// Queries and keys.
std::array<QkPart, 2> qkParts(const Attention& attention, const AttentionPlan& plan);

/// The norms of queries and keys of tokens in rows q | k | v, in place.
void normaliseQk(const Attention& attention,
                 const AttentionPlan& plan,
                 WeightView<float> weights,
                 Range tokens,
                 float* qkv);

/// Their backward pass; nothing if there are none. Weights and gradients are borrowed, and all of
/// the attention's.
class QkNormBackward
{
public:
    QkNormBackward(const Attention& attention,
                   const AttentionPlan& plan,
                   WeightView<float> weights,
                   GradientSpans gradients,
                   Threads threads);

    /// Takes rows q | k | v as the projection makes them.
    void remember(const float* qkv);

    /// The gradients of queries and keys in place.
    void run(float* dQkv);

private:
    struct Part
    {
        QkPart columns;
        NormBackward norm;
    };

    // A part's columns of all tokens from rows q | k | v to m_from, or from m_to back.
    void gather(const QkPart& part, const float* qkv);
    void scatter(const QkPart& part, float* qkv) const;

    std::int64_t m_tokens;
    std::int64_t m_rowWidth;
    Threads m_threads;
    std::vector<Part> m_parts;
    Buffer m_from;
    Buffer m_to;
};

} // namespace flopsmith::cpu
