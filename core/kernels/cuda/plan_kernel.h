// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/kernels/cuda/device/failure.h"
#include "core/kernels/cuda/plan/plan.h"
#include "core/kernels/kernel.h"
#include "core/kernels/weights.h"

#include <memory>
#include <utility>

namespace flopsmith::cuda {

/// A plan with its inputs and weights, which are copied from the host, and its output, which is copied
/// back: y; or the gradient of x and then that of every weight.
class PlanKernel : public Kernel
{
public:
    PlanKernel(const Device& device, Pass pass, WeightView<float> weights);

    Plan& plan() { return m_plan; }
    Tensors weights() const { return m_weights; }

    /// Called once, with the result of the last operation. x may be null: then no gradient is wanted.
    /// A backward pass runs its forward pass here.
    void finish(Tensor* x, Tensor* y, std::span<const float> dy);

    void run() override;
    std::span<const float> output() const override;

private:
    Plan m_plan;
    std::vector<Tensor*> m_weights;
    struct Part
    {
        const float* onDevice;
        std::size_t count;
    };
    std::vector<Part> m_parts;
    mutable std::vector<float> m_host;
};

/// What every prepare() does: makes the kernel of build(plan, x, weights), which returns y, waits for
/// the device and turns a DeviceFailure into an Error. DeviceOutOfMemory passes through: callers
/// handle it as std::bad_alloc. x is empty where build() has another input; with dy it is a backward
/// pass.
template <class Build>
Result<std::unique_ptr<Kernel>> planned(const Device& device,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        std::int64_t columns,
                                        OptionalValues dy,
                                        const Build& build)
{
    try {
        const Pass pass = dy ? Pass::backward : Pass::forward;
        auto kernel = std::make_unique<PlanKernel>(device, pass, weights);
        Tensor* const input = x.empty() ? nullptr : kernel->plan().input(x, columns);
        kernel->finish(input,
                       build(kernel->plan(), input, kernel->weights()),
                       dy.value_or(std::span<const float>()));
        device.wait();
        return Result<std::unique_ptr<Kernel>>(std::move(kernel));
    } catch (const DeviceFailure& failure) {
        return Error{failure.what()};
    }
}

} // namespace flopsmith::cuda
