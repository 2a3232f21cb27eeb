// SPDX-License-Identifier: MIT
#include "core/ffn/factored/monarch.h"

#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {
namespace {

// A factor's product as one batch over its blocks, whose features lie side by side.
Tensor* blockProduct(Plan& plan, const BlockFactor& f, Tensor* x, Tensor* w)
{
    Tensor* const y = plan.tensor(x->rows, f.out);
    product(plan,
            {x->rows, f.blockIn(), f.blockOut()},
            {.of = x, .stride = f.in, .step = f.blockIn()},
            {.of = w, .stride = f.out, .step = f.blockOut()},
            {.of = y, .stride = f.out, .step = f.blockOut()},
            {.count = f.blocks});
    return y;
}

Tensor* monarchProduct(Plan& plan, const MonarchMatrix& matrix, Tensor* x, Tensors w)
{
    const BlockFactor& second = matrix.second;
    Tensor* const between = blockProduct(plan, matrix.first, x, w[0]);
    Tensor* const inBlocks = turned(plan, between, second.blockIn(), second.blocks);
    Tensor* const out = blockProduct(plan, second, inBlocks, w[1]);
    return turned(plan, out, second.blocks, second.blockOut());
}

} // namespace

Tensor* planFfn(Plan& plan, const MonarchFfn& ffn, const FfnInput& in)
{
    const std::size_t each = ffn.bias ? 3 : 2; // both factors, b
    const Tensors w = in.weights;
    Tensor* const up = monarchProduct(plan, ffn.up(in.dModel()), in.x, w);
    addBias(plan, up, ffn.bias ? w[2] : nullptr);
    Tensor* const hidden = activated(plan, ffn.activation, up);
    Tensor* const y = monarchProduct(plan, ffn.down(in.dModel()), hidden, w.subspan(each));
    addBias(plan, y, ffn.bias ? w[each + 2] : nullptr);
    return y;
}

} // namespace flopsmith::cuda
