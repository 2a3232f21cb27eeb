// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/ffn/dense.h"
#include "core/ffn/gated.h"
#include "core/layer/activation.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

#include <cstdint>
#include <variant>

namespace flopsmith {

enum class ExpertKind { dense, gated };

template <>
std::vector<std::string_view> enumNames<ExpertKind>();

/// The function from the router's logits to scores.
enum class RouterScore { softmax, sigmoid };

template <>
std::vector<std::string_view> enumNames<RouterScore>();

/// The experts over which the score is normalised. A softmax over the chosen ones equals a
/// renormalised softmax over all; without renormalisation the weights of a softmax over all add up
/// to less than 1.
enum class ScoredExperts {
    all, ///< score, then choose (OLMoE, Qwen, DeepSeek)
    chosen, ///< choose by the logits, then score only the chosen (gpt-oss, Llama 4)
};

template <>
std::vector<std::string_view> enumNames<ScoredExperts>();

/// The score of a group of experts where only some groups may be chosen from.
enum class GroupScore {
    best, ///< the score of its best expert (DeepSeek-V2's group_limited_greedy)
    twoBest, ///< the sum of its two best (DeepSeek-V3)
};

template <>
std::vector<std::string_view> enumNames<GroupScore>();

/// An expert, or all shared experts as one FFN: one of the plain FFNs.
using ExpertFfn = std::variant<DenseFfn, GatedFfn>;

/// Mixture of experts: a router sends each token through k of E FFNs of width f.
///   l = x·W_r (+ b_r); p = softmax(l) or σ(l)
///   chosen: the k experts of largest p (+ c, a correction that serves the choice only), of all or,
///   group-limited, of those in the groups that are worth most
///   w = p of the chosen, divided by their sum if renormalised, times a scale
///   y = Σ w_j·expert_j(x) (+ shared(x), behind σ(x·w_s) if gated)
/// The E_s shared experts of width f_s that see every token are one FFN of width E_s·f_s.
struct MoeFfn
{
    int experts = 8; ///< E
    int perToken = 2; ///< k ≤ E
    ExpertKind expert = ExpertKind::gated; ///< routed and shared ones
    int dFf = 2048; ///< f of one expert
    Activation activation = Activation::silu;
    bool bias = false; ///< of the experts
    RouterScore score = RouterScore::softmax;
    ScoredExperts scored = ScoredExperts::all;
    bool renormalise = true;
    double scale = 1.0; ///< 1: not multiplied
    bool routerBias = false;
    bool correctionBias = false; ///< moves the choice, never the weights; not trained by gradients
    int groups = 1; ///< G equal groups of neighbouring experts
    int groupsPerToken = 1; ///< groups that a token may choose from; G: no limit
    GroupScore groupScore = GroupScore::twoBest;
    int sharedExperts = 0; ///< E_s
    int sharedDFf = 2048; ///< f_s
    bool sharedGate = false;
    double skew = 0.0; ///< of measured routing, see WeightShape::columnDecay; changes no count
    GateValues gate; ///< of gated experts; numbers that change no count

    bool operator==(const MoeFfn&) const = default;

    /// Whether scores are divided by their sum; a softmax over the chosen already adds up to 1.
    bool renormalises() const;
    bool scales() const { return scale != 1.0; }
    bool limitsGroups() const { return groupsPerToken < groups; }
    int groupSize() const { return experts / groups; }
    int candidates() const { return limitsGroups() ? groupsPerToken * groupSize() : experts; }

    /// Whether the score of a group is a sum: a group of one expert has only one term.
    bool sumsGroups() const { return groupScore == GroupScore::twoBest && groupSize() > 1; }

    /// Whether experts are chosen by scores instead of logits, which have the same order unless
    /// something is added to the scores.
    bool choosesByScore() const
    {
        return scored == ScoredExperts::all && (correctionBias || (limitsGroups() && sumsGroups()));
    }

    bool hasSharedGate() const { return sharedExperts > 0 && sharedGate; }

    ExpertFfn routedExpert() const { return plainFfn(dFf); }
    /// The gate of gated experts; the default for dense experts, which have none.
    GateValues activeGate() const;

    ExpertFfn sharedFfn() const { return plainFfn(sharedExperts * sharedDFf); }

    static const VariantInfo& info();
    static const std::vector<Field<MoeFfn>>& fields();

private:
    ExpertFfn plainFfn(int width) const;
};

/// Index of each part's tensors in weights().
struct MoeTensors
{
    explicit MoeTensors(const MoeFfn& ffn, int dModel);

    std::size_t expert(int e) const
    {
        return firstExpert + static_cast<std::size_t>(e) * perExpert;
    }

    std::size_t routerBias = 0; ///< the router's matrix is the first; 0: no bias
    std::size_t correctionBias = 0; ///< 0: no correction
    std::size_t firstExpert = 1;
    std::size_t perExpert = 0;
    std::size_t shared = 0; ///< the first tensor of the shared experts
    std::size_t sharedGate = 0; ///< 0: no gate
};

/// router.weight [d, E], router.bias [1, E], correction_bias [1, E] if any; the tensors of each
/// expert, preceded by "experts[e]/"; those of the shared experts, preceded by "shared/", and
/// shared_gate.weight [d, 1].
WeightShapes weights(const MoeFfn& ffn, int dModel);

} // namespace flopsmith
