// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_core.h"
#include "core/kernels/cpu/mixer/attention/cross_projections.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {
namespace {

class CrossAttentionForward
{
public:
    CrossAttentionForward(const CrossAttention& attention,
                          const Shape& shape,
                          WeightView<float> weights,
                          Threads threads,
                          Precision precision)
        : m_core(crossPlan(attention, shape), attention.algorithm, {}, threads)
        , m_projections(CrossTensors(attention), shape, m_core.plan(), weights, threads, precision)
    {}

    void run(const MixerInput& input, float* y)
    {
        m_projections.projectInput(input);
        m_core.run(m_projections.coreInput(input), m_projections.sums());
        m_projections.projectSums(y);
    }

private:
    AttentionCore m_core;
    CrossProjections m_projections;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const CrossAttention& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision precision)
{
    return prepared(CrossAttention::info().title, threads, [&] {
        return forwardKernel(CrossAttentionForward(mixer, shape, weights, threads, precision),
                             input,
                             shape.activations());
    });
}

} // namespace flopsmith::cpu
