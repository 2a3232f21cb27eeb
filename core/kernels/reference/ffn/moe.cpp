// SPDX-License-Identifier: MIT
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/ffn/moe_routes.h"
#include "core/kernels/reference/instantiate.h"

namespace flopsmith::reference {
namespace {

// Runs each expert on the rows of its tokens; y is the weighted sum. Experts come in ascending
// order, so that a token's sum does not depend on other tokens.
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

FLOPSMITH_INSTANTIATE_FFN(MoeFfn)

} // namespace flopsmith::reference
