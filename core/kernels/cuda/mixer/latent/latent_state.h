// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/layer/norm_pieces.h"
#include "core/kernels/cuda/linear/linear.h"
#include "core/kernels/cuda/mixer/attention/rotary_table.h"
#include "core/kernels/cuda/mixer/attention/score_core.h"
#include "core/kernels/cuda/mixing.h"
#include "core/mixer/latent_attention.h"

namespace flopsmith::cuda {

/// The sizes of latent attention.
struct LatentSizes
{
    std::int64_t tokens;
    int batch;
    int sequence;
    int cached; ///< C − S
    int d;
    int heads;
    int queryRank; ///< r_q
    int rank; ///< r_kv
    int nope;
    int rope;
    int value;
    bool absorbed;
    bool joins; ///< keys and values of the cached latents are expanded too
    bool causal;

    LatentSizes(const LatentAttention& attention, const Shape& shape);

    int qkDim() const { return nope + rope; }
    int latentWidth() const { return rank + rope; }
    /// Features of a key, per head.
    int keyDim() const { return (absorbed ? rank : nope) + rope; }
    int valueDim() const { return absorbed ? rank : value; }
    /// Features of a row of keys, all heads.
    int keyWidth() const { return (absorbed ? rank : heads * nope) + rope; }
    /// Rows of latents that keys and values are expanded from.
    std::int64_t latentRows() const
    {
        return joins ? std::int64_t{batch} * (cached + sequence) : tokens;
    }
    CoreSize core() const;
    CacheStrides cacheStrides() const;
};

/// A weight in the operand type of the device's precision.
class RoundedWeight
{
public:
    RoundedWeight(const Device& device, DeviceSpan<const float> weight, int in, int out)
        : m_rounded(device, weight.size())
        , m_operand(m_rounded.of(weight.data(), in, out))
    {}

    const Operand& operand() const { return m_operand; }

private:
    RoundedRows m_rounded;
    Operand m_operand;
};

/// Everything that latent attention computes before its output projection; keeps the activations
/// that the backward pass reads.
class LatentState
{
public:
    LatentState(const LatentAttention& attention,
                const Shape& shape,
                DeviceWeights weights,
                const Device& device,
                Keeping keeping);

    /// Computes mixed() from the tokens and the cache.
    void run(const MixerOnDevice& input);

    Destination mixed() const { return m_mixed.rows(n.heads * n.value); }
    Destination sums() const; ///< of the core [T, H·valueDim]

    const Device& device;
    LatentSizes n;
    LatentTensors at;
    ScoreSteps steps;
    Linear query; ///< W_q or W_qa
    std::optional<Linear> queryUp; ///< W_qb
    Linear down;
    Linear out;
    RoundedWeight keyWeight; ///< W_uk [r_kv, H·h_nope]
    RoundedWeight valueWeight; ///< W_uv [r_kv, H·h_v]
    RotaryTable rotations;
    const float* queryGamma = nullptr;
    const float* latentGamma = nullptr;
    Norm norm; ///< of both latents

    Operand x; ///< of the last run(), as all that follows
    CoreInput read;
    Operand q; ///< rotated [T, H·(h_nope + h_rope)]
    Operand queryNormed; ///< [T, r_q]

    NormPieces queryRows() const; ///< latents of queries before their norm
    NormPieces latentPieces() const; ///< c before its norm
    const NormMeasure* queryMeasures() const { return m_queryMeasures.data(); }
    const NormMeasure* latentMeasures() const { return m_latentMeasures.data(); }
    Operand latents() const { return m_latents.rows(n.latentWidth()); } ///< c | k_rope, as keys
    TailsToRotate queryTails() const;
    TailsToRotate latentTails() const;

private:
    void projectQueries();
    void makeLatents(const float* cached);
    void expand(const MixerOnDevice& input);
    void absorb(const MixerOnDevice& input);

    RoundedRows m_x;
    DeviceBuffer<float> m_queryLatents;
    DeviceBuffer<NormMeasure> m_queryMeasures;
    OperandBuffer m_queryNormed;
    DeviceBuffer<float> m_q;
    RoundedRows m_qRounded;
    DeviceBuffer<float> m_down; ///< c | k_rope before the norm
    DeviceBuffer<NormMeasure> m_latentMeasures;
    OperandBuffer m_latents;
    OperandBuffer m_queries; ///< of the absorbed form [T, H·(r_kv + h_rope)]
    OperandBuffer m_keys; ///< of the expanded form
    OperandBuffer m_values;
    OperandBuffer m_sums; ///< of the absorbed form
    OperandBuffer m_mixed;

public:
    ScoreCore core;
};

/// to[row, unit·toStep + column] = from[row, unit·fromStep + column] of `width` columns of each
/// unit; rounded if `to` is.
void copyColumns(const Device& device,
                 std::int64_t rows,
                 int units,
                 int width,
                 const Operand& from,
                 int fromStep,
                 const Destination& to,
                 int toStep);

} // namespace flopsmith::cuda
