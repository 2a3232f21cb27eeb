// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/layer.h"

#include "core/base/check.h"
#include "core/kernels/cuda/layer/operations.h"
#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/plan_kernel.h"

#include <algorithm>

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
        const Tensor* const second = g.empty() ? nullptr : plan.input(g, columns);
        const float scale = residual.scale ? static_cast<float>(residual.factor) : 1.0F;
        return planResidual(plan, in, plan.input(f, columns), second, scale);
    });
}

Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const int> tokenIds,
                                        const Device& device,
                                        OptionalValues dy)
{
    FLOPSMITH_CHECK(tokenIds.size() == shape.tokens() && !embedding.readsPatches());
    FLOPSMITH_CHECK(!dy || dy->size() == shape.activations());
    FLOPSMITH_CHECK(std::all_of(tokenIds.begin(), tokenIds.end(), [&](int id) {
        return id >= 0 && id < embedding.vocab; // in the table
    }));
    return planned(device, weights, {}, 1, dy, [&](Plan& plan, Tensor*, Tensors w) {
        return planTokens(plan, embedding, shape, tokenIds, w);
    });
}

Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> images,
                                        const Device& device,
                                        OptionalValues dy)
{
    FLOPSMITH_CHECK(embedding.readsPatches() && shape.sequence == embedding.imageTokens());
    FLOPSMITH_CHECK(images.size()
                    == static_cast<std::size_t>(shape.batch)
                        * static_cast<std::size_t>(embedding.imagePixels()));
    FLOPSMITH_CHECK(!dy || dy->size() == shape.activations());
    return planned(device, weights, {}, 1, dy, [&](Plan& plan, Tensor*, Tensors w) {
        return planPatches(plan, embedding, shape, images, w);
    });
}

Result<std::unique_ptr<Kernel>> prepare(const Head& head,
                                        int vocab,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        const Device& device,
                                        OptionalValues dy)
{
    FLOPSMITH_CHECK(x.size() == shape.activations());
    return planned(device, weights, x, shape.dModel, dy, [&](Plan& plan, Tensor* in, Tensors w) {
        return planHead(plan, head, vocab, shape, in, w);
    });
}

} // namespace flopsmith::cuda
