// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_forward.h"
#include "core/kernels/cpu/mixer/latent/latent_core.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {

Result<std::unique_ptr<Kernel>> prepare(const LatentAttention& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision precision)
{
    return prepared(LatentAttention::info().title, threads, [&] {
        const LatentPlan plan(mixer, shape, precision);
        LatentCore heads(plan, weights, threads);
        AttentionCore core(plan.core(), mixer.algorithm, {}, threads);
        return forwardKernel(
            AttentionForward(std::move(heads), std::move(core)), input, shape.activations());
    });
}

} // namespace flopsmith::cpu
