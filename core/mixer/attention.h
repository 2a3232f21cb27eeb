// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/norm.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"
#include "core/mixer/position_bias.h"
#include "core/mixer/rope.h"

namespace flopsmith {

enum class AttentionAlgorithm {
    flash, ///< scores stay on chip, block by block
    materialised, ///< the score matrix is written and read
};

template <>
std::vector<std::string_view> enumNames<AttentionAlgorithm>();

/// Norms of queries and keys, after the projection and before RoPE.
enum class QkNorm {
    none,
    perHead, ///< each head alone; one γ [h] for all query heads, one for all key heads
    fullWidth, ///< all heads of a token together; γ [H·h] for queries, [G·h] for keys
};

template <>
std::vector<std::string_view> enumNames<QkNorm>();

/// Softmax attention: MHA (G = H), GQA (1 < G < H) or MQA (G = 1), causal or not, optionally
/// within a sliding window and with rotary positions.
///   q, k, v = x·Wq, x·Wk, x·Wv;  q, k normalised;  all within ±limit;  q, k rotated
///   s = q·kᵀ/√h;  s ← cap·tanh(s/cap);  s ← s + bias of the positions
///   y = softmax(s)·v·Wo, where a sink adds e^sink to the softmax's total
struct Attention
{
    int heads = 12; ///< H
    int kvHeads = 12; ///< G, divides H
    int headDim = 0; ///< h; 0 means d_model / heads
    bool causal = true;
    bool qkvBias = true;
    bool outBias = true;
    bool rotary = false; ///< RoPE on queries and keys
    int rotaryDim = 0; ///< features of a head that RoPE rotates, from the first; 0: all h
    /// 0: every key. Causal: the number of keys that a query sees at most, itself included.
    /// Otherwise: keys up to ⌊window/2⌋ before and after it (Longformer, ModernBERT).
    int window = 0;
    AttentionAlgorithm algorithm = AttentionAlgorithm::flash;
    QkNorm qkNorm = QkNorm::none;
    NormKind qkNormKind = NormKind::rmsNorm; ///< RMSNorm or LayerNorm, always with γ
    bool qkNormShift = false; ///< β; LayerNorm only
    bool sinks = false; ///< a learned logit per head in every softmax, without a value (gpt-oss)
    double softCap = 0.0; ///< limits scores to ±cap by cap·tanh(s/cap) (Gemma-2); 0: no cap
    bool scaleScores = true; ///< 1/√h; T5 and GPT-Neo leave it out
    PositionBias positionBias = PositionBias::none;
    int relativeBuckets = 32; ///< rows of the table of a relative bias
    // Numbers that change no count.
    Rope rope; ///< angles of rotary positions
    double scoreScale = 0.0; ///< in place of 1/√h where scores are scaled; 0: that
    double qkNormEpsilon = kNormEpsilon;
    /// c: limits queries, keys and values to [−c, c] before RoPE and after QK-norm (clip_qkv of
    /// OLMo, OLMoE, MPT and DBRX); 0: no limit.
    double qkvLimit = 0.0;

    bool operator==(const Attention&) const = default;

    int headDimFor(int dModel) const { return headDim > 0 ? headDim : dModel / heads; }

    /// Features of a head that RoPE turns if there is one.
    int rotaryFeatures(int dModel) const { return rotaryDim > 0 ? rotaryDim : headDimFor(dModel); }

    bool normalisesQk() const { return qkNorm != QkNorm::none && qkNormKind != NormKind::none; }

    /// The norm of queries and of keys; absent without one.
    Norm queryKeyNorm() const
    {
        return normalisesQk() ? Norm{.kind = qkNormKind,
                                     .scale = true,
                                     .shift = qkNormShift,
                                     .epsilon = qkNormEpsilon}
                              : Norm::absent();
    }

    /// The factor of scaled scores in heads of `features` features.
    double scoreFactor(int features) const;

    bool hasSoftCap() const { return softCap > 0.0; }
    bool limitsQkv() const { return qkvLimit > 0.0; }
    bool biasesScores() const { return positionBias != PositionBias::none; }
    bool readsBiasTable() const
    {
        return positionBias == PositionBias::relative
            || positionBias == PositionBias::sharedRelative;
    }
    Direction direction() const { return causal ? Direction::causal : Direction::bidirectional; }

    /// Number of later keys that a query sees, if there are so many.
    int reachForward(int context) const { return causal ? 0 : (window > 0 ? window / 2 : context); }

    /// Number of earlier keys that a query sees, if there are so many.
    int reachBack(int context) const
    {
        return window == 0 ? context : (causal ? window - 1 : window / 2);
    }

    /// Derived head dimensions must be whole, and even if RoPE turns all of them.
    int dModelMultiple() const
    {
        const int perHead = rotary && rotaryDim == 0 ? 2 : 1;
        return headDim > 0 ? 1 : heads * perHead;
    }

    static const VariantInfo& info();
    static const std::vector<Field<Attention>>& fields();
};

/// Added to the score of a key `offset` positions after the query: ALiBi's fixed bias; 0 with any
/// other.
double fixedBias(const Attention& attention, int head, int offset);

/// qkv.weight [d, (H+2G)·h] with columns q | k | v, its bias; gamma and beta of q_norm and k_norm;
/// sinks [H]; relative_bias [buckets, H], also if it is shared: it must be read, although it is not
/// a parameter again; out.weight [H·h, d], its bias.
WeightShapes weights(const Attention& attention, int dModel);

/// Index of each tensor in weights(); 0: absent (qkv.weight is the first).
struct AttentionTensors
{
    explicit AttentionTensors(const Attention& attention);

    std::size_t qkv = 0;
    std::size_t qkvBias = 0;
    std::size_t qNorm = 0; ///< γ, then β
    std::size_t kNorm = 0;
    std::size_t sinks = 0;
    std::size_t relativeBias = 0;
    std::size_t out = 0;
    std::size_t outBias = 0;
};

/// Whether the matrix of scores is written, and kept for the backward pass.
inline bool keepsScores(const Attention& attention)
{
    return attention.algorithm == AttentionAlgorithm::materialised;
}

} // namespace flopsmith
