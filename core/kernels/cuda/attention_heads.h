// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/attention_core.h"
#include "core/kernels/cuda/linear.h"
#include "core/kernels/cuda/norm_pieces.h"
#include "core/kernels/cuda/stage.h"
#include "core/mixer/attention.h"

namespace flopsmith::cuda {

/// Cosines and sines of RoPE for positions first … first + count − 1: [count, features/2] each.
class RotaryTable
{
public:
    RotaryTable() = default;
    RotaryTable(const Device& device, int first, int count, int features);

    const float2* data() const { return m_values.data(); } ///< (cos, sin)

private:
    DeviceBuffer<float2> m_values;
};

/// Turns the last `features` of `units` pieces of each token, which have `width` features each and
/// stand one behind the other from `column` on; or back.
struct TailsToTurn
{
    std::int64_t tokens = 0;
    int sequence = 1; ///< tokens of a sequence
    std::int64_t stride = 0;
    int column = 0;
    int units = 1;
    int width = 0;
    int features = 0;
};
void turnTails(const Device& device,
               const TailsToTurn& tails,
               const float2* table,
               bool back,
               float* rows);

/// Where everything stands in rows q | k | v.
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

/// What happens to rows q | k | v between the projection and the scores: bias, norms of queries and
/// keys, RoPE, rounding to the operands' element; all in one pass after the norms' measures.
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
    bool changesNothing() const;

    const Device* m_device;
    Attention m_attention;
    QkvLayout m_layout;
    const float* m_bias = nullptr;
    const float* m_gamma[2]{};
    const float* m_beta[2]{};
    RotaryTable m_table;
    DeviceBuffer<NormMeasure> m_measures; ///< of queries, then of keys
    OperandBuffer m_rows;
};

/// From the gradient of what AttentionHeads made to that of the projection, in place, and the
/// gradients of the norms and of the bias.
class AttentionHeadsBackward
{
public:
    /// `heads` has run on the same projection.
    AttentionHeadsBackward(const AttentionHeads& heads, DeviceGradients gradients);

    void run(const float* projected, float* gradient);

private:
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

/// What attention does with scores, and the gradient of its table of biases.
class AttentionSteps
{
public:
    AttentionSteps(const Device& device,
                   const Attention& attention,
                   int headDim,
                   DeviceWeights weights);

    /// Enqueues what the steps read, and tells where it is.
    ScoreSteps run();

    /// The same without enqueuing anything.
    const ScoreSteps& steps() const { return m_steps; }

    /// [H, kOffsets], null without a table.
    float* offsetGradients() const { return m_offsetGradients.data(); }
    /// From offsetGradients() to `gradient` [buckets, H].
    void addToTable(float* gradient) const;

private:
    const Device* m_device;
    Attention m_attention;
    ScoreSteps m_steps;
    const float* m_table = nullptr;
    DeviceBuffer<float> m_slopes;
    DeviceBuffer<int> m_buckets; ///< [kOffsets]
    DeviceBuffer<float> m_biases; ///< [H, kOffsets]
    DeviceBuffer<float> m_offsetGradients;
};

/// The sizes of the core.
CoreSize coreSizeOf(const Attention& attention, const Shape& shape);

/// Where rows q | k | v and the cache hold what the core reads.
CoreInput coreInputOf(const QkvLayout& layout,
                      const Operand& rows,
                      const float* cachedKeys,
                      const float* cachedValues);

/// The tensor, or an empty one where it is absent.
inline DeviceSpan<const float> tensorAt(DeviceWeights weights, std::size_t place)
{
    return place == 0 ? DeviceSpan<const float>() : weights[place];
}

} // namespace flopsmith::cuda
