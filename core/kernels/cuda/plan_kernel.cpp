// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/plan_kernel.h"

namespace flopsmith::cuda {

PlanKernel::PlanKernel(const Device& device, Pass pass, WeightView<float> weights)
    : m_plan(device, pass)
{
    for (const std::vector<float>& tensor : weights) {
        m_weights.push_back(m_plan.weight(tensor));
    }
}

void PlanKernel::finish(Tensor* x, Tensor* y, std::span<const float> dy)
{
    m_plan.finish(y);
    const auto add = [&](float* values, const Tensor* of, bool written) {
        m_parts.push_back({values, static_cast<std::size_t>(of->elements())});
        m_host.resize(m_host.size() + m_parts.back().count);
        if (written && of->elements() > 0) {
            constexpr int kNotANumber = 0xff; // in every byte, until it is written
            const std::size_t bytes = m_parts.back().count * sizeof(float);
            check(cudaMemsetAsync(values, kNotANumber, bytes, m_plan.device().stream()),
                  "mark its output as not written");
        }
    };
    if (!m_plan.learns()) {
        add(y->values, y, !y->borrowed);
        return;
    }
    if (x != nullptr) {
        add(x->gradient, x, true);
    }
    for (const Tensor* const weight : m_weights) {
        add(weight->gradient, weight, true);
    }
    m_plan.device().wait();
    if (y->gradient != nullptr && !dy.empty()) {
        copyToDevice(y->gradient, dy.data(), dy.size_bytes());
    }
    m_plan.runForward();
}

void PlanKernel::run()
{
    if (m_plan.learns()) {
        m_plan.runBackward();
    } else {
        m_plan.runForward();
    }
}

std::span<const float> PlanKernel::output() const
{
    std::span<float> to(m_host);
    for (const Part& part : m_parts) {
        copyToHost(m_plan.device(), part.onDevice, to.first(part.count));
        to = to.subspan(part.count);
    }
    return m_host;
}

} // namespace flopsmith::cuda
