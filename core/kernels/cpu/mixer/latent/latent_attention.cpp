// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_core.h"
#include "core/kernels/cpu/mixer/latent/latent_core.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {
namespace {

class LatentAttentionKernel : public Kernel
{
public:
    LatentAttentionKernel(const LatentAttention& attention,
                          const Shape& shape,
                          WeightView<float> weights,
                          const MixerInput& input,
                          Threads threads,
                          Precision precision)
        : m_input(input)
        , m_latents(LatentPlan(attention, shape, precision), weights, threads)
        , m_core(m_latents.plan().core(), attention.algorithm, {}, threads)
        , m_y(shape.activations())
    {}

    void run() override
    {
        m_latents.prepareHeads(m_input);
        m_core.run(m_latents.coreInput(m_input), m_latents.sums());
        m_latents.absorbValues();
        m_latents.project(m_y.data());
    }

    std::span<const float> output() const override { return m_y.span(); }

private:
    MixerInput m_input;
    LatentCore m_latents;
    AttentionCore m_core;
    Buffer m_y;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const LatentAttention& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision precision)
{
    return prepared(
        LatentAttention::info().title, threads, [&]() -> Result<std::unique_ptr<Kernel>> {
            return std::unique_ptr<Kernel>(std::make_unique<LatentAttentionKernel>(
                mixer, shape, weights, input, threads, precision));
        });
}

} // namespace flopsmith::cpu
