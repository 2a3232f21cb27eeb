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

/// The columns of rows q | k | v that a norm is applied to, `features` at a time, and the first of
/// its tensors.
struct QkPart
{
    std::int64_t column;
    std::int64_t width;
    std::int64_t features;
    std::size_t tensors;
};

/// The parts of queries and of keys.
std::array<QkPart, 2> qkParts(const Attention& attention, const AttentionPlan& plan);

/// Normalises queries and keys of some tokens in rows q | k | v, in place.
void normaliseQk(const Attention& attention,
                 const AttentionPlan& plan,
                 WeightView<float> weights,
                 Range tokens,
                 float* qkv);

/// The backward pass of QK-norm; does nothing without it. Weights and gradients are borrowed and
/// are those of the whole attention.
class QkNormBackward
{
public:
    QkNormBackward(const Attention& attention,
                   const AttentionPlan& plan,
                   WeightView<float> weights,
                   GradientSpans gradients,
                   Threads threads);

    /// Saves the norms of rows q | k | v, the output of the projection.
    void save(const float* qkv);

    /// The gradients of queries and keys in place.
    void run(float* dQkv);

private:
    struct Part
    {
        QkPart columns;
        NormBackward norm;
    };

    // Copies a part's columns of all tokens from rows q | k | v to m_from, and from m_to back.
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
