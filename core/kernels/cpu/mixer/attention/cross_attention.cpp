// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_core.h"
#include "core/kernels/cpu/mixer/attention/cross_projections.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {
namespace {

class CrossAttentionKernel : public Kernel
{
public:
    CrossAttentionKernel(const CrossAttention& attention,
                         const Shape& shape,
                         WeightView<float> weights,
                         const MixerInput& input,
                         Threads threads,
                         Precision precision)
        : m_input(input)
        , m_core(crossPlan(attention, shape), attention.algorithm, {}, threads)
        , m_projections(CrossTensors(attention), shape, m_core.plan(), weights, threads, precision)
        , m_y(shape.activations())
    {}

    void run() override
    {
        m_projections.projectInput(m_input);
        m_core.run(m_projections.coreInput(m_input), m_projections.sums());
        m_projections.projectSums(m_y.data());
    }

    std::span<const float> output() const override { return m_y.span(); }

private:
    MixerInput m_input;
    AttentionCore m_core;
    CrossProjections m_projections;
    Buffer m_y;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const CrossAttention& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision precision)
{
    return prepared(
        CrossAttention::info().title, threads, [&]() -> Result<std::unique_ptr<Kernel>> {
            return std::unique_ptr<Kernel>(std::make_unique<CrossAttentionKernel>(
                mixer, shape, weights, input, threads, precision));
        });
}

} // namespace flopsmith::cpu
