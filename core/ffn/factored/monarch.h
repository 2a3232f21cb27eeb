// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/count/cost_tree.h"
#include "core/count/numbers.h"
#include "core/layer/activation_cost.h"
#include "core/layer/linear_cost.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

#include <string_view>

namespace flopsmith {

/// Which features a block of a block-diagonal factor reads and writes.
enum class BlockOrder {
    neighbours, ///< block k: in/b inputs from k·in/b on, out/b outputs from k·out/b on
    strided, ///< block k: every b-th input and output, from the k-th on
};

/// A block-diagonal factor: b matrices [in/b, out/b] side by side in one tensor [in/b, out].
struct BlockFactor
{
    int in = 1;
    int out = 1;
    int blocks = 1; ///< b, divides both
    BlockOrder order = BlockOrder::neighbours;

    int blockIn() const { return in / blocks; }
    int blockOut() const { return out / blocks; }

    /// From one input or output of a block to its next one, and from one block's to the next's.
    int stride() const { return order == BlockOrder::strided ? blocks : 1; }
    int inputStep() const { return order == BlockOrder::strided ? 1 : blockIn(); }
    int outputStep() const { return order == BlockOrder::strided ? 1 : blockOut(); }

    bool operator==(const BlockFactor&) const = default;
};

/// W [in, out] as the product of two block-diagonal factors. The second has strided blocks: each
/// reads something of every block of the first as long as b ≤ √width, and none of W is zero then.
struct MonarchMatrix
{
    BlockFactor first; ///< [in, width], blocks of neighbours
    BlockFactor second; ///< [width, out], strided blocks

    int in() const { return first.in; }
    int width() const { return first.out; } ///< between the factors
    int out() const { return second.out; }

    bool operator==(const MonarchMatrix&) const = default;
};

/// Monarch FFN: y = act(x·W₁ + b₁)·W₂ + b₂ where both matrices are two block-diagonal factors of b
/// blocks each, with d features between them: W₁ has blocks [d/b, d/b], then [d/b, f/b], W₂
/// [f/b, d/b], then [d/b, d/b]. Both may have full rank and share no parameter.
///
/// This is the rectangular form P·L·Pᵀ·R of Dao et al. 2022, "Monarch" (arXiv 2204.00595), which
/// Wei et al. 2024 call block shuffle; reading and writing every b-th feature are the shuffles
/// around L. So the hidden features of a block come from all blocks before it. Without the shuffle
/// behind L, W₁ and W₂ would meet block by block, and of their product only d²/b numbers would
/// be free.
struct MonarchFfn
{
    int dFf = 3072; ///< f
    int blocks = 24; ///< b, divides d and f
    Activation activation = Activation::geluTanh;
    bool bias = true;

    bool operator==(const MonarchFfn&) const = default;

    /// W₁ [d, f] and W₂ [f, d].
    MonarchMatrix up(int dModel) const;
    MonarchMatrix down(int dModel) const;

    /// The divisor of d and f nearest to √d: with it an FFN of width 4d needs about √d-fold fewer
    /// operations than a dense one.
    static int usualBlocks(int dModel, int dFf);

    static const VariantInfo& info();
    static const std::vector<Field<MonarchFfn>>& fields();
};

/// c_fc.first.weight [d/b, d], c_fc.second.weight [d/b, f], c_fc.bias, c_proj.first.weight
/// [f/b, d], c_proj.second.weight [d/b, d], c_proj.bias: the blocks of a factor side by side.
WeightShapes weights(const MonarchFfn& ffn, int dModel);

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
/// Which features a block reads and writes is a matter of strides and costs nothing.
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

/// mac 2·T·(d² + d·f)/b; parameters 2·(d² + d·f)/b (+ f + d). Kept for the backward pass: what goes
/// into each product but the first, and into the activation.
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
