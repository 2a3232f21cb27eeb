// SPDX-License-Identifier: MIT
#include "app/bench_cuda/jobs/cuda_backend.h"

#include "app/bench_cuda/jobs/timers.h"
#include "core/kernels/cuda/ffn.h"
#include "core/kernels/cuda/layer.h"
#include "core/kernels/cuda/mixer.h"

namespace flopsmith::bench {
namespace {

using Prepared = Result<std::unique_ptr<Kernel>>;

Error wholeModels()
{
    return Error{"whole models are run by the kernels of a CPU; of this device their parts are "
                 "measured."};
}

struct Prepare
{
    Shape shape;
    WeightView<float> weights;
    const Inputs& on;
    const cuda::Device& device;
    cuda::OptionalValues dy; ///< of a backward pass

    Prepared operator()(const FfnSpec& ffn) const
    {
        return cuda::prepare(ffn, shape, weights, on.x, device, dy);
    }
    Prepared operator()(const MixerSpec& mixer) const
    {
        const MixerInput input{
            .x = on.x, .cachedKeys = on.cachedKeys, .cachedValues = on.cachedValues};
        return cuda::prepare(mixer, shape, weights, input, device, dy);
    }
    Prepared operator()(const NormOperation& n) const
    {
        return cuda::prepare(n.norm, shape, weights, on.x, device, dy);
    }
    Prepared operator()(const ResidualOperation& r) const // also its own backward
    {
        return cuda::prepareResidual(r.residual, on.x, on.addend, on.secondAddend, device);
    }
    Prepared operator()(const EmbeddingOperation& e) const
    {
        const std::span<const float> images(on.images);
        const std::span<const int> tokens(on.tokenIds);
        return e.embedding.readsPatches()
            ? cuda::prepare(e.embedding, shape, weights, images, device, dy)
            : cuda::prepare(e.embedding, shape, weights, tokens, device, dy);
    }
    Prepared operator()(const ModelOperation&) const { return wholeModels(); }
    Prepared operator()(const HeadOperation& h) const
    {
        return cuda::prepare(h.head, h.vocab, shape, weights, on.x, device, dy);
    }
};

} // namespace

cuda::ProductPrecision productPrecision(ComputePrecision precision)
{
    switch (precision) {
    case ComputePrecision::float32: return cuda::ProductPrecision::float32;
    case ComputePrecision::tf32: return cuda::ProductPrecision::tf32;
    case ComputePrecision::bfloat16: return cuda::ProductPrecision::bfloat16;
    case ComputePrecision::float16: break; // is refused
    }
    return cuda::ProductPrecision::float32;
}

Status CudaBackend::runs(const Operation& operation) const
{
    return std::holds_alternative<ModelOperation>(operation.what) ? Status(wholeModels())
                                                                  : Status(Done{});
}

Result<std::unique_ptr<Kernel>> CudaBackend::prepared(const Operation& operation,
                                                      WeightView<float> weights,
                                                      const Inputs& inputs) const
{
    cuda::OptionalValues dy;
    if (operation.pass == ComputePass::backward) {
        dy = inputs.dy;
    }
    return std::visit(Prepare{shapeOf(operation), weights, inputs, m_device, dy}, operation.what);
}

Count CudaBackend::deviceBytes() const
{
    return static_cast<Count>(m_device.memory().maxBytes());
}

double CudaBackend::operandRounding() const
{
    switch (m_device.precision()) {
    case cuda::ProductPrecision::float32: return 0.0;
    case cuda::ProductPrecision::tf32: return 1.0 / 2048.0;
    case cuda::ProductPrecision::bfloat16: return 1.0 / 512.0;
    }
    return 0.0;
}

Result<Measurement> CudaBackend::timed(
    Kernel& kernel,
    const MeasureOptions& options,
    const std::stop_token& stop,
    const std::function<void(const MeasureProgress&)>& progress) const
{
    MeasureOptions own = options;
    if (m_cache == CacheState::cold) {
        own.timer = coldTimer(m_device);
        own.maxRunsPerSample = 1;
    } else {
        own.timer = hotTimer(m_device);
    }
    return measure([&] { kernel.run(); }, own, stop, progress);
}

} // namespace flopsmith::bench
