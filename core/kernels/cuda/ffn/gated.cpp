// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"

#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {

Tensor* planFfn(Plan& plan, const GatedFfn& ffn, const FfnInput& in)
{
    const std::size_t each = ffn.bias ? 2 : 1; // W, b
    const auto by = [&](std::size_t which, Tensor* x, std::int64_t out) {
        Tensor* const bias = ffn.bias ? in.weights[which * each + 1] : nullptr;
        return linear(plan, x, out, in.weights[which * each], bias);
    };
    Tensor* const gate = by(0, in.x, ffn.dFf);
    Tensor* const up = by(1, in.x, ffn.dFf);
    return by(2, gated(plan, ffn.activation, gate, up, ffn.activeGate()), in.dModel());
}

} // namespace flopsmith::cuda
