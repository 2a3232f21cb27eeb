// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"

#include <cufft.h>

#include <cstdint>
#include <memory>

namespace flopsmith::cuda {

enum class FftKind { realToComplex, complexToReal, complexToComplex };

/// Memory layout of `batch` transforms of `length`: value i of transform j is at
/// i·stride + j·distance, in elements of the side's type (of the complex side of a real transform
/// there are length/2 + 1 values).
struct FftLayout
{
    FftKind kind = FftKind::realToComplex;
    std::int64_t length = 1;
    std::int64_t batch = 1;
    std::int64_t inStride = 1;
    std::int64_t inDistance = 1;
    std::int64_t outStride = 1;
    std::int64_t outDistance = 1;
};

/// A cuFFT plan with its workspace, made while a kernel is prepared. Transforms are unnormalised:
/// forward and inverse together multiply by `length`. All functions enqueue and must match the
/// layout's kind; toReal() overwrites its input.
class FftPlan
{
public:
    FftPlan(const Device& device, const FftLayout& layout);
    ~FftPlan() { cufftDestroy(m_plan); }
    FftPlan(const FftPlan&) = delete;
    FftPlan& operator=(const FftPlan&) = delete;

    void toComplex(const float* from, cufftComplex* to) const;
    void toReal(cufftComplex* from, float* to) const;
    /// With e^{−2πi…}; `from` may be `to`, with the same layout on both sides.
    void forward(const cufftComplex* from, cufftComplex* to) const;

private:
    cufftHandle m_plan = 0;
    DeviceBuffer<std::byte> m_workspace;
};

using SharedFft = std::shared_ptr<const FftPlan>;

/// Of the rows of [rows, length]: real rows to [rows, length/2 + 1], or back.
SharedFft realRows(const Device& device, std::int64_t rows, std::int64_t length);
SharedFft complexRowsToReal(const Device& device, std::int64_t rows, std::int64_t length);

} // namespace flopsmith::cuda
