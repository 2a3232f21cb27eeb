// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"

#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {

Tensor* planFfn(Plan& plan, const DenseFfn& ffn, const FfnInput& in)
{
    const std::size_t down = ffn.bias ? 2 : 1;
    Tensor* const up = linear(plan, in.x, ffn.dFf, in.weights[0]);
    Tensor* const hidden = activated(plan, ffn.activation, up, ffn.bias ? in.weights[1] : nullptr);
    return linear(
        plan, hidden, in.dModel(), in.weights[down], ffn.bias ? in.weights[down + 1] : nullptr);
}

} // namespace flopsmith::cuda
