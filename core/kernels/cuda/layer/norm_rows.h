// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/linear/linear.h"
#include "core/kernels/cuda/stage.h"
#include "core/layer/norm.h"

namespace flopsmith::cuda {

/// A norm of rows of activations. Weights are borrowed and begin with the norm's own. All functions
/// enqueue.
class NormRows
{
public:
    NormRows(const Device& device,
             const Norm& norm,
             std::int64_t rows,
             std::int64_t width,
             DeviceWeights weights);

    /// y = norm(x), both [rows, width]; y may be x.
    void run(const float* x, float* y) const;

protected:
    const Device* m_device;
    Norm m_norm;
    std::int64_t m_rows;
    std::int64_t m_width;
    const float* m_scale = nullptr; ///< γ
    const float* m_shift = nullptr; ///< β
};

/// A norm with its backward pass. Gradients are borrowed and begin with the norm's own.
class NormRowsBackward : public NormRows
{
public:
    NormRowsBackward(const Device& device,
                     const Norm& norm,
                     std::int64_t rows,
                     std::int64_t width,
                     DeviceWeights weights,
                     DeviceGradients gradients);

    /// y = norm(x), and saves what runBackward() reads; y may be x.
    void save(const float* x, float* y);

    /// dx and the gradients of γ and β; dx may be dy.
    void runBackward(const float* dy, float* dx);

private:
    DeviceSpan<float> m_dScale;
    DeviceSpan<float> m_dShift;
    DeviceBuffer<float> m_normalised;
    DeviceBuffer<float> m_factors; ///< of each row
    ColumnSums m_sums;
};

} // namespace flopsmith::cuda
