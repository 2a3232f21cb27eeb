// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"
#include "core/mixer/attention.h"
#include "core/mixer/cached_features.h"
#include "core/mixer/rope.h"

#include <cstddef>

namespace flopsmith {

enum class LatentForm {
    automatic, ///< absorbed where a step decodes, expanded where it reads a sequence
    expanded, ///< keys and values are expanded from the latents; attention of H heads among them
    absorbed, ///< W_uk folded into the queries, W_uv applied after the sum: attention to latents
};

template <>
std::vector<std::string_view> enumNames<LatentForm>();

/// What the expanded form caches of earlier tokens while it decodes, beside the cache proper of
/// r_kv + h_rope features per token. The absorbed form needs nothing else.
enum class LatentCache {
    latents, ///< nothing more: a decode step expands all latents again
    /// Their expanded keys and values in working memory, H·(h_nope + h_v) per token, which count as
    /// activations: only new tokens are expanded.
    keysAndValues,
};

template <>
std::vector<std::string_view> enumNames<LatentCache>();

/// Multi-head latent attention (MLA, DeepSeek-V2 and V3). Keys and values of all heads are
/// functions of one latent c per token, so that the cache holds c and not them.
///   q = norm(x·W_qa)·W_qb (or x·W_q), per head q_nope | q_rope;  c | k_rope = x·W_kva;
///   c ← norm(c);  k_nope, v = c·W_uk, c·W_uv;  RoPE on q_rope and on k_rope, which all heads share;
///   y = softmax((q_nope·k_nopeᵀ + q_rope·k_ropeᵀ)/√(h_nope + h_rope))·v·Wo
/// Both norms are RMSNorms. YaRN's temperature is part of `scoreScale`.
struct LatentAttention
{
    int heads = 16; ///< H
    int qLoraRank = 0; ///< r_q; 0: queries are projected directly
    int kvLoraRank = 512; ///< r_kv, width of the latents
    int qkNopeDim = 128; ///< h_nope, features of queries and keys without positions, per head
    int qkRopeDim = 64; ///< h_rope, the features that RoPE rotates; even
    int vHeadDim = 128; ///< h_v
    bool causal = true;
    bool bias = false; ///< of W_qa, W_kva and Wo
    LatentForm form = LatentForm::automatic;
    LatentCache cache = LatentCache::keysAndValues;
    AttentionAlgorithm algorithm = AttentionAlgorithm::flash;
    // Numbers that change no count.
    Rope rope; ///< angles of rotary positions
    double scoreScale = 0.0; ///< in place of 1/√(h_nope + h_rope); 0: that
    double normEpsilon = kNormEpsilon; ///< of both norms

    bool operator==(const LatentAttention&) const = default;

    int qkDim() const { return qkNopeDim + qkRopeDim; }

    /// The norm of both latents.
    Norm latentNorm() const
    {
        return {.kind = NormKind::rmsNorm, .scale = true, .shift = false, .epsilon = normEpsilon};
    }

    /// The factor of the scores.
    double scoreFactor() const;

    /// With the form of a step that `decodes`, or of one that does not, in place of automatic.
    LatentAttention inStep(bool decodes) const;

    // Of a form that is not automatic.
    bool isAbsorbed() const { return form == LatentForm::absorbed; }
    bool cachesLatents() const { return isAbsorbed() || cache == LatentCache::latents; }
    bool hasQueryLatents() const { return qLoraRank > 0; }

    /// In a step that decodes: latents c | k_rope (normalised, rotated) as keys, or k_nope of all heads | k_rope as keys and
    /// v of all heads as values.
    CachedFeatures cachedFeatures(int dModel) const;

    static const VariantInfo& info();
    static const std::vector<Field<LatentAttention>>& fields();
};

/// q.weight [d, H·(h_nope + h_rope)], or q_a.weight [d, r_q], its bias, q_norm [1, r_q],
/// q_b.weight [r_q, H·(h_nope + h_rope)]; then kv_a.weight [d, r_kv + h_rope], its bias,
/// kv_norm [1, r_kv], k_b.weight [r_kv, H·h_nope], v_b.weight [r_kv, H·h_v], out.weight [H·h_v, d],
/// its bias. Columns of several heads are grouped by head.
WeightShapes weights(const LatentAttention& attention, int dModel);

/// Index of each tensor in weights(); 0 if absent, except for `q`, the first.
struct LatentTensors
{
    std::size_t q = 0; ///< q.weight or q_a.weight
    std::size_t qBias = 0;
    std::size_t qNorm = 0;
    std::size_t qUp = 0; ///< q_b.weight
    std::size_t down = 0; ///< kv_a.weight
    std::size_t downBias = 0;
    std::size_t norm = 0; ///< kv_norm
    std::size_t keys = 0; ///< k_b.weight
    std::size_t values = 0; ///< v_b.weight
    std::size_t out = 0;
    std::size_t outBias = 0;

    explicit LatentTensors(const LatentAttention& attention);
};

} // namespace flopsmith
