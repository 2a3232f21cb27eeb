// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/planned.h"
#include "core/kernels/cuda/stage.h"

namespace flopsmith::cuda {

/// A plan as a stage.
template <class Base>
class PlannedStage : public Base
{
public:
    template <class Build>
    PlannedStage(const Device& device,
                 Pass pass,
                 std::int64_t rows,
                 std::int64_t columns,
                 DeviceWeights weights,
                 DeviceGradients gradients,
                 const Build& build)
        : m_plan(device, pass)
    {
        m_x = m_plan.tensor(rows, columns);
        m_x->borrowed = true;
        std::vector<Tensor*> tensors;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const auto count = static_cast<std::int64_t>(weights[i].size());
            tensors.push_back(
                m_plan.adopt({.rows = 1,
                              .columns = count,
                              .stride = count,
                              .values = const_cast<float*>(weights[i].data()),
                              .gradient = gradients.empty() ? nullptr : gradients[i].data(),
                              .borrowed = true,
                              .constant = true}));
        }
        m_y = build(m_plan, m_x, Tensors(tensors));
        m_plan.finish(m_y);
    }

    void forward(const float* x, float* y)
    {
        copy(x, m_x->values, m_x->elements());
        m_plan.runForward();
        copy(m_y->values, y, m_y->elements());
    }
    void back(const float* dy, float* dx)
    {
        if (m_y->gradient != nullptr) {
            copy(dy, m_y->gradient, m_y->elements());
        }
        m_plan.runBackward();
        copy(m_x->gradient, dx, m_x->elements());
    }

private:
    void copy(const float* from, float* to, std::int64_t count)
    {
        check(cudaMemcpyAsync(to,
                              from,
                              static_cast<std::size_t>(count) * sizeof(float),
                              cudaMemcpyDeviceToDevice,
                              m_plan.device().stream()),
              "copy");
    }

    Plan m_plan;
    Tensor* m_x = nullptr;
    Tensor* m_y = nullptr;
};

class PlannedForward : public PlannedStage<Stage>
{
public:
    using PlannedStage::PlannedStage;
    void run(const float* x, float* y) override { forward(x, y); }
};

class PlannedBackward : public PlannedStage<BackwardStage>
{
public:
    using PlannedStage::PlannedStage;
    void save(const float* x, float* y) override { forward(x, y); }
    void run(const float* dy, float* dx) override { back(dy, dx); }
};

#define FLOPSMITH_PLANNED_FFN(Spec)                                                                \
    std::unique_ptr<Stage> makeStage(                                                              \
        const Spec& ffn, const StageSize& size, DeviceWeights weights, const Device& device)       \
    {                                                                                              \
        return std::make_unique<PlannedForward>(                                                   \
            device,                                                                                \
            Pass::forward,                                                                         \
            size.tokens,                                                                           \
            size.dModel,                                                                           \
            weights,                                                                               \
            DeviceGradients(),                                                                     \
            [&](Plan& plan, Tensor* x, Tensors w) {                                                \
                return planFfn(plan, ffn, {x, w, size.sequence});                                  \
            });                                                                                    \
    }                                                                                              \
    std::unique_ptr<BackwardStage> makeBackwardStage(const Spec& ffn,                              \
                                                     const StageSize& size,                        \
                                                     DeviceWeights weights,                        \
                                                     DeviceGradients gradients,                    \
                                                     const Device& device)                         \
    {                                                                                              \
        return std::make_unique<PlannedBackward>(                                                  \
            device,                                                                                \
            Pass::backward,                                                                        \
            size.tokens,                                                                           \
            size.dModel,                                                                           \
            weights,                                                                               \
            gradients,                                                                             \
            [&](Plan& plan, Tensor* x, Tensors w) {                                                \
                return planFfn(plan, ffn, {x, w, size.sequence});                                  \
            });                                                                                    \
    }

} // namespace flopsmith::cuda
