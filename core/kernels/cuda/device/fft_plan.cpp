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

FftLayout realRows(std::int64_t rows, std::int64_t length)
{
    return {.kind = FftKind::realToComplex,
            .length = length,
            .batch = rows,
            .inDistance = length,
            .outDistance = length / 2 + 1};
}

FftLayout complexRowsToReal(std::int64_t rows, std::int64_t length)
{
    return {.kind = FftKind::complexToReal,
            .length = length,
            .batch = rows,
            .inDistance = length / 2 + 1,
            .outDistance = length};
}

FftPlan::FftPlan(const Device& device, const FftLayout& layout)
{
    check(cufftCreate(&m_plan), "plan a Fourier transform");
    try {
        check(cufftSetAutoAllocation(m_plan, 0), "plan a Fourier transform");
        long long length = layout.length;
        // cuFFT uses the extents only in two or more dimensions, but ignores strides unless
        // extents are given.
        long long extent = layout.length;
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
                                  &m_workspaceBytes),
              "plan Fourier transforms of length " + std::to_string(layout.length));
        check(cufftSetStream(m_plan, device.stream()), "plan a Fourier transform");
    } catch (...) {
        cufftDestroy(m_plan);
        throw;
    }
}

FftPlan::~FftPlan()
{
    cufftDestroy(m_plan);
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

void FftPlan::backward(const cufftComplex* from, cufftComplex* to) const
{
    check(cufftExecC2C(m_plan, const_cast<cufftComplex*>(from), to, CUFFT_INVERSE),
          "transform back");
}

// NOLINTNEXTLINE(readability-make-member-function-const): changes the handle's state
void FftPlan::useWorkspace(void* workspace)
{
    check(cufftSetWorkArea(m_plan, workspace), "give a Fourier transform its workspace");
}

const FftPlan& FftPlans::plan(const FftLayout& layout)
{
    auto& plan = m_plans[layout];
    if (plan == nullptr) {
        auto made = std::make_unique<FftPlan>(m_device, layout);
        if (made->workspaceBytes() > m_workspace.size()) {
            growWorkspace(made->workspaceBytes());
        }
        made->useWorkspace(m_workspace.data());
        plan = std::move(made);
    }
    return *plan;
}

void FftPlans::growWorkspace(std::size_t bytes)
{
    m_device.wait(); // enqueued transforms may still use the old workspace
    const std::size_t before = m_workspace.size();
    m_workspace = {};
    try {
        replaceWorkspace(bytes);
    } catch (...) {
        replaceWorkspace(before); // keep older plans usable
        throw;
    }
}

void FftPlans::replaceWorkspace(std::size_t bytes)
{
    m_workspace = DeviceBuffer<std::byte>(m_device.memory(), bytes);
    for (const auto& [layout, plan] : m_plans) {
        if (plan != nullptr) {
            plan->useWorkspace(m_workspace.data());
        }
    }
}

} // namespace flopsmith::cuda
