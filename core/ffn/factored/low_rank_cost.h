// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/ffn/factored/low_rank.h"
#include "core/layer/activation_cost.h"
#include "core/layer/linear_cost.h"

#include <string_view>

namespace flopsmith {

/// mac 2·T·r·(d + f); parameters 2r·(d + f) (+ f + d). Saved for the backward pass: the input of
/// each product except the first, and of the activation.
template <class N>
void addCost(const LowRankFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N f = pass.numbers("f", ffn.dFf);
    const N r = pass.numbers("r", ffn.rank);
    const Bias bias = biasIf(ffn.bias);
    const auto product = [&](std::string_view name, const N& in, const N& out, Bias b, bool keeps) {
        Cost<N> cost = linearCost(t, in, out, b);
        cost.saved = keeps ? N(t * in) : N(0);
        tree.operation(name, OpKind::linear, N(t * out), cost);
    };
    product("c_fc_u", d, r, Bias::absent, false);
    product("c_fc_v", r, f, bias, true);
    if (ffn.activation != Activation::none) {
        const N n = t * f;
        tree.operation("activation", OpKind::activation, n, activationCost(ffn.activation, n));
    }
    product("c_proj_u", f, r, Bias::absent, true);
    product("c_proj_v", r, d, bias, true);
}

/// mac 4·T·r·(d + f): two products for each of the forward pass, then the activation's derivative.
template <class N>
void addBackwardCost(const LowRankFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N f = pass.numbers("f", ffn.dFf);
    const N r = pass.numbers("r", ffn.rank);
    const Bias bias = biasIf(ffn.bias);
    const auto product = [&](std::string_view name, const N& in, const N& out, Bias b) {
        tree.operation(name, OpKind::linear, N(t * in), linearBackwardCost(t, in, out, b));
    };
    product("c_fc_u", d, r, Bias::absent);
    product("c_fc_v", r, f, bias);
    if (ffn.activation != Activation::none) {
        const N n = t * f;
        tree.operation(
            "activation", OpKind::activation, n, activationBackwardCost(ffn.activation, n));
    }
    product("c_proj_u", f, r, Bias::absent);
    product("c_proj_v", r, d, bias);
}

} // namespace flopsmith
