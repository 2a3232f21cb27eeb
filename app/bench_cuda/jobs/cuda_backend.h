// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/backend.h"
#include "core/kernels/cuda/device/device.h"

namespace flopsmith::bench {

cuda::ProductPrecision productPrecision(ComputePrecision precision);

/// The kernels of a GPU, timed by its own clock. The device must outlive the backend.
class CudaBackend : public Backend
{
public:
    CudaBackend(const cuda::Device& device, CacheState cache)
        : m_device(device)
        , m_cache(cache)
    {}

    Result<std::unique_ptr<Kernel>> prepared(const Operation& operation,
                                             WeightView<float> weights,
                                             const Inputs& inputs) const override;
    Status runs(const Operation& operation) const override;
    Count deviceBytes() const override;
    double operandRounding() const override;
    Result<Measurement> timed(
        Kernel& kernel,
        const MeasureOptions& options,
        const std::stop_token& stop,
        const std::function<void(const MeasureProgress&)>& progress) const override;

private:
    const cuda::Device& m_device;
    CacheState m_cache;
};

} // namespace flopsmith::bench
