// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/stage.h"
#include "core/kernels/cuda/tensors.h"

#include <algorithm>
#include <memory>

namespace flopsmith::cuda {

/// A kernel of one stage, which owns the stage and its operands on the device. `Made` has
/// run(input, y).
template <class Made>
class StageKernel : public Kernel
{
public:
    /// make(weights) returns the stage; output() has `outputs` values.
    template <class Make>
    StageKernel(const Device& device,
                WeightView<float> weights,
                std::span<const float> x,
                std::size_t outputs,
                const Make& make)
        : m_weights(device, weights)
        , m_x(device.memory(), x)
        , m_y(device, outputs)
        , m_stage(make(m_weights.view()))
    {}

    void run() override { m_stage->run(m_x.data(), m_y.values()); }
    std::span<const float> output() const override { return m_y.onHost(); }

private:
    UploadedWeights m_weights;
    DeviceBuffer<float> m_x;
    DeviceOutput m_y;
    std::unique_ptr<Made> m_stage;
};

/// A kernel of a backward stage: output() is dx, with `inputs` values, followed by the gradients of
/// tensors of `shapes`. The constructor runs the forward pass once.
class BackwardStageKernel : public Kernel
{
public:
    /// make(weights, gradients) returns the stage.
    template <class Make>
    BackwardStageKernel(const Device& device,
                        WeightView<float> weights,
                        std::span<const float> x,
                        std::span<const float> dy,
                        std::size_t inputs,
                        const WeightShapes& shapes,
                        const Make& make)
        : m_weights(device, weights)
        , m_x(device.memory(), x)
        , m_dy(device.memory(), dy)
        , m_output(device, inputs, shapes)
        , m_stage(make(m_weights.view(), m_output.gradients()))
    {
        const DeviceBuffer<float> y(device.memory(), dy.size()); // written, never read
        m_stage->save(m_x.data(), y.data());
        device.wait();
    }

    void run() override { m_stage->run(m_dy.data(), m_output.values()); }
    std::span<const float> output() const override { return m_output.onHost(); }

private:
    UploadedWeights m_weights;
    DeviceBuffer<float> m_x;
    DeviceBuffer<float> m_dy;
    DeviceOutput m_output;
    std::unique_ptr<BackwardStage> m_stage;
};

} // namespace flopsmith::cuda
