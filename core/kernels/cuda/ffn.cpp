// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn.h"

#include "core/base/check.h"
#include "core/ffn/ffn_variants.h"
#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/plan_kernel.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {

Tensor* planFfn(Plan& plan, const NoFfn& /*ffn*/, const FfnInput& in)
{
    return zeros(plan, in.x->rows, in.x->columns);
}

Tensor* planFfn(Plan& plan, const FfnSpec& ffn, const FfnInput& in)
{
    return plannedFor(ffn, [&](const auto& spec) { return planFfn(plan, spec, in); });
}

Result<std::unique_ptr<Kernel>> prepare(const FfnSpec& ffn,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        const Device& device,
                                        OptionalValues dy)
{
    FLOPSMITH_CHECK(x.size() == shape.activations());
    FLOPSMITH_CHECK(dy ? dy->size() == x.size() : !shape.training);
    return planned(device, weights, x, shape.dModel, dy, [&](Plan& plan, Tensor* in, Tensors w) {
        return planFfn(plan, ffn, {in, w, shape.sequence});
    });
}

} // namespace flopsmith::cuda
