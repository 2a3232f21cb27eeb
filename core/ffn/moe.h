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

/// What a group of experts is worth when only some groups may be chosen from.
enum class GroupScore {
    best, ///< that of its best expert (DeepSeek-V2's group_limited_greedy)
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
    int groupsPerToken = 1; ///< that a token may choose from; G: no limit
    GroupScore groupScore = GroupScore::twoBest;
    int sharedExperts = 0; ///< E_s
    int sharedDFf = 2048; ///< f_s
    bool sharedGate = false;
    double skew = 0.0; ///< of routing when measured, see WeightShape::columnDecay; costs nothing

    bool operator==(const MoeFfn&) const = default;

    /// Whether a sum of scores is divided by; a softmax over the chosen sums to 1 by itself.
    bool renormalises() const;
    bool scales() const { return scale != 1.0; }
    bool limitsGroups() const { return groupsPerToken < groups; }
    int groupSize() const { return experts / groups; }
    int candidates() const { return limitsGroups() ? groupsPerToken * groupSize() : experts; }

    /// Whether the score of a group is a sum: that of a single expert has but one term.
    bool sumsGroups() const { return groupScore == GroupScore::twoBest && groupSize() > 1; }

    /// Whether what is chosen by are the scores and not the logits, which have the same order unless
    /// something is added to them.
    bool choosesByScore() const
    {
        return scored == ScoredExperts::all && (correctionBias || (limitsGroups() && sumsGroups()));
    }

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

/// Backward of routerScoreCount(): p is kept, g is its gradient.
///   softmax   p_i·(g_i − Σ g·p): per row mac row, dot 1; each 1 mul, 1 add
///   sigmoid   g·p·(1 − p): each 2 mul, 1 add
template <class N>
OpCount<N> routerScoreBackwardCount(RouterScore score, const N& rows, const N& row)
{
    const N n = rows * row;
    if (score == RouterScore::sigmoid) {
        return {.mul = N(2) * n, .add = n};
    }
    return {.mac = n, .dot = rows, .mul = n, .add = n};
}

/// The sizes of a mixture of experts in formulas.
template <class N>
struct MoeSizes
{
    N t; ///< T
    N d;
    N experts; ///< E
    N perToken; ///< k
    N all; ///< T·E logits
    N chosen; ///< T·k rows that go to experts
    N moved; ///< T·k·d elements of those rows
    N touched; ///< experts whose weights are read: all, or T·k if that is less

    MoeSizes(const MoeFfn& ffn, const Pass<N>& pass)
        : t(pass.tokens())
        , d(pass.dModel)
        , experts(pass.numbers("E", ffn.experts))
        , perToken(pass.numbers("k", ffn.perToken))
        , all(t * experts)
        , chosen(t * perToken)
        , moved(chosen * d)
        , touched(chosen)
    {
        const std::int64_t tokens = std::int64_t{pass.batchValue} * pass.sequenceValue;
        if (ffn.touchedExperts(tokens) == ffn.experts) {
            touched = experts;
        }
    }

    /// Scores of a token: of all experts, or of the chosen.
    const N& row(const MoeFfn& ffn) const
    {
        return ffn.scored == ScoredExperts::all ? experts : perToken;
    }
};

namespace detail {

inline OpKind scoreKind(RouterScore score)
{
    return score == RouterScore::softmax ? OpKind::softmax : OpKind::activation;
}

/// Calls each(operation) for every operation that add(expert, pass of T·k rows, tree) gives one
/// routed expert.
template <class N, class Add, class Each>
void forExpert(const MoeFfn& ffn, const Pass<N>& pass, const Add& add, const Each& each)
{
    Pass<N> rows = pass;
    rows.batch = pass.batch * pass.numbers("k", ffn.perToken);
    rows.batchValue = pass.batchValue * ffn.perToken;
    CostTree<N> one;
    {
        const auto group = one.group("expert", *MoeFfn::info().component);
        std::visit([&](const auto& expert) { add(expert, rows, one); }, ffn.routedExpert());
    }
    one.forEachOperation(0, [&](const auto& operation, const N& /*times*/) { each(operation); });
}

/// The operations of an expert on T·k rows, with the parameters of E experts.
template <class N>
void addRoutedExperts(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    const auto group = tree.group("experts", *MoeFfn::info().component);
    forExpert(
        ffn,
        pass,
        [](const auto& expert, const Pass<N>& rows, CostTree<N>& one) {
            addCost(expert, rows, one);
        },
        [&](const auto& operation) {
            Cost<N> cost = operation.cost;
            cost.traffic.weights = sizes.touched * cost.traffic.weights;
            cost.parameters = {.trainable = sizes.experts * operation.cost.parameters.trainable,
                               .active = sizes.perToken * operation.cost.parameters.active};
            tree.operation(operation.name, operation.kind, operation.elements, cost);
        });
}

/// How many tokens an expert gets is not known, and some may get none: its gradients start at 0
/// and every token is added. So a gradient of in·out elements saves no addition (no dot), and one
/// of a bias takes T·k·out.
template <class N>
void addRoutedExpertsBackward(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    const auto group = tree.group("experts", *MoeFfn::info().component);
    forExpert(
        ffn,
        pass,
        [](const auto& expert, const Pass<N>& rows, CostTree<N>& one) {
            addBackwardCost(expert, rows, one);
        },
        [&](const auto& operation) {
            Cost<N> cost = operation.cost;
            const N matrix = cost.traffic.weights;
            const N bias = cost.traffic.gradients - matrix;
            cost.count.dot = cost.count.dot - matrix;
            cost.count.add = cost.count.add + bias;
            cost.traffic.weights = sizes.touched * matrix;
            cost.traffic.gradients = sizes.touched * (matrix + bias);
            tree.operation(operation.name, operation.kind, operation.elements, cost);
        });
}

/// Adds n elements to n others.
template <class N>
Cost<N> sumCost(const N& n)
{
    return {.count = {.add = n}, .traffic = {.read = N(2) * n, .written = n}};
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
    tree.operation("sum", OpKind::elementwise, n, sumCost(n));
}

template <class N>
void addSharedExpertsBackward(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N n = t * pass.dModel;
    const auto group = tree.group("shared", *MoeFfn::info().component);
    std::visit([&](const auto& shared) { addBackwardCost(shared, pass, tree); }, ffn.sharedFfn());
    if (ffn.hasSharedGate()) {
        Cost<N> gate = linearBackwardCost(t, pass.dModel, N(1), Bias::absent);
        gate += sumCost(n);
        tree.operation("shared_gate", OpKind::linear, n, gate);
        tree.operation("open",
                       OpKind::elementwise,
                       N(n + t),
                       {.count = {.mac = n, .dot = t, .mul = n + N(2) * t, .add = t},
                        .traffic = {.read = N(3) * n + t, .written = n + t}});
    }
    tree.operation("sum", OpKind::elementwise, n, sumCost(n));
}

/// Correction, choice of the groups, choice of the experts.
template <class N>
void addChoice(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    const N candidates = ffn.limitsGroups()
        ? N(sizes.t * pass.numbers("E_c", ffn.candidates(), "E*g_k/g"))
        : sizes.all;
    if (ffn.limitsGroups()) {
        const N groups = sizes.t * pass.numbers("g", ffn.groups);
        const N kept = sizes.t * pass.numbers("g_k", ffn.groupsPerToken);
        tree.operation(
            "select_groups",
            OpKind::selection,
            kept,
            {.count = {.add = ffn.sumsGroups() ? groups : N(0), .cmp = sizes.all + groups},
             .traffic = {.read = sizes.all, .written = kept}});
    }
    Cost<N> select{.count = {.cmp = candidates, .move = sizes.chosen},
                   .traffic = {.read = candidates, .written = sizes.chosen},
                   .saved = sizes.chosen};
    if (ffn.correctionBias) {
        select.count.add = sizes.all;
        select.traffic.weights = sizes.experts;
        select.parameters.fixed = sizes.experts;
    }
    tree.operation("select", OpKind::selection, sizes.chosen, select);
}

/// Logits, scores, choice and weights of every token.
template <class N>
void addRouting(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    tree.operation("router",
                   OpKind::linear,
                   sizes.all,
                   linearCost(sizes.t, sizes.d, sizes.experts, biasIf(ffn.routerBias)));
    const N n = sizes.t * sizes.row(ffn);
    const Cost<N> score{.count = routerScoreCount(ffn.score, sizes.t, sizes.row(ffn)),
                        .traffic = {.read = n, .written = n},
                        .saved = n};
    if (ffn.scored == ScoredExperts::all) {
        tree.operation("score", scoreKind(ffn.score), n, score);
    }
    addChoice(ffn, pass, tree);
    if (ffn.scored == ScoredExperts::chosen) {
        tree.operation("score", scoreKind(ffn.score), n, score);
    }
    if (ffn.renormalises() || ffn.scales()) {
        Cost<N> weigh{.traffic = {.read = sizes.chosen, .written = sizes.chosen}};
        if (ffn.renormalises()) {
            weigh.count += {.add = sizes.t * (sizes.perToken - N(1)), .div = sizes.chosen};
            weigh.saved = sizes.chosen + sizes.t;
        }
        if (ffn.scales()) {
            weigh.count += {.mul = sizes.chosen};
        }
        tree.operation("weigh", OpKind::elementwise, sizes.chosen, weigh);
    }
}

/// From the gradients of the chosen weights to that of x through the router.
template <class N>
void addRoutingBackward(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    const N n = sizes.t * sizes.d;
    Cost<N> router = linearBackwardCost(sizes.t, sizes.d, sizes.experts, biasIf(ffn.routerBias));
    router += sumCost(n);
    tree.operation("router", OpKind::linear, n, router);

    const N scores = sizes.t * sizes.row(ffn);
    tree.operation("score",
                   scoreKind(ffn.score),
                   scores,
                   {.count = routerScoreBackwardCount(ffn.score, sizes.t, sizes.row(ffn)),
                    .traffic = {.read = N(2) * scores, .written = scores}});
    tree.operation(
        "select",
        OpKind::selection,
        sizes.all,
        {.count = {.move = sizes.chosen}, .traffic = {.read = sizes.chosen, .written = sizes.all}});
    if (ffn.renormalises() || ffn.scales()) {
        Cost<N> weigh{.traffic = {.read = sizes.chosen, .written = sizes.chosen}};
        if (ffn.renormalises()) {
            weigh += {.count = {.mac = sizes.chosen,
                                .dot = sizes.t,
                                .add = sizes.chosen,
                                .div = sizes.chosen},
                      .traffic = {.read = sizes.chosen + sizes.t}};
        }
        if (ffn.scales()) {
            weigh.count.mul = sizes.chosen;
        }
        tree.operation("weigh", OpKind::elementwise, sizes.chosen, weigh);
    }
}

} // namespace detail

/// router         mac T·d·E (+ T·E add)
/// score          routerScoreCount() of T rows of E, or of k
/// select_groups  if limited: nominally T·E cmp to find the best of the groups, T·G add for sums of
///                two, nominally T·G cmp to choose the groups
/// select         nominally T·E cmp, if limited T·(experts in the chosen groups); T·k scores move;
///                with a correction T·E add, and E parameters that are fixed: gradients do not
///                train it
/// weigh          renormalised: T·(k−1) add, T·k div; scaled: T·k mul
/// dispatch       T·k·d elements gathered
/// experts        one expert's operations on T·k rows; parameters E, active k experts
/// combine        T·k·d mul, T·(k−1)·d add; T·k·d elements scattered
/// shared         one FFN of width E_s·f_s on T tokens, T·d add; gated: mac T·d, T sigmoids, T·d mul
/// Kept for the backward pass: scores, choice and weights, the gathered rows, what each expert
/// keeps and gives, and what the shared ones give if they are gated.
template <class N>
void addCost(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    const N n = sizes.t * sizes.d;
    detail::addRouting(ffn, pass, tree);
    tree.operation("dispatch",
                   OpKind::lookup,
                   sizes.moved,
                   {.count = {.move = sizes.moved},
                    .traffic = {.read = sizes.moved, .written = sizes.moved},
                    .saved = sizes.moved});
    detail::addRoutedExperts(ffn, pass, tree);
    tree.operation("combine",
                   OpKind::elementwise,
                   n,
                   {.count = {.mul = sizes.moved,
                              .add = sizes.t * (sizes.perToken - N(1)) * sizes.d,
                              .move = sizes.moved},
                    .traffic = {.read = sizes.moved + sizes.chosen, .written = n},
                    .saved = sizes.moved + sizes.chosen});
    if (ffn.sharedExperts > 0) {
        detail::addSharedExperts(ffn, pass, tree);
    }
}

/// Gradients go where the forward pass sent the tokens, through the chosen experts, their weights,
/// and the scores to the router; the choice itself has no derivative, and so the correction no
/// gradient.
/// combine    T·k·d elements of dy gathered; T·k·d mul; the weights' gradients are T·k dot products
///            with what the experts gave: mac T·k·d
/// experts    as one expert's backward on T·k rows, see addRoutedExpertsBackward()
/// dispatch   T·(k−1)·d add; T·k·d elements scattered
/// weigh      renormalised: mac T·k, dot T, T·k add, T·k div; scaled: T·k mul
/// select     T·k gradients scattered into zeros
/// score      routerScoreBackwardCount() of T rows of E, or of k
/// router     mac 2·T·d·E; T·d add, as for every other way that leads to x
/// shared     its FFN's backward; T·d add; gated: mac 3·T·d, (T·d + 2T) mul, (T·d + T) add
template <class N>
void addBackwardCost(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    const N n = sizes.t * sizes.d;
    detail::addRoutingBackward(ffn, pass, tree);
    tree.operation(
        "dispatch",
        OpKind::lookup,
        n,
        {.count = {.add = sizes.t * (sizes.perToken - N(1)) * sizes.d, .move = sizes.moved},
         .traffic = {.read = sizes.moved, .written = n}});
    detail::addRoutedExpertsBackward(ffn, pass, tree);
    tree.operation("combine",
                   OpKind::elementwise,
                   N(sizes.moved + sizes.chosen),
                   {.count = {.mac = sizes.moved,
                              .dot = sizes.chosen,
                              .mul = sizes.moved,
                              .move = sizes.moved},
                    .traffic = {.read = N(2) * sizes.moved + sizes.chosen,
                                .written = sizes.moved + sizes.chosen}});
    if (ffn.sharedExperts > 0) {
        detail::addSharedExpertsBackward(ffn, pass, tree);
    }
}

} // namespace flopsmith
