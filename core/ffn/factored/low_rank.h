// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/activation.h"
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

} // namespace flopsmith
