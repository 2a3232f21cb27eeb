// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_heads.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {
namespace {

class AttentionForward
{
public:
    AttentionForward(const Attention& attention,
                     const Shape& shape,
                     WeightView<float> weights,
                     Threads threads,
                     Precision precision)
        : m_heads(attention, shape, weights, threads, precision)
        , m_core(attentionPlan(attention, shape),
                 attention.algorithm,
                 ScoreSteps(attention, attentionPlan(attention, shape), weights),
                 threads)
    {}

    void run(const MixerInput& input, float* y)
    {
        m_heads.prepare(input.x.data());
        m_core.run(m_heads.coreInput(input), m_heads.sums());
        m_heads.project(y);
    }

private:
    AttentionHeads m_heads;
    AttentionCore m_core;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Attention& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision precision)
{
    return prepared(Attention::info().title, threads, [&] {
        return forwardKernel(AttentionForward(mixer, shape, weights, threads, precision),
                             input,
                             shape.activations());
    });
}

} // namespace flopsmith::cpu
