// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"

#include <cufft.h>

#include <compare>
#include <cstdint>
#include <map>
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

    auto operator<=>(const FftLayout&) const = default; // NOLINT(modernize-use-nullptr): its 0
};

/// Of the rows of [rows, length]: real rows to [rows, length/2 + 1], or back.
FftLayout realRows(std::int64_t rows, std::int64_t length);
FftLayout complexRowsToReal(std::int64_t rows, std::int64_t length);

/// A cuFFT plan. Transforms are unnormalised: forward and inverse together multiply by `length`.
/// All functions enqueue and must match the layout's kind; toReal() overwrites its input.
class FftPlan
{
public:
    FftPlan(const Device& device, const FftLayout& layout);
    ~FftPlan();
    FftPlan(const FftPlan&) = delete;
    FftPlan& operator=(const FftPlan&) = delete;

    void toComplex(const float* from, cufftComplex* to) const;
    void toReal(cufftComplex* from, float* to) const;
    /// With e^{−2πi…}; `from` may be `to`, with the same layout on both sides.
    void forward(const cufftComplex* from, cufftComplex* to) const;
    void backward(const cufftComplex* from, cufftComplex* to) const;

    std::size_t workspaceBytes() const { return m_workspaceBytes; }
    void useWorkspace(void* workspace);

private:
    cufftHandle m_plan = 0;
    std::size_t m_workspaceBytes = 0;
};

/// The plans of a device. Each layout is planned once, while a kernel is prepared and never in
/// run(). All plans share one workspace because they run one after the other on one stream.
class FftPlans
{
public:
    explicit FftPlans(const Device& device)
        : m_device(device)
    {}

    const FftPlan& plan(const FftLayout& layout);

private:
    void growWorkspace(std::size_t bytes);
    void replaceWorkspace(std::size_t bytes);

    const Device& m_device;
    std::map<FftLayout, std::unique_ptr<FftPlan>> m_plans;
    DeviceBuffer<std::byte> m_workspace;
};

} // namespace flopsmith::cuda
