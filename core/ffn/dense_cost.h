// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/ffn/dense.h"
#include "core/layer/activation_cost.h"
#include "core/layer/linear_cost.h"

namespace flopsmith {

/// mac 2·T·d·f; parameters 2df + f + d with biases. Saved for the backward pass: the input and the
/// output of the activation.
template <class N>
void addCost(const DenseFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N f = pass.numbers("f", ffn.dFf);
    const Bias bias = biasIf(ffn.bias);
    tree.operation("c_fc", OpKind::linear, N(t * f), linearCost(t, d, f, bias));
    if (ffn.activation != Activation::none) {
        const N n = t * f;
        tree.operation("activation", OpKind::activation, n, activationCost(ffn.activation, n));
    }
    Cost<N> down = linearCost(t, f, d, bias);
    down.saved = t * f;
    tree.operation("c_proj", OpKind::linear, N(t * d), down);
}

/// mac 4·T·d·f: two products for each of the forward pass, then the activation's derivative.
template <class N>
void addBackwardCost(const DenseFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N f = pass.numbers("f", ffn.dFf);
    const Bias bias = biasIf(ffn.bias);
    tree.operation("c_fc", OpKind::linear, N(t * d), linearBackwardCost(t, d, f, bias));
    if (ffn.activation != Activation::none) {
        const N n = t * f;
        tree.operation(
            "activation", OpKind::activation, n, activationBackwardCost(ffn.activation, n));
    }
    tree.operation("c_proj", OpKind::linear, N(t * f), linearBackwardCost(t, f, d, bias));
}

} // namespace flopsmith
