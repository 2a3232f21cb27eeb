// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_forward.h"
#include "core/kernels/cpu/mixer/attention/cross_projections.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {

Result<std::unique_ptr<Kernel>> prepare(const CrossAttention& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision precision)
{
    return prepared(CrossAttention::info().title, threads, [&] {
        const AttentionPlan plan = crossPlan(mixer, shape);
        CrossProjections heads(CrossTensors(mixer), shape, plan, weights, threads, precision);
        AttentionCore core(plan, mixer.algorithm, {}, threads);
        return forwardKernel(
            AttentionForward(std::move(heads), std::move(core)), input, shape.activations());
    });
}

} // namespace flopsmith::cpu
