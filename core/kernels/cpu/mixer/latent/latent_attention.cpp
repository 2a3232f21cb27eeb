// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_core.h"
#include "core/kernels/cpu/mixer/latent/latent_core.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {
namespace {

class LatentAttentionForward
{
public:
    LatentAttentionForward(const LatentAttention& attention,
                           const Shape& shape,
                           WeightView<float> weights,
                           Threads threads,
                           Precision precision)
        : m_latents(LatentPlan(attention, shape, precision), weights, threads)
        , m_core(m_latents.plan().core(), attention.algorithm, {}, threads)
    {}

    void run(const MixerInput& input, float* y)
    {
        m_latents.prepareHeads(input);
        m_core.run(m_latents.coreInput(input), m_latents.sums());
        m_latents.absorbValues();
        m_latents.project(y);
    }

private:
    LatentCore m_latents;
    AttentionCore m_core;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const LatentAttention& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision precision)
{
    return prepared(LatentAttention::info().title, threads, [&] {
        return forwardKernel(LatentAttentionForward(mixer, shape, weights, threads, precision),
                             input,
                             shape.activations());
    });
}

} // namespace flopsmith::cpu
