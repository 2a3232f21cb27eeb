// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/device/fft_plan.h"

namespace flopsmith::cuda {

FftPlan::FftPlan()
{
    check(cufftCreate(&m_plan), "plan a Fourier transform");
}

// Behind the other constructor, so that a failure here destroys the handle.
FftPlan::FftPlan(const Device& device, FftKind kind, Index length, Index count)
    : FftPlan()
{
    check(cufftSetAutoAllocation(m_plan, 0), "plan a Fourier transform");
    const bool columns = kind == FftKind::complexColumns;
    const Index stride = columns ? count : 1;
    const auto distance = [&](FftKind real) {
        return columns ? 1 : (kind == real ? length : length / 2 + 1);
    };
    // cuFFT uses the extents only in two or more dimensions, but ignores strides unless extents are
    // given.
    long long extent = length;
    std::size_t bytes = 0;
    check(cufftMakePlanMany64(m_plan,
                              1,
                              &extent,
                              &extent,
                              stride,
                              distance(FftKind::realRows),
                              &extent,
                              stride,
                              distance(FftKind::binsToRealRows),
                              static_cast<cufftType>(kind),
                              count,
                              &bytes),
          "plan Fourier transforms of length " + std::to_string(length));
    m_workspace = DeviceBuffer<std::byte>(device.memory(), bytes);
    check(cufftSetWorkArea(m_plan, m_workspace.data()), "plan a Fourier transform");
    check(cufftSetStream(m_plan, device.stream()), "plan a Fourier transform");
}

// cuFFT's interface takes a non-const pointer although it only reads the input.
void FftPlan::toBins(const float* rows, cufftComplex* bins) const
{
    check(cufftExecR2C(m_plan, const_cast<float*>(rows), bins), "transform");
}

void FftPlan::toRows(cufftComplex* bins, float* rows) const
{
    check(cufftExecC2R(m_plan, bins, rows), "transform back");
}

void FftPlan::alongColumns(cufftComplex* values) const
{
    check(cufftExecC2C(m_plan, values, values, CUFFT_FORWARD), "transform");
}

} // namespace flopsmith::cuda
