// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/ffn/factored/monarch.h"
#include "core/layer/activation_cost.h"
#include "core/layer/linear_cost.h"

#include <string_view>

namespace flopsmith {

/// Sizes of a block-diagonal factor as formula numbers.
template <class N>
struct BlockFactorSizes
{
    std::string_view name; ///< of its operation
    N in;
    N out;
    N blockIn; ///< in/b: the terms of an output
};

/// T tokens through a block-diagonal factor:
///   mac T·out·in/b, dot T·out, add T·out if there is a bias; parameters out·in/b (+ out)
/// Strides decide which features a block reads and writes, at no cost.
template <class N>
Cost<N> blockFactorCost(const BlockFactorSizes<N>& size, const N& tokens, Bias bias)
{
    Cost<N> cost = linearCost(tokens, size.blockIn, size.out, bias);
    cost.traffic.read = tokens * size.in;
    return cost;
}

/// Backward of the same: mac 2·T·out·in/b, dot T·in + out·in/b, add (T−1)·out if there is a bias.
template <class N>
Cost<N> blockFactorBackwardCost(const BlockFactorSizes<N>& size, const N& tokens, Bias bias)
{
    Cost<N> cost = linearBackwardCost(tokens, size.blockIn, size.out, bias);
    cost.count.dot = tokens * size.in + size.out * size.blockIn;
    cost.traffic.read += tokens * size.in - tokens * size.blockIn;
    cost.traffic.written = tokens * size.in;
    return cost;
}

/// The four factors, for the forward and the backward cost.
template <class N>
struct MonarchFactors
{
    N tokens;
    N f;
    BlockFactorSizes<N> upFirst;
    BlockFactorSizes<N> upSecond;
    BlockFactorSizes<N> downFirst;
    BlockFactorSizes<N> downSecond;

    MonarchFactors(const MonarchFfn& ffn, const Pass<N>& pass)
        : tokens(pass.tokens())
        , f(pass.numbers("f", ffn.dFf))
    {
        const N d = pass.dModel;
        const N b = pass.numbers("b", ffn.up(pass.dModelValue).first.blocks);
        const N dOfBlock = d / b;
        const N fOfBlock = f / b;
        upFirst = {"c_fc_first", d, d, dOfBlock};
        upSecond = {"c_fc_second", d, f, dOfBlock};
        downFirst = {"c_proj_first", f, d, fOfBlock};
        downSecond = {"c_proj_second", d, d, dOfBlock};
    }
};

/// mac 2·T·(d² + d·f)/b; parameters 2·(d² + d·f)/b (+ f + d). Saved for the backward pass: the
/// input of each product except the first, and of the activation.
template <class N>
void addCost(const MonarchFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MonarchFactors<N> factors(ffn, pass);
    const N& t = factors.tokens;
    const Bias bias = biasIf(ffn.bias);
    const auto product = [&](const BlockFactorSizes<N>& factor, Bias b, bool keeps) {
        Cost<N> cost = blockFactorCost(factor, t, b);
        cost.saved = keeps ? N(t * factor.in) : N(0);
        tree.operation(factor.name, OpKind::linear, N(t * factor.out), cost);
    };
    product(factors.upFirst, Bias::absent, false);
    product(factors.upSecond, bias, true);
    if (ffn.activation != Activation::none) {
        const N n = t * factors.f;
        tree.operation("activation", OpKind::activation, n, activationCost(ffn.activation, n));
    }
    product(factors.downFirst, Bias::absent, true);
    product(factors.downSecond, bias, true);
}

/// mac 4·T·(d² + d·f)/b: two products for each of the forward pass, then the activation's
/// derivative.
template <class N>
void addBackwardCost(const MonarchFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MonarchFactors<N> factors(ffn, pass);
    const N& t = factors.tokens;
    const Bias bias = biasIf(ffn.bias);
    const auto product = [&](const BlockFactorSizes<N>& factor, Bias b) {
        tree.operation(
            factor.name, OpKind::linear, N(t * factor.in), blockFactorBackwardCost(factor, t, b));
    };
    product(factors.upFirst, Bias::absent);
    product(factors.upSecond, bias);
    if (ffn.activation != Activation::none) {
        const N n = t * factors.f;
        tree.operation(
            "activation", OpKind::activation, n, activationBackwardCost(ffn.activation, n));
    }
    product(factors.downFirst, Bias::absent);
    product(factors.downSecond, bias);
}

} // namespace flopsmith
