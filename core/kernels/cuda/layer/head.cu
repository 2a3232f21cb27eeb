// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/layer.h"
#include "core/kernels/cuda/layer/head_stages.h"
#include "core/kernels/cuda/stage_kernel.h"
#include "core/kernels/cuda/zeros.h"

namespace flopsmith::cuda {
namespace {

std::size_t outputsOf(const Head& head, int vocab, const Shape& shape)
{
    const auto batch = static_cast<std::size_t>(shape.batch);
    switch (head.kind) {
    case HeadKind::lm: return shape.tokens() * static_cast<std::size_t>(vocab);
    case HeadKind::pooler: return batch * static_cast<std::size_t>(shape.dModel);
    case HeadKind::classifier: return batch * static_cast<std::size_t>(head.classes);
    case HeadKind::none: return 0;
    }
    return 0;
}

// The shapes are taken from the weights, because only they tell the table's width.
WeightShapes shapesOf(WeightView<float> weights)
{
    WeightShapes shapes;
    for (const std::vector<float>& tensor : weights) {
        shapes.push_back(
            {.name = "", .rows = 1, .columns = static_cast<std::int64_t>(tensor.size())});
    }
    return shapes;
}

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Head& head,
                                        int vocab,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        const Device& device)
{
    FLOPSMITH_CHECK(x.size() == shape.activations());
    return prepared(device, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<StageKernel<Stage>>(
            device,
            weights,
            x,
            outputsOf(head, vocab, shape),
            [&](DeviceWeights onDevice) -> std::unique_ptr<Stage> {
                switch (head.kind) {
                case HeadKind::lm: return makeLmHead(device, head, vocab, shape, onDevice);
                case HeadKind::none: return std::make_unique<ZeroStage>(device, 0);
                default: return makeFirstTokenHead(device, head, shape, onDevice);
                }
            });
    });
}

Result<std::unique_ptr<Kernel>> prepareBackward(const Head& head,
                                                int vocab,
                                                const Shape& shape,
                                                WeightView<float> weights,
                                                std::span<const float> x,
                                                std::span<const float> dy,
                                                const Device& device)
{
    FLOPSMITH_CHECK(x.size() == shape.activations());
    FLOPSMITH_CHECK(dy.size() == outputsOf(head, vocab, shape));
    return prepared(device, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<BackwardStageKernel>(
            device,
            weights,
            x,
            dy,
            x.size(),
            shapesOf(weights),
            [&](DeviceWeights onDevice,
                DeviceGradients gradients) -> std::unique_ptr<BackwardStage> {
                const auto inputs = static_cast<std::int64_t>(shape.activations());
                switch (head.kind) {
                case HeadKind::lm:
                    return makeLmHeadBackward(device, head, vocab, shape, onDevice, gradients);
                case HeadKind::none: return std::make_unique<ZeroBackwardStage>(device, 0, inputs);
                default:
                    return makeFirstTokenHeadBackward(device, head, shape, onDevice, gradients);
                }
            });
    });
}

} // namespace flopsmith::cuda
