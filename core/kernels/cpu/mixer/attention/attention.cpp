// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_forward.h"
#include "core/kernels/cpu/mixer/attention/attention_heads.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {

Result<std::unique_ptr<Kernel>> prepare(const Attention& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision precision)
{
    return prepared(Attention::info().title, threads, [&] {
        const AttentionPlan plan = attentionPlan(mixer, shape);
        AttentionHeads heads(mixer, shape, weights, threads, precision);
        AttentionCore core(plan, mixer.algorithm, ScoreSteps(mixer, plan, weights), threads);
        return forwardKernel(
            AttentionForward(std::move(heads), std::move(core)), input, shape.activations());
    });
}

} // namespace flopsmith::cpu
