// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/count/cost_tree.h"
#include "core/count/numbers.h"
#include "core/layer/activation_cost.h"
#include "core/layer/linear_cost.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

namespace flopsmith {

/// Low-rank FFN: y = act(x·U₁·V₁ + b₁)·U₂·V₂ + b₂ with U₁ [d, r], V₁ [r, f], U₂ [f, r], V₂ [r, d].
struct LowRankFfn
{
    int dFf = 3072; ///< f
    int rank = 96; ///< r ≤ min(d, f)
    Activation activation = Activation::geluTanh;
    bool bias = true;

    bool operator==(const LowRankFfn&) const = default;

    static const VariantInfo& info();
    static const std::vector<Field<LowRankFfn>>& fields();
};

/// c_fc.u [d, r], c_fc.v [r, f], c_fc.bias, c_proj.u [f, r], c_proj.v [r, d], c_proj.bias.
WeightShapes weights(const LowRankFfn& ffn, int dModel);

/// mac 2·T·r·(d + f); parameters 2r·(d + f) (+ f + d). Kept for the backward pass: what goes into
/// each product but the first, and into the activation.
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
