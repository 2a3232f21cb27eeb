// SPDX-License-Identifier: MIT
#include "core/kernels/expert_balance.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/ffn/moe_routes.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"

namespace flopsmith::reference {
namespace {

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

// Turns gradients of the weights into those of the chosen scores, in place.
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

// Turns `dWeights` [k] of one token into the gradients of its logits [E]. With a softmax over all
// experts, experts that were not chosen have gradients too. `balance`: gradients [E] of the balance
// loss by the scores, or empty.
template <class S>
void routeBackward(const MoeFfn& ffn,
                   const TokenRoute<S>& route,
                   std::vector<S> dWeights,
                   std::span<const S> balance,
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
    for (std::size_t e = 0; e < balance.size(); ++e) {
        dLogits[e] += balance[e];
    }
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
        const Uncounted scope;
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
    // A row's gradient is w·dy, its weight's gradient dy·row.
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
                    const Uncounted scope;
                    from = gatheredRows<S>(rows, m_x, m_d);
                    forward<S>(expert, shape, own, from, out);
                }
                const std::vector<S> dOut = combineBackward(rows, out);
                backward<S>(expert, shape, own, from, dOut, dFrom, parts);
            },
            m_ffn.routedExpert());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            accumulate<S>(gradients[i], parts[i]);
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
        const std::vector<S> balance = balanceBackward();
        for (std::size_t t = 0; t < m_shape.tokens(); ++t) {
            routeBackward<S>(m_ffn,
                             m_routes[t],
                             m_dWeights[t],
                             balance,
                             std::span<S>(dLogits).subspan(t * experts, experts));
        }
        std::vector<S>* bias =
            m_tensors.routerBias == 0 ? nullptr : &gradients[m_tensors.routerBias];
        std::vector<S> dInput(dx.size());
        linearBackward<S>(m_shape.tokens(), m_x, m_weights[0], dLogits, dInput, gradients[0], bias);
        accumulate<S>(dx, dInput);
    }

    // The gradient of the balance loss by each expert's scores: the same for all tokens.
    std::vector<S> balanceBackward() const
    {
        ExpertBalance* balance = BalanceScope::current();
        if (balance == nullptr) {
            return {};
        }
        std::vector<std::int64_t> rows;
        for (int e = 0; e < m_ffn.experts; ++e) {
            rows.push_back(std::ssize(rowsOfExpert<S>(m_routes, e)));
        }
        balance->noteLoads(rows);
        if (!balance->balances(m_ffn)) {
            return {};
        }
        const S perRow = static_cast<S>(balance->gradientPerRow(m_ffn, std::ssize(m_routes)));
        std::vector<S> gradients;
        S loss{};
        for (std::size_t e = 0; e < rows.size(); ++e) {
            gradients.push_back(static_cast<S>(static_cast<double>(rows[e])) * perRow);
            S scores = m_routes[0].scores[e];
            for (std::size_t t = 1; t < m_routes.size(); ++t) {
                scores += m_routes[t].scores[e];
            }
            accumulate(loss, gradients[e] * scores, e == 0);
        }
        balance->loss += valueOf(loss);
        return gradients;
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
                        const Uncounted scope;
                        forward<S>(shared, m_shape, own, m_x, out);
                    }
                    throughSharedGate(out, dShared, dx, gradients[m_tensors.sharedGate]);
                }
                backward<S>(shared, m_shape, own, m_x, dShared, dInput, ownGradients);
            },
            m_ffn.sharedFfn());
        accumulate<S>(dx, dInput);
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
            const Uncounted scope;
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
        accumulate<S>(dx, dInput);
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

// The choice of experts has no derivative: gradients follow the tokens. An expert without tokens
// and the correction bias have gradients of zero.
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

FLOPSMITH_INSTANTIATE_FFN_BACKWARD(MoeFfn)

} // namespace flopsmith::reference
