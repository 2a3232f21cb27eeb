// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/count/cost_tree.h"
#include "core/count/numbers.h"
#include "core/ffn/dense.h"
#include "core/ffn/gated.h"
#include "core/layer/activation.h"
#include "core/layer/linear.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

#include <cstdint>
#include <variant>

namespace flopsmith {

enum class ExpertKind { dense, gated };

template <>
std::vector<std::string_view> enumNames<ExpertKind>();

/// What makes scores of the router's logits.
enum class RouterScore { softmax, sigmoid };

template <>
std::vector<std::string_view> enumNames<RouterScore>();

/// Over which experts the score is taken. A softmax over the chosen ones equals a softmax over all
/// that is renormalised; without renormalisation the weights of a softmax over all sum to less
/// than 1.
enum class ScoredExperts {
    all, ///< score, then choose (OLMoE, Qwen, DeepSeek)
    chosen, ///< choose by the logits, then score those alone (gpt-oss, Llama 4)
};

template <>
std::vector<std::string_view> enumNames<ScoredExperts>();

/// An expert, or all shared experts as one FFN: one of the plain FFNs.
using ExpertFfn = std::variant<DenseFfn, GatedFfn>;

/// Mixture of experts: a router sends each token through k of E FFNs of width f.
///   l = x·W_r (+ b_r); p = softmax(l) or σ(l)
///   chosen: the k experts of largest p (+ c, a correction that serves the choice only)
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
    int sharedExperts = 0; ///< E_s
    int sharedDFf = 2048; ///< f_s
    bool sharedGate = false;
    double skew = 0.0; ///< of routing when measured, see WeightShape::columnDecay; costs nothing

    bool operator==(const MoeFfn&) const = default;

    /// Whether a sum of scores is divided by; a softmax over the chosen sums to 1 by itself.
    bool renormalises() const;
    bool scales() const { return scale != 1.0; }
    bool hasSharedGate() const { return sharedExperts > 0 && sharedGate; }

    /// Experts that T tokens touch at most, and do with balanced routing: all if T·k ≥ E.
    std::int64_t touchedExperts(std::int64_t tokens) const;

    ExpertFfn routedExpert() const { return plainFfn(dFf); }
    ExpertFfn sharedFfn() const { return plainFfn(sharedExperts * sharedDFf); }

    static const VariantInfo& info();
    static const std::vector<Field<MoeFfn>>& fields();

private:
    ExpertFfn plainFfn(int width) const;
};

/// Where the tensors of each part stand in the list of weights.
struct MoeTensors
{
    explicit MoeTensors(const MoeFfn& ffn, int dModel);

    std::size_t expert(int e) const
    {
        return firstExpert + static_cast<std::size_t>(e) * perExpert;
    }

    std::size_t routerBias = 0; ///< the router's matrix is the first; 0: no bias
    std::size_t correctionBias = 0; ///< 0: none
    std::size_t firstExpert = 1;
    std::size_t perExpert = 0;
    std::size_t shared = 0; ///< the first tensor of the shared experts
    std::size_t sharedGate = 0; ///< 0: none
};

/// router.weight [d, E], router.bias [1, E], correction_bias [1, E] if any; the tensors of each
/// expert, preceded by "experts[e]/"; those of the shared experts, preceded by "shared/", and
/// shared_gate.weight [d, 1].
WeightShapes weights(const MoeFfn& ffn, int dModel);

/// `n` scores in rows of `row`.
///   softmax   per row: row−1 cmp, 2·row−1 add, row exp, row div
///   sigmoid   each: 1 add, 1 div, 1 exp
template <class N>
OpCount<N> routerScoreCount(RouterScore score, const N& rows, const N& row)
{
    const N n = rows * row;
    if (score == RouterScore::sigmoid) {
        return {.add = n, .div = n, .exp = n};
    }
    return {.add = rows * (N(2) * row - N(1)), .div = n, .exp = n, .cmp = rows * (row - N(1))};
}

namespace detail {

/// The pass of the T·k rows that go to experts.
template <class N>
Pass<N> rowsOfExperts(const MoeFfn& ffn, const Pass<N>& pass)
{
    Pass<N> rows = pass;
    rows.batch = pass.batch * pass.numbers("k", ffn.perToken);
    rows.batchValue = pass.batchValue * ffn.perToken;
    return rows;
}

/// Experts whose weights are read: all of them, or T·k if that is less.
template <class N>
N touchedExperts(const MoeFfn& ffn, const Pass<N>& pass)
{
    const std::int64_t tokens = std::int64_t{pass.batchValue} * pass.sequenceValue;
    return ffn.touchedExperts(tokens) == ffn.experts ? pass.numbers("E", ffn.experts)
                                                     : rowsOfExperts(ffn, pass).tokens();
}

/// The operations that `add` adds to a tree.
template <class N, class Add>
CostTree<N> oneExpert(Add add)
{
    CostTree<N> tree;
    {
        const auto group = tree.group("expert", *MoeFfn::info().component);
        add(tree);
    }
    return tree;
}

/// The operations of an expert on T·k rows, with the parameters of E experts.
template <class N>
void addRoutedExperts(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N experts = pass.numbers("E", ffn.experts);
    const N perToken = pass.numbers("k", ffn.perToken);
    const N touched = touchedExperts(ffn, pass);
    const CostTree<N> one = oneExpert<N>([&](CostTree<N>& alone) {
        const Pass<N> rows = rowsOfExperts(ffn, pass);
        std::visit([&](const auto& expert) { addCost(expert, rows, alone); }, ffn.routedExpert());
    });
    const auto group = tree.group("experts", *MoeFfn::info().component);
    one.forEachOperation(0, [&](const auto& operation, const N& /*times*/) {
        Cost<N> cost = operation.cost;
        cost.traffic.weights = touched * cost.traffic.weights;
        cost.parameters = {.trainable = experts * operation.cost.parameters.trainable,
                           .active = perToken * operation.cost.parameters.active};
        tree.operation(operation.name, operation.kind, operation.elements, cost);
    });
}

/// The shared experts on all tokens, and what adds them to the routed ones.
template <class N>
void addSharedExperts(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N n = t * pass.dModel;
    const auto group = tree.group("shared", *MoeFfn::info().component);
    std::visit([&](const auto& shared) { addCost(shared, pass, tree); }, ffn.sharedFfn());
    if (ffn.hasSharedGate()) {
        tree.operation(
            "shared_gate", OpKind::linear, t, linearCost(t, pass.dModel, N(1), Bias::absent));
        tree.operation("open",
                       OpKind::elementwise,
                       n,
                       {.count = {.mul = n, .add = t, .div = t, .exp = t},
                        .traffic = {.read = n + t, .written = n},
                        .saved = n + t});
    }
    tree.operation("sum",
                   OpKind::elementwise,
                   n,
                   {.count = {.add = n}, .traffic = {.read = N(2) * n, .written = n}});
}

/// Logits, scores, choice and weights of every token.
template <class N>
void addRouting(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N experts = pass.numbers("E", ffn.experts);
    const N perToken = pass.numbers("k", ffn.perToken);
    const N chosen = t * perToken;
    const N all = t * experts;
    tree.operation(
        "router", OpKind::linear, all, linearCost(t, pass.dModel, experts, biasIf(ffn.routerBias)));
    const auto addScores = [&](const N& row) {
        const N n = t * row;
        tree.operation("score",
                       ffn.score == RouterScore::softmax ? OpKind::softmax : OpKind::activation,
                       n,
                       {.count = routerScoreCount(ffn.score, t, row),
                        .traffic = {.read = n, .written = n},
                        .saved = n});
    };
    if (ffn.scored == ScoredExperts::all) {
        addScores(experts);
    }
    Cost<N> select{.count = {.cmp = all, .move = chosen},
                   .traffic = {.read = all, .written = chosen},
                   .saved = chosen};
    if (ffn.correctionBias) {
        select.count.add = all;
        select.traffic.weights = experts;
        select.parameters = ParameterCount<N>::dense(experts);
    }
    tree.operation("select", OpKind::selection, chosen, select);
    if (ffn.scored == ScoredExperts::chosen) {
        addScores(perToken);
    }
    if (ffn.renormalises() || ffn.scales()) {
        Cost<N> weigh{.traffic = {.read = chosen, .written = chosen}};
        if (ffn.renormalises()) {
            weigh.count += {.add = t * (perToken - N(1)), .div = chosen};
            weigh.saved = chosen + t;
        }
        if (ffn.scales()) {
            weigh.count += {.mul = chosen};
        }
        tree.operation("weigh", OpKind::elementwise, chosen, weigh);
    }
}

} // namespace detail

/// router     mac T·d·E (+ T·E add)
/// score      routerScoreCount() of T rows of E, or of k
/// select     nominally T·E cmp (+ T·E add of the correction); T·k scores move
/// weigh      renormalised: T·(k−1) add, T·k div; scaled: T·k mul
/// dispatch   T·k·d elements gathered
/// experts    one expert's operations on T·k rows; parameters E, active k experts
/// combine    T·k·d mul, T·(k−1)·d add; T·k·d elements scattered
/// shared     one FFN of width E_s·f_s on T tokens, T·d add; gated: mac T·d, T sigmoids, T·d mul
/// Kept for the backward pass: scores, choice and weights, the gathered rows, what each expert
/// keeps and gives, and what the shared ones give if they are gated.
template <class N>
void addCost(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N perToken = pass.numbers("k", ffn.perToken);
    const N chosen = t * perToken;
    const N moved = chosen * d;
    detail::addRouting(ffn, pass, tree);
    tree.operation(
        "dispatch",
        OpKind::lookup,
        moved,
        {.count = {.move = moved}, .traffic = {.read = moved, .written = moved}, .saved = moved});
    detail::addRoutedExperts(ffn, pass, tree);
    tree.operation("combine",
                   OpKind::elementwise,
                   N(t * d),
                   {.count = {.mul = moved, .add = t * (perToken - N(1)) * d, .move = moved},
                    .traffic = {.read = moved + chosen, .written = t * d},
                    .saved = moved + chosen});
    if (ffn.sharedExperts > 0) {
        detail::addSharedExperts(ffn, pass, tree);
    }
}

} // namespace flopsmith
