// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/activation.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

namespace flopsmith {

/// Which features a step of token feedback works on.
enum class FeatureWindow {
    rotating, ///< step t takes s neighbouring features from (t·s) mod d on, around the end
    topK, ///< per token and step, the s features of largest |x_j|, ascending
};

template <>
std::vector<std::string_view> enumNames<FeatureWindow>();

/// The input of a step's gate.
enum class Feedback {
    self, ///< the features themselves
    previousToken, ///< features of the token before it in its sequence; zeros for the first
};

template <>
std::vector<std::string_view> enumNames<Feedback>();

enum class StepWeights { shared, perStep };

template <>
std::vector<std::string_view> enumNames<StepWeights>();

/// Token feedback (self-conditioned FFN): x⁰ = x; M times, on s = round(ρd) picked features S,
///   u = act(x_S·A + a), v = u·B, z = sigmoid(c_S ⊙ φ_S + e_S), x_S ← x_S + z ⊙ v;
/// y = x^M − x⁰. φ is x itself or x of the token before, as it was before this step. A is [s, r]
/// and B [r, s]: their row or column k belongs to the k-th picked feature, whichever that is; c
/// and e belong to channels.
struct TokenFeedbackFfn
{
    int steps = 4; ///< M
    double keepRatio = 0.5; ///< ρ
    int rank = 128; ///< r
    Activation activation = Activation::silu;
    FeatureWindow window = FeatureWindow::rotating;
    Feedback feedback = Feedback::self;
    StepWeights stepWeights = StepWeights::shared;

    bool operator==(const TokenFeedbackFfn&) const = default;

    int keptFeatures(int dModel) const { return kept(keepRatio, dModel); } ///< s

    /// First feature of a step's rotating window.
    int windowStart(int step, int dModel) const;

    /// Features that a token can pick in any of the steps: min(M·s, d).
    int reachedFeatures(int dModel) const;

    /// Sets of weights: 1 or M.
    int weightSets() const { return stepWeights == StepWeights::shared ? 1 : steps; }

    /// How many tokens before it, in its sequence, a token's output depends on: with
    /// previous_token, one more in each step.
    int tokensSeenBefore() const { return feedback == Feedback::previousToken ? steps : 0; }

    static const VariantInfo& info();
    static const std::vector<Field<TokenFeedbackFfn>>& fields();
};

/// The tensors of one set, in this order.
enum class FeedbackTensor { down, downBias, up, gateScale, gateShift };
inline constexpr int kFeedbackTensors = 5;

/// Where a step finds a tensor among the weights.
inline std::size_t indexOf(const TokenFeedbackFfn& ffn, FeedbackTensor tensor, int step)
{
    const int set = ffn.stepWeights == StepWeights::shared ? 0 : step;
    const int index = set * kFeedbackTensors + static_cast<int>(tensor);
    return static_cast<std::size_t>(index);
}

/// down.weight [s, r] (A), down.bias [1, r] (a), up.weight [r, s] (B), gate.scale [1, d] (c),
/// gate.shift [1, d] (e); one set, or one for each step named "step[i]/…".
WeightShapes weights(const TokenFeedbackFfn& ffn, int dModel);

} // namespace flopsmith
