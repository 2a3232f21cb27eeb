// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/ffn/gated.h"
#include "core/layer/activation_cost.h"
#include "core/layer/linear_cost.h"

namespace flopsmith {

/// mac 3·T·d·f; T·f multiplications for the gate; parameters 3df (+ 2f + d). Kept for the backward
/// pass: the gate before and after its activation, x·Wu, and the product.
template <class N>
void addCost(const GatedFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N f = pass.numbers("f", ffn.dFf);
    const N n = t * f;
    const Bias bias = biasIf(ffn.bias);
    tree.operation("gate_proj", OpKind::linear, n, linearCost(t, d, f, bias));
    tree.operation("up_proj", OpKind::linear, n, linearCost(t, d, f, bias));
    if (ffn.activation != Activation::none) {
        tree.operation("activation", OpKind::activation, n, activationCost(ffn.activation, n));
    }
    tree.operation(
        "gate",
        OpKind::elementwise,
        n,
        {.count = {.mul = n}, .traffic = {.read = N(2) * n, .written = n}, .saved = N(2) * n});
    Cost<N> down = linearCost(t, f, d, bias);
    down.saved = n;
    tree.operation("down_proj", OpKind::linear, N(t * d), down);
}

/// mac 6·T·d·f. The gate passes its gradient to both factors (2·T·f mul); x gets the sum of both
/// products' gradients (T·d add, charged to up_proj).
template <class N>
void addBackwardCost(const GatedFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N f = pass.numbers("f", ffn.dFf);
    const N n = t * f;
    const N x = t * d;
    const Bias bias = biasIf(ffn.bias);
    tree.operation("gate_proj", OpKind::linear, x, linearBackwardCost(t, d, f, bias));
    Cost<N> up = linearBackwardCost(t, d, f, bias);
    up += {.count = {.add = x}, .traffic = {.read = N(2) * x, .written = x}};
    tree.operation("up_proj", OpKind::linear, x, up);
    if (ffn.activation != Activation::none) {
        tree.operation(
            "activation", OpKind::activation, n, activationBackwardCost(ffn.activation, n));
    }
    tree.operation(
        "gate",
        OpKind::elementwise,
        N(N(2) * n),
        {.count = {.mul = N(2) * n}, .traffic = {.read = N(3) * n, .written = N(2) * n}});
    tree.operation("down_proj", OpKind::linear, n, linearBackwardCost(t, f, d, bias));
}

} // namespace flopsmith
