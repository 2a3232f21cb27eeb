// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/layer.h"

#include "core/base/check.h"
#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/plan_kernel.h"

namespace flopsmith::cuda {

Result<std::unique_ptr<Kernel>> prepare(const Norm& norm,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        const Device& device,
                                        OptionalValues dy)
{
    FLOPSMITH_CHECK(x.size() == shape.activations() && (!dy || dy->size() == x.size()));
    return planned(device, weights, x, shape.dModel, dy, [&](Plan& plan, Tensor* in, Tensors w) {
        return normed(plan, norm, in, w);
    });
}

Result<std::unique_ptr<Kernel>> prepareResidual(const Residual& residual,
                                                std::span<const float> x,
                                                std::span<const float> f,
                                                std::span<const float> g,
                                                const Device& device)
{
    FLOPSMITH_CHECK(x.size() == f.size());
    FLOPSMITH_CHECK(g.size() == (residual.branches > 1 ? x.size() : 0));
    const auto columns = static_cast<std::int64_t>(x.size());
    return planned(device, {}, x, columns, {}, [&](Plan& plan, Tensor* in, Tensors) {
        const float scale = residual.scale ? static_cast<float>(residual.factor) : 1.0F;
        Tensor* const first = sumOf(plan, in, plan.input(f, columns), scale);
        return g.empty() ? first : sumOf(plan, first, plan.input(g, columns), scale);
    });
}

} // namespace flopsmith::cuda
