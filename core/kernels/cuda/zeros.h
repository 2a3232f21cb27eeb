// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/stage.h"

namespace flopsmith::cuda {

/// Enqueues a memset.
inline void writeZeros(const Device& device, float* to, std::int64_t elements)
{
    if (elements > 0) {
        check(cudaMemsetAsync(
                  to, 0, static_cast<std::size_t>(elements) * sizeof(float), device.stream()),
              "write zeros");
    }
}

/// The stage of an absent FFN: y = 0.
class ZeroStage : public Stage
{
public:
    ZeroStage(const Device& device, std::int64_t elements)
        : m_device(device)
        , m_elements(elements)
    {}

    void run(const float* /*x*/, float* y) override { writeZeros(m_device, y, m_elements); }

private:
    const Device& m_device;
    std::int64_t m_elements;
};

/// Its backward pass: y = 0, dx = 0.
class ZeroBackwardStage : public BackwardStage
{
public:
    ZeroBackwardStage(const Device& device, std::int64_t outputs, std::int64_t inputs)
        : m_device(device)
        , m_outputs(outputs)
        , m_inputs(inputs)
    {}

    void save(const float* /*x*/, float* y) override { writeZeros(m_device, y, m_outputs); }
    void run(const float* /*dy*/, float* dx) override { writeZeros(m_device, dx, m_inputs); }

private:
    const Device& m_device;
    std::int64_t m_outputs;
    std::int64_t m_inputs;
};

} // namespace flopsmith::cuda
