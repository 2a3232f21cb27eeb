// SPDX-License-Identifier: MIT
#include "core/ffn/moe.h"

#include "core/kernels/cuda/ffn/moe/routes.h"
#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

#include <variant>

namespace flopsmith::cuda {
namespace {

// The routed experts, each on the rows that were sent to it.
Tensor* expertsOf(Plan& plan, const MoeFfn& ffn, const FfnInput& in, const ExpertTiles& tiles)
{
    const MoeTensors at(ffn, in.dModel());
    const auto apply = [&](std::size_t which, Tensor* x, Index out) {
        std::vector<Tensor*> matrices;
        std::vector<Tensor*> biases;
        for (int e = 0; e < ffn.experts; ++e) {
            const std::size_t first = at.expert(e) + (ffn.bias ? 2 * which : which);
            matrices.push_back(in.weights[first]);
            if (ffn.bias) {
                biases.push_back(in.weights[first + 1]);
            }
        }
        return expertLinear(plan, tiles, x, out, matrices, biases);
    };
    Tensor* const rows = rowsOf(plan, tiles, in.x);
    Tensor* const first = apply(0, rows, ffn.dFf);
    if (ffn.expert == ExpertKind::dense) {
        return apply(1, activated(plan, ffn.activation, first), in.x->columns);
    }
    Tensor* const up = apply(1, rows, ffn.dFf);
    return apply(2, gated(plan, ffn.activation, first, up, ffn.activeGate()), in.x->columns);
}

// With the shared experts, which every token goes through.
Tensor* withShared(Plan& plan, const MoeFfn& ffn, const FfnInput& in, Tensor* y)
{
    const MoeTensors at(ffn, in.dModel());
    Tensor* const shared = std::visit(
        [&](const auto& plain) {
            return planFfn(plan, plain, {in.x, in.weights.subspan(at.shared), in.sequence});
        },
        ffn.sharedFfn());
    if (!ffn.hasSharedGate()) {
        return sumOf(plan, y, shared);
    }
    Tensor* const gates = plan.tensor(in.x->rows, 1);
    product(plan,
            {in.x->rows, in.x->columns, 1},
            {in.x, in.x->columns},
            {in.weights[at.sharedGate], 1},
            {gates, 1},
            {.exact = true});
    return weightedSum(plan, y, shared, sigmoids(plan, gates));
}

} // namespace

Tensor* planFfn(Plan& plan, const MoeFfn& ffn, const FfnInput& in)
{
    const Routes routes = routesOf(plan, ffn, in);
    const ExpertTiles tiles = sorted(plan, ffn, routes);
    Tensor* const y = combined(plan, tiles, expertsOf(plan, ffn, in, tiles), routes);
    return ffn.sharedExperts > 0 ? withShared(plan, ffn, in, y) : y;
}

} // namespace flopsmith::cuda
