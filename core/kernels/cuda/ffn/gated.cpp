// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"

#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {

Tensor* planFfn(Plan& plan, const GatedFfn& ffn, const FfnInput& in)
{
    const std::size_t each = ffn.bias ? 2 : 1; // W, b
    const auto matrix = [&](std::size_t which) { return in.weights[which * each]; };
    const auto bias = [&](std::size_t which) {
        return ffn.bias ? in.weights[which * each + 1] : nullptr;
    };
    Tensor* const gate = linear(plan, in.x, ffn.dFf, matrix(0));
    Tensor* const up = linear(plan, in.x, ffn.dFf, matrix(1));
    Tensor* const hidden =
        gated(plan, ffn.activation, {gate, up, bias(0), bias(1)}, ffn.activeGate());
    return linear(plan, hidden, in.dModel(), matrix(2), bias(2));
}

} // namespace flopsmith::cuda
