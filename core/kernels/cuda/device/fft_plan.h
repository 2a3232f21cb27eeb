// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"

#include <cufft.h>

#include <memory>

namespace flopsmith::cuda {

/// Of `count` rows of `length` real values, with length/2 + 1 complex bins each, or of columns.
enum class FftKind {
    realRows = CUFFT_R2C,
    binsToRealRows = CUFFT_C2R,
    complexColumns = CUFFT_C2C, ///< of [length, count]
};

/// A cuFFT plan with its workspace, made while a kernel is prepared. Transforms are unnormalised:
/// forward and inverse together multiply by `length`. All functions enqueue and must match the kind.
class FftPlan
{
public:
    FftPlan(const Device& device, FftKind kind, Index length, Index count);
    ~FftPlan() { cufftDestroy(m_plan); }
    FftPlan(const FftPlan&) = delete;
    FftPlan& operator=(const FftPlan&) = delete;

    void toBins(const float* rows, cufftComplex* bins) const;
    /// Overwrites the bins.
    void toRows(cufftComplex* bins, float* rows) const;
    /// In place, with e^{−2πi…}.
    void alongColumns(cufftComplex* values) const;

private:
    FftPlan();

    cufftHandle m_plan = 0;
    DeviceBuffer<std::byte> m_workspace;
};

} // namespace flopsmith::cuda
