// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/activation.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

namespace flopsmith {

/// The classical FFN: y = act(x·W1 + b1)·W2 + b2.
struct DenseFfn
{
    int dFf = 3072; ///< f
    Activation activation = Activation::geluTanh;
    bool bias = true;

    bool operator==(const DenseFfn&) const = default;

    static const VariantInfo& info();
    static const std::vector<Field<DenseFfn>>& fields();
};

/// c_fc.weight [d, f], c_fc.bias, c_proj.weight [f, d], c_proj.bias.
WeightShapes weights(const DenseFfn& ffn, int dModel);

} // namespace flopsmith
