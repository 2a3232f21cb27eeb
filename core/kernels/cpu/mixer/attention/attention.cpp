// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_heads.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {
namespace {

class AttentionKernel : public Kernel
{
public:
    AttentionKernel(const Attention& attention,
                    const Shape& shape,
                    WeightView<float> weights,
                    const MixerInput& input,
                    Threads threads,
                    Precision precision)
        : m_input(input)
        , m_heads(attention, shape, weights, threads, precision)
        , m_core(attentionPlan(attention, shape),
                 attention.algorithm,
                 ScoreSteps(attention, attentionPlan(attention, shape), weights),
                 threads)
        , m_y(shape.activations())
    {}

    void run() override
    {
        m_heads.prepare(m_input.x.data());
        m_core.run(m_heads.coreInput(m_input), m_heads.sums());
        m_heads.project(m_y.data());
    }

    std::span<const float> output() const override { return m_y.span(); }

private:
    MixerInput m_input;
    AttentionHeads m_heads;
    AttentionCore m_core;
    Buffer m_y;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Attention& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision precision)
{
    return prepared(Attention::info().title, threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        return std::unique_ptr<Kernel>(
            std::make_unique<AttentionKernel>(mixer, shape, weights, input, threads, precision));
    });
}

} // namespace flopsmith::cpu
