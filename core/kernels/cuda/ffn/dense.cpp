// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"

#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {

Tensor* planFfn(Plan& plan, const DenseFfn& ffn, const FfnInput& in)
{
    const std::size_t down = ffn.bias ? 2 : 1;
    const auto bias = [&](std::size_t place) { return ffn.bias ? in.weights[place] : nullptr; };
    Tensor* const up = linear(plan, in.x, ffn.dFf, in.weights[0], bias(1));
    Tensor* const hidden = activated(plan, ffn.activation, up);
    return linear(plan, hidden, in.dModel(), in.weights[down], bias(down + 1));
}

} // namespace flopsmith::cuda
