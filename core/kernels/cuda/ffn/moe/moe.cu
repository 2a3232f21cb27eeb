// SPDX-License-Identifier: MIT
#include "core/ffn/moe.h"

#include "core/kernels/cuda/block/activation.cuh"
#include "core/kernels/cuda/ffn/moe/routes.h"
#include "core/kernels/cuda/plan/elements.cuh"
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
    Tensor* const hidden = gated(plan, ffn.activation, {.gate = first, .up = up}, ffn.activeGate());
    return apply(2, hidden, in.x->columns);
}

// y + σ(g)·shared, a gate per token.
Tensor* withGated(Plan& plan, Tensor* y, Tensor* shared, Tensor* gates)
{
    Tensor* const sum = plan.tensor(y->rows, y->columns);
    const Index d = y->columns;
    const Matrix routed = valuesOf(y);
    const Matrix from = valuesOf(shared);
    const Matrix dy = gradientOf(sum);
    const float* const g = gates->values;
    fill(plan, sum, [=] __device__(Index token, Index column) {
        return routed(token, column) + sigmoid(g[token]) * from(token, column);
    });
    addGradient(plan, y, [=] __device__(Index token, Index column) { return dy(token, column); });
    addGradient(plan, shared, [=] __device__(Index token, Index column) {
        return sigmoid(g[token]) * dy(token, column);
    });
    sumRowsIntoGradient(plan, gates, d, [=] __device__(Index token, Index column) {
        const float open = sigmoid(g[token]);
        return dy(token, column) * from(token, column) * open * (1.0F - open);
    });
    return sum;
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
    return withGated(plan, y, shared, gates);
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
