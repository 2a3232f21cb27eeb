// SPDX-License-Identifier: MIT
#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/selection.h"
#include "core/kernels/reference/softmax.h"

#include <algorithm>
#include <numeric>

namespace flopsmith::reference {
namespace {

// Which experts each token is sent to, and with which weights.

template <class S>
struct TokenRoute
{
    std::vector<int> experts; ///< the k chosen ones, ascending
    std::vector<S> weights; ///< of their outputs
    std::vector<S> scores; ///< of all experts, or of the chosen
    std::vector<S> shares; ///< the weights before they are scaled
    S sum{}; ///< of the chosen scores, if renormalised
};

// A token that an expert is chosen for, and at which place among the token's experts it stands.
struct ExpertRow
{
    std::size_t token;
    std::size_t place;
};

// `tokens` rows by themselves.
Shape tokensOnly(std::size_t tokens, int dModel)
{
    const auto n = static_cast<int>(tokens);
    return {.batch = 1, .sequence = n, .context = n, .dModel = dModel};
}

// Scores in place: σ of each, or softmax of the row.
template <class S>
void scoreRow(RouterScore score, std::span<S> row)
{
    if (score == RouterScore::softmax) {
        softmax<S>(row);
        return;
    }
    for (S& value : row) {
        value = sigmoid(value);
    }
}

// The experts of the groups that are worth most; nominally one comparison for each expert to find
// the best of its group, and one for each group.
template <class S>
std::vector<int> expertsOfBestGroups(const MoeFfn& ffn, std::span<const S> values)
{
    const auto size = static_cast<std::size_t>(ffn.groupSize());
    std::vector<double> worth;
    for (std::size_t first = 0; first < values.size(); first += size) {
        std::vector<double> members;
        for (const S& value : values.subspan(first, size)) {
            members.push_back(valueOf(value));
        }
        const std::vector<int> best = largest(members, ffn.sumsGroups() ? 2 : 1);
        S sum = values[first + static_cast<std::size_t>(best.front())];
        if (ffn.sumsGroups()) {
            sum += values[first + static_cast<std::size_t>(best.back())];
        }
        worth.push_back(valueOf(sum));
    }
    noteSelection<S>(values.size() + worth.size());
    std::vector<int> experts;
    for (const int group : largest(worth, ffn.groupsPerToken)) {
        for (int e = group * ffn.groupSize(); e < (group + 1) * ffn.groupSize(); ++e) {
            experts.push_back(e);
        }
    }
    return experts;
}

// The k experts of largest value (+ correction), ascending; nominally one comparison for each
// that may be chosen.
template <class S>
std::vector<int> chosenExperts(const MoeFfn& ffn,
                               std::span<const S> scores,
                               const std::vector<S>* correction)
{
    std::vector<S> values(scores.begin(), scores.end());
    for (std::size_t e = 0; correction != nullptr && e < values.size(); ++e) {
        values[e] += (*correction)[e];
    }
    std::vector<int> candidates(values.size());
    std::iota(candidates.begin(), candidates.end(), 0);
    if (ffn.limitsGroups()) {
        candidates = expertsOfBestGroups<S>(ffn, values);
    }
    std::vector<double> ranked;
    for (const int e : candidates) {
        ranked.push_back(valueOf(values[static_cast<std::size_t>(e)]));
    }
    noteSelection<S>(candidates.size());
    std::vector<int> chosen;
    for (const int place : largest(ranked, ffn.perToken)) {
        chosen.push_back(candidates[static_cast<std::size_t>(place)]);
    }
    return chosen;
}

// weights = the chosen scores, renormalised and scaled.
template <class S>
void weigh(const MoeFfn& ffn, TokenRoute<S>& route)
{
    if (ffn.renormalises()) {
        route.sum = route.weights[0];
        for (std::size_t j = 1; j < route.weights.size(); ++j) {
            route.sum += route.weights[j];
        }
        for (S& weight : route.weights) {
            weight = weight / route.sum;
        }
    }
    route.shares = route.weights;
    for (S& weight : route.weights) {
        if (ffn.scales()) {
            weight *= S(ffn.scale);
        }
    }
}

// Unless something is added to the scores the choice is by the logits, which order as their scores
// do and stay apart where those are rounded to the same value.
template <class S>
TokenRoute<S> routeOf(const MoeFfn& ffn, std::span<S> logits, const std::vector<S>* correction)
{
    TokenRoute<S> route;
    const bool scoresAll = ffn.scored == ScoredExperts::all;
    if (!ffn.choosesByScore()) {
        route.experts = chosenExperts<S>(ffn, logits, correction);
    }
    if (scoresAll) {
        scoreRow(ffn.score, logits);
    }
    if (ffn.choosesByScore()) {
        route.experts = chosenExperts<S>(ffn, logits, correction);
    }
    noteMoves<S>(route.experts.size());
    for (const int e : route.experts) {
        route.weights.push_back(logits[static_cast<std::size_t>(e)]);
    }
    if (!scoresAll) {
        scoreRow<S>(ffn.score, route.weights);
    }
    route.scores = scoresAll ? std::vector<S>(logits.begin(), logits.end()) : route.weights;
    weigh(ffn, route);
    return route;
}

// The routes of all tokens.
template <class S>
std::vector<TokenRoute<S>> routesOf(const MoeFfn& ffn,
                                    const Shape& shape,
                                    WeightView<S> weights,
                                    std::span<const S> x)
{
    const auto experts = static_cast<std::size_t>(ffn.experts);
    const MoeTensors tensors(ffn, shape.dModel);
    const auto optional = [&](std::size_t tensor) {
        return tensor == 0 ? nullptr : &weights[tensor];
    };
    std::vector<S> logits(shape.tokens() * experts);
    linear<S>(shape.tokens(), x, weights[0], optional(tensors.routerBias), logits);
    std::vector<TokenRoute<S>> routes;
    for (std::size_t t = 0; t < shape.tokens(); ++t) {
        routes.push_back(routeOf<S>(ffn,
                                    std::span<S>(logits).subspan(t * experts, experts),
                                    optional(tensors.correctionBias)));
    }
    return routes;
}

// The tokens that are sent to an expert, in order.
template <class S>
std::vector<ExpertRow> rowsOfExpert(const std::vector<TokenRoute<S>>& routes, int expert)
{
    std::vector<ExpertRow> rows;
    for (std::size_t t = 0; t < routes.size(); ++t) {
        const std::vector<int>& chosen = routes[t].experts;
        for (std::size_t place = 0; place < chosen.size(); ++place) {
            if (chosen[place] == expert) {
                rows.push_back({t, place});
            }
        }
    }
    return rows;
}

// Rows of width d of the named tokens, one after the other.
template <class S>
std::vector<S> gatheredRows(const std::vector<ExpertRow>& rows, std::span<const S> x, std::size_t d)
{
    std::vector<S> gathered;
    gathered.reserve(rows.size() * d);
    for (const ExpertRow& row : rows) {
        const auto from = x.subspan(row.token * d, d);
        gathered.insert(gathered.end(), from.begin(), from.end());
    }
    noteMoves<S>(gathered.size());
    return gathered;
}

// The forward pass.

// Each expert on the rows of its tokens; y adds them up, weighted. Experts come in ascending order,
// so that a token's sum does not depend on the tokens beside it.
template <class S>
void addExperts(const MoeFfn& ffn,
                const Shape& shape,
                WeightView<S> weights,
                const std::vector<TokenRoute<S>>& routes,
                std::span<const S> x,
                std::span<S> y)
{
    const auto d = static_cast<std::size_t>(shape.dModel);
    const MoeTensors tensors(ffn, shape.dModel);
    std::vector<bool> begun(shape.tokens(), false);
    for (int e = 0; e < ffn.experts; ++e) {
        const std::vector<ExpertRow> rows = rowsOfExpert<S>(routes, e);
        if (rows.empty()) {
            continue;
        }
        const std::vector<S> from = gatheredRows<S>(rows, x, d);
        std::vector<S> to(from.size());
        std::visit(
            [&](const auto& expert) {
                forward<S>(expert,
                           tokensOnly(rows.size(), shape.dModel),
                           weights.subspan(tensors.expert(e), tensors.perExpert),
                           from,
                           to);
            },
            ffn.routedExpert());
        noteMoves<S>(to.size());
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const std::size_t t = rows[r].token;
            const S weight = routes[t].weights[rows[r].place];
            for (std::size_t j = 0; j < d; ++j) {
                const S term = weight * to[r * d + j];
                y[t * d + j] = begun[t] ? y[t * d + j] + term : term;
            }
            begun[t] = true;
        }
    }
}

template <class S>
void addShared(const MoeFfn& ffn,
               const Shape& shape,
               WeightView<S> weights,
               std::span<const S> x,
               std::span<S> y)
{
    const MoeTensors tensors(ffn, shape.dModel);
    std::vector<S> shared(y.size());
    std::visit(
        [&](const auto& plain) {
            forward<S>(plain, shape, weights.subspan(tensors.shared), x, shared);
        },
        ffn.sharedFfn());
    if (ffn.hasSharedGate()) {
        const auto d = static_cast<std::size_t>(shape.dModel);
        std::vector<S> gates(shape.tokens());
        linear<S>(shape.tokens(), x, weights[tensors.sharedGate], nullptr, gates);
        for (S& gate : gates) {
            gate = sigmoid(gate);
        }
        for (std::size_t i = 0; i < shared.size(); ++i) {
            shared[i] *= gates[i / d];
        }
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
        y[i] += shared[i];
    }
}

// The backward pass.

template <class S>
void add(std::span<const S> terms, std::span<S> sums)
{
    for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += terms[i];
    }
}

// p·(g − Σ g·p) of a row, or g·p·(1 − p) of each; in place of g.
template <class S>
void scoreBackward(RouterScore score, std::span<const S> p, std::span<S> g)
{
    if (score == RouterScore::softmax) {
        const S mean = dot<S>(g, p);
        for (std::size_t i = 0; i < g.size(); ++i) {
            g[i] = p[i] * (g[i] - mean);
        }
        return;
    }
    for (std::size_t i = 0; i < g.size(); ++i) {
        g[i] = g[i] * p[i] * (S(1) - p[i]);
    }
}

// From the gradients of the weights to those of the chosen scores, in place.
template <class S>
void weighBackward(const MoeFfn& ffn, const TokenRoute<S>& route, std::span<S> g)
{
    for (S& value : g) {
        if (ffn.scales()) {
            value *= S(ffn.scale);
        }
    }
    if (ffn.renormalises()) {
        const S mean = dot<S>(g, route.shares);
        for (S& value : g) {
            value = (value - mean) / route.sum;
        }
    }
}

// Of one token: `dWeights` [k] to the gradients of the logits [E]. Experts that were not chosen
// have a part in a softmax over all.
template <class S>
void routeBackward(const MoeFfn& ffn,
                   const TokenRoute<S>& route,
                   std::vector<S> dWeights,
                   std::span<S> dLogits)
{
    const bool scoredAll = ffn.scored == ScoredExperts::all;
    weighBackward<S>(ffn, route, dWeights);
    if (!scoredAll) {
        scoreBackward<S>(ffn.score, route.scores, dWeights);
    }
    std::fill(dLogits.begin(), dLogits.end(), S(0));
    for (std::size_t j = 0; j < dWeights.size(); ++j) {
        dLogits[static_cast<std::size_t>(route.experts[j])] = dWeights[j];
    }
    noteMoves<S>(dWeights.size());
    if (scoredAll) {
        scoreBackward<S>(ffn.score, route.scores, dLogits);
    }
}

template <class S>
class MoeBackward
{
public:
    MoeBackward(const MoeFfn& ffn,
                const Shape& shape,
                WeightView<S> weights,
                std::span<const S> x,
                std::span<const S> dy)
        : m_ffn(ffn)
        , m_shape(shape)
        , m_tensors(ffn, shape.dModel)
        , m_d(static_cast<std::size_t>(shape.dModel))
        , m_weights(weights)
        , m_x(x)
        , m_dy(dy)
        , m_dWeights(shape.tokens(), std::vector<S>(static_cast<std::size_t>(ffn.perToken)))
    {
        const Uncounted kept;
        m_routes = routesOf<S>(ffn, shape, weights, x);
    }

    void run(std::span<S> dx, GradientView<S> gradients)
    {
        for (std::vector<S>& gradient : gradients) {
            std::fill(gradient.begin(), gradient.end(), S(0));
        }
        std::vector<bool> begun(m_shape.tokens(), false);
        for (int e = 0; e < m_ffn.experts; ++e) {
            throughExpert(
                e, dx, begun, gradients.subspan(m_tensors.expert(e), m_tensors.perExpert));
        }
        throughRouter(dx, gradients);
        if (m_ffn.sharedExperts > 0) {
            throughShared(dx, gradients);
        }
    }

private:
    // A row's gradient is w·dy, that of its weight dy·row.
    std::vector<S> combineBackward(const std::vector<ExpertRow>& rows, std::span<const S> out)
    {
        std::vector<S> dOut = gatheredRows<S>(rows, m_dy, m_d);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const auto row = std::span<S>(dOut).subspan(r * m_d, m_d);
            const auto [token, place] = rows[r];
            m_dWeights[token][place] = dot<S>(row, out.subspan(r * m_d, m_d));
            for (S& value : row) {
                value = m_routes[token].weights[place] * value;
            }
        }
        return dOut;
    }

    void throughExpert(int e, std::span<S> dx, std::vector<bool>& begun, GradientView<S> gradients)
    {
        const std::vector<ExpertRow> rows = rowsOfExpert<S>(m_routes, e);
        if (rows.empty()) {
            return;
        }
        const auto own = m_weights.subspan(m_tensors.expert(e), m_tensors.perExpert);
        const Shape shape = tokensOnly(rows.size(), m_shape.dModel);
        std::vector<S> from;
        std::vector<S> out(rows.size() * m_d);
        std::vector<S> dFrom(out.size());
        Weights<S> parts(gradients.begin(), gradients.end());
        std::visit(
            [&](const auto& expert) {
                {
                    const Uncounted kept;
                    from = gatheredRows<S>(rows, m_x, m_d);
                    forward<S>(expert, shape, own, from, out);
                }
                const std::vector<S> dOut = combineBackward(rows, out);
                backward<S>(expert, shape, own, from, dOut, dFrom, parts);
            },
            m_ffn.routedExpert());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            add<S>(parts[i], gradients[i]);
        }
        dispatchBackward(rows, dFrom, dx, begun);
    }

    void dispatchBackward(const std::vector<ExpertRow>& rows,
                          std::span<const S> dFrom,
                          std::span<S> dx,
                          std::vector<bool>& begun) const
    {
        noteMoves<S>(dFrom.size());
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const std::size_t t = rows[r].token;
            for (std::size_t j = 0; j < m_d; ++j) {
                const S term = dFrom[r * m_d + j];
                dx[t * m_d + j] = begun[t] ? dx[t * m_d + j] + term : term;
            }
            begun[t] = true;
        }
    }

    void throughRouter(std::span<S> dx, GradientView<S> gradients) const
    {
        const auto experts = static_cast<std::size_t>(m_ffn.experts);
        std::vector<S> dLogits(m_shape.tokens() * experts);
        for (std::size_t t = 0; t < m_shape.tokens(); ++t) {
            routeBackward<S>(m_ffn,
                             m_routes[t],
                             m_dWeights[t],
                             std::span<S>(dLogits).subspan(t * experts, experts));
        }
        std::vector<S>* bias =
            m_tensors.routerBias == 0 ? nullptr : &gradients[m_tensors.routerBias];
        std::vector<S> dInput(dx.size());
        linearBackward<S>(m_shape.tokens(), m_x, m_weights[0], dLogits, dInput, gradients[0], bias);
        add<S>(dInput, dx);
    }

    void throughShared(std::span<S> dx, GradientView<S> gradients) const
    {
        const auto own = m_weights.subspan(m_tensors.shared);
        const auto ownGradients = gradients.subspan(m_tensors.shared);
        std::vector<S> dShared(m_dy.begin(), m_dy.end());
        std::vector<S> dInput(dx.size());
        std::visit(
            [&](const auto& shared) {
                if (m_ffn.hasSharedGate()) {
                    std::vector<S> out(dx.size());
                    {
                        const Uncounted kept;
                        forward<S>(shared, m_shape, own, m_x, out);
                    }
                    throughSharedGate(out, dShared, dx, gradients[m_tensors.sharedGate]);
                }
                backward<S>(shared, m_shape, own, m_x, dShared, dInput, ownGradients);
            },
            m_ffn.sharedFfn());
        add<S>(dInput, dx);
    }

    // dShared ← σ·dy, and the gate's own gradients.
    void throughSharedGate(std::span<const S> out,
                           std::span<S> dShared,
                           std::span<S> dx,
                           std::vector<S>& gradient) const
    {
        const std::vector<S>& weight = m_weights[m_tensors.sharedGate];
        std::vector<S> gates(m_shape.tokens());
        {
            const Uncounted kept;
            linear<S>(gates.size(), m_x, weight, nullptr, gates);
            scoreRow<S>(RouterScore::sigmoid, gates);
        }
        std::vector<S> dGates(gates.size());
        for (std::size_t t = 0; t < gates.size(); ++t) {
            dGates[t] = dot<S>(m_dy.subspan(t * m_d, m_d), out.subspan(t * m_d, m_d));
            for (S& value : dShared.subspan(t * m_d, m_d)) {
                value *= gates[t];
            }
        }
        scoreBackward<S>(RouterScore::sigmoid, gates, dGates);
        std::vector<S> dInput(dx.size());
        linearBackward<S>(gates.size(), m_x, weight, dGates, dInput, gradient, nullptr);
        add<S>(dInput, dx);
    }

    const MoeFfn& m_ffn;
    const Shape& m_shape;
    MoeTensors m_tensors;
    std::size_t m_d;
    WeightView<S> m_weights;
    std::span<const S> m_x;
    std::span<const S> m_dy;
    std::vector<TokenRoute<S>> m_routes;
    std::vector<std::vector<S>> m_dWeights; ///< of each token's k weights
};

} // namespace

template <class S>
void forward(const MoeFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    addExperts<S>(ffn, shape, weights, routesOf<S>(ffn, shape, weights, x), x, y);
    if (ffn.sharedExperts > 0) {
        addShared(ffn, shape, weights, x, y);
    }
}

// The choice of experts has no derivative: gradients go where the tokens went. An expert without
// tokens and the correction bias have gradients of zero.
template <class S>
void backward(const MoeFfn& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    MoeBackward<S>(ffn, shape, weights, x, dy).run(dx, gradients);
}

FLOPSMITH_INSTANTIATE_FFN(MoeFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(MoeFfn)

} // namespace flopsmith::reference
