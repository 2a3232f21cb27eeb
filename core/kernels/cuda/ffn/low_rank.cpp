// SPDX-License-Identifier: MIT
#include "core/ffn/factored/low_rank.h"

#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {

Tensor* planFfn(Plan& plan, const LowRankFfn& ffn, const FfnInput& in)
{
    const std::size_t each = ffn.bias ? 3 : 2; // U, V, b
    const Tensors w = in.weights;
    Tensor* const middle = linear(plan, in.x, ffn.rank, w[0]);
    Tensor* const up = linear(plan, middle, ffn.dFf, w[1], ffn.bias ? w[2] : nullptr);
    Tensor* const hidden = activated(plan, ffn.activation, up);
    Tensor* const down = linear(plan, hidden, ffn.rank, w[each]);
    return linear(plan, down, in.dModel(), w[each + 1], ffn.bias ? w[each + 2] : nullptr);
}

} // namespace flopsmith::cuda
