// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/device/fft_plan.h"

namespace flopsmith::cuda {
namespace {

cufftType typeOf(FftKind kind)
{
    switch (kind) {
    case FftKind::realToComplex: return CUFFT_R2C;
    case FftKind::complexToReal: return CUFFT_C2R;
    case FftKind::complexToComplex: return CUFFT_C2C;
    }
    return CUFFT_C2C;
}

} // namespace

FftPlan::FftPlan(const Device& device, const FftLayout& layout)
{
    check(cufftCreate(&m_plan), "plan a Fourier transform");
    try {
        check(cufftSetAutoAllocation(m_plan, 0), "plan a Fourier transform");
        long long length = layout.length;
        // cuFFT uses the extents only in two or more dimensions, but ignores strides unless
        // extents are given.
        long long extent = layout.length;
        std::size_t bytes = 0;
        check(cufftMakePlanMany64(m_plan,
                                  1,
                                  &length,
                                  &extent,
                                  layout.inStride,
                                  layout.inDistance,
                                  &extent,
                                  layout.outStride,
                                  layout.outDistance,
                                  typeOf(layout.kind),
                                  layout.batch,
                                  &bytes),
              "plan Fourier transforms of length " + std::to_string(layout.length));
        m_workspace = DeviceBuffer<std::byte>(device.memory(), bytes);
        check(cufftSetWorkArea(m_plan, m_workspace.data()), "plan a Fourier transform");
        check(cufftSetStream(m_plan, device.stream()), "plan a Fourier transform");
    } catch (...) {
        cufftDestroy(m_plan);
        throw;
    }
}

// cuFFT's interface takes a non-const pointer although it only reads the input.
void FftPlan::toComplex(const float* from, cufftComplex* to) const
{
    check(cufftExecR2C(m_plan, const_cast<float*>(from), to), "transform");
}

void FftPlan::toReal(cufftComplex* from, float* to) const
{
    check(cufftExecC2R(m_plan, from, to), "transform back");
}

void FftPlan::forward(const cufftComplex* from, cufftComplex* to) const
{
    check(cufftExecC2C(m_plan, const_cast<cufftComplex*>(from), to, CUFFT_FORWARD), "transform");
}

SharedFft realRows(const Device& device, std::int64_t rows, std::int64_t length)
{
    const FftLayout layout{.kind = FftKind::realToComplex,
                           .length = length,
                           .batch = rows,
                           .inDistance = length,
                           .outDistance = length / 2 + 1};
    return std::make_shared<FftPlan>(device, layout);
}

SharedFft complexRowsToReal(const Device& device, std::int64_t rows, std::int64_t length)
{
    const FftLayout layout{.kind = FftKind::complexToReal,
                           .length = length,
                           .batch = rows,
                           .inDistance = length / 2 + 1,
                           .outDistance = length};
    return std::make_shared<FftPlan>(device, layout);
}

} // namespace flopsmith::cuda
