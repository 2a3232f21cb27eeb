// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/dense.h"
#include "core/layer/gate_values.h"

namespace flopsmith {

/// Gated FFN (SwiGLU, GeGLU, ReGLU): y = (act(x·Wg) ⊙ x·Wu)·Wd, usually without biases.
struct GatedFfn
{
    int dFf = 2048; ///< f; about two thirds of a dense FFN's for equal cost
    Activation activation = Activation::silu;
    bool bias = false;
    GateValues gate; ///< numbers that change no count

    bool operator==(const GatedFfn&) const = default;

    /// The values that change something: a slope is of SiLU, an offset of a bias.
    GateValues activeGate() const
    {
        return {.limit = gate.limit,
                .siluSlope = activation == Activation::silu ? gate.siluSlope : 1.0,
                .upOffset = bias ? gate.upOffset : 0.0};
    }

    static const VariantInfo& info();
    static const std::vector<Field<GatedFfn>>& fields();
};

/// gate.weight [d, f], up.weight [d, f], down.weight [f, d], each followed by its bias if any.
WeightShapes weights(const GatedFfn& ffn, int dModel);

} // namespace flopsmith
