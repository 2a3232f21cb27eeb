// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/norm.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"
#include "core/mixer/cached_features.h"

#include <cstddef>

namespace flopsmith {

enum class ScanAlgorithm {
    recurrent, ///< one token after the other; a decode step always does this
    chunked, ///< products of matrices within chunks, a state from one chunk to the next
};

template <>
std::vector<std::string_view> enumNames<ScanAlgorithm>();

/// Mamba-2 (Dao and Gu 2024, state space duality): a linear recurrence whose state, H matrices of
/// h × N features, is all that is kept of earlier tokens, however many there are.
///   z | x | B | C | Δ = u·W_in;  x | B | C ← silu(conv(x | B | C)), causal and depthwise
///   Δ ← log(1 + e^(Δ + b));  a = e^(−Δ·e^A_log), one per head
///   S ← a·S + (Δ·x)·Bᵀ;  y = S·C + D·x, where G groups of heads share B and C
///   out = norm(y ⊙ silu(z))·W_out
struct Mamba2
{
    int heads = 24; ///< H
    int headDim = 64; ///< h; the inner width is P = H·h
    int stateDim = 128; ///< N
    int groups = 1; ///< G, divides H
    int convWidth = 4; ///< w_c, tokens that the convolution sees
    bool convBias = true;
    bool bias = false; ///< of W_in and W_out
    bool gatedNorm = true; ///< RMSNorm of y ⊙ silu(z), with γ
    int normGroups = 1; ///< G_n, divides P: each part of P/G_n features is normalised alone
    ScanAlgorithm algorithm = ScanAlgorithm::chunked;
    int chunk = 256; ///< c, tokens; of the backward pass too, which keeps one state per chunk
    double normEpsilon = kNormEpsilon; ///< changes no count

    bool operator==(const Mamba2&) const = default;

    std::int64_t inner() const { return std::int64_t{heads} * headDim; }
    /// Features of B and of C: G·N.
    std::int64_t groupState() const { return std::int64_t{groups} * stateDim; }
    /// Channels of the convolution: x, B and C.
    std::int64_t channels() const { return inner() + 2 * groupState(); }
    /// Columns of W_in: z, x, B, C and Δ.
    std::int64_t projected() const { return inner() + channels() + heads; }

    /// Whether a step takes the chunked form.
    bool isChunkedIn(bool decodes) const { return algorithm == ScanAlgorithm::chunked && !decodes; }

    /// The norm of a part.
    Norm partNorm() const
    {
        return {.kind = gatedNorm ? NormKind::rmsNorm : NormKind::none,
                .scale = true,
                .shift = false,
                .epsilon = normEpsilon};
    }

    /// Of a sequence: as keys the states [H, h, N], as values the last w_c − 1 inputs of the
    /// convolution [w_c − 1, channels], oldest first.
    CachedFeatures cachedFeatures(int dModel) const;

    static const VariantInfo& info();
    static const std::vector<Field<Mamba2>>& fields();
};

/// in_proj.weight [d, 2P + 2GN + H] (z, x, B, C, Δ), its bias, conv.weight [w_c, P + 2GN], its bias,
/// dt_bias [1, H], A_log [1, H], D [1, H], norm [1, P], out_proj.weight [P, d], its bias.
WeightShapes weights(const Mamba2& mixer, int dModel);

/// Index of each tensor in weights(); 0 if absent, except for `in`, the first.
struct Mamba2Tensors
{
    std::size_t in = 0;
    std::size_t inBias = 0;
    std::size_t conv = 0;
    std::size_t convBias = 0;
    std::size_t stepBias = 0; ///< dt_bias
    std::size_t decay = 0; ///< A_log
    std::size_t skip = 0; ///< D
    std::size_t norm = 0;
    std::size_t out = 0;
    std::size_t outBias = 0;

    explicit Mamba2Tensors(const Mamba2& mixer);
};

} // namespace flopsmith
