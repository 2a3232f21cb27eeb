// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/layer/norm_pieces.h"
#include "core/kernels/cuda/linear/linear.h"
#include "core/kernels/cuda/mixer/attention/core_operands.h"
#include "core/kernels/cuda/mixer/attention/rotary_table.h"
#include "core/kernels/cuda/stage.h"
#include "core/mixer/attention.h"

namespace flopsmith::cuda {

/// The layout of rows q | k | v.
struct QkvLayout
{
    std::int64_t tokens;
    int sequence;
    int queryWidth; ///< H·h
    int keyWidth; ///< G·h
    int headDim;

    QkvLayout(const Attention& attention, const Shape& shape);

    int rowWidth() const { return queryWidth + 2 * keyWidth; }
    std::size_t elements() const
    {
        return static_cast<std::size_t>(tokens) * static_cast<std::size_t>(rowWidth());
    }
};

struct NormedRows;

/// What happens to rows q | k | v between the projection and the scores: bias, norms of queries and
/// keys, limit, RoPE, rounding to the operands' element; all in one pass after the norms' measures.
class AttentionHeads
{
public:
    AttentionHeads(const Device& device,
                   const Attention& attention,
                   const Shape& shape,
                   DeviceWeights weights);

    /// `projected` [T, rowWidth] without the bias.
    Operand run(const float* projected);

private:
    friend class AttentionHeadsBackward;

    int parts() const { return m_attention.normalisesQk() ? 2 : 0; }
    NormPieces pieces(const float* projected, int part) const;
    NormMeasure* measures(int part) const;
    NormedRows normedRows(const float* projected) const;
    float limit() const;
    bool changesNothing() const;
    template <class Value>
    void finish(const float* projected, Value* to) const;

    const Device* m_device;
    Attention m_attention;
    QkvLayout m_layout;
    const float* m_bias = nullptr;
    const float* m_gamma[2]{};
    const float* m_beta[2]{};
    int m_rotated = 0; ///< features of each head; 0 without RoPE
    RotaryTable m_table;
    DeviceBuffer<NormMeasure> m_measures; ///< of queries, then of keys
    OperandBuffer m_rows;
};

/// The backward pass of AttentionHeads: turns the gradient of its output into that of the
/// projection, in place, and gives the gradients of the norms and of the bias.
class AttentionHeadsBackward
{
public:
    /// `heads` has run on the same projection.
    AttentionHeadsBackward(const AttentionHeads& heads, DeviceGradients gradients);

    void run(const float* projected, float* gradient);

private:
    void throughNorm(const float* projected, int part, float* gradient);
    void sumOfTokens(const float* rows, std::int64_t stride, int part, float* to);

    const AttentionHeads* m_heads;
    DeviceGradients m_gradients;
    AttentionTensors m_places;
    DeviceBuffer<float> m_products; ///< [T, H·h] of one part's dy·n
    DeviceBuffer<float> m_headSums; ///< [H·h]
    ColumnSums m_partSums[2];
    ColumnSums m_sumsOfHeads;
    ColumnSums m_biasSums;
};

/// The sizes of the core.
CoreSize coreSizeOf(const Attention& attention, const Shape& shape);

/// Where rows q | k | v and the cache hold what the core reads.
CoreInput coreInputOf(const QkvLayout& layout,
                      const Operand& rows,
                      const float* cachedKeys,
                      const float* cachedValues);

} // namespace flopsmith::cuda
