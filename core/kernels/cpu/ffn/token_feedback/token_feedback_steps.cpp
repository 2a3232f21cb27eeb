// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/token_feedback/token_feedback_steps.h"

#include "core/kernels/cpu/ffn/token_feedback/token_feedback_gates.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/simd/activation.h"

#include <algorithm>
#include <array>

namespace flopsmith::cpu {

void FeedbackSteps::remember(const float* x, float* y)
{
    const auto elements = static_cast<std::size_t>(size.activations());
    std::copy_n(x, elements, y);
    for (int index = 0; index < sizes.groups(); ++index) {
        const FeedbackGroup group = sizes.group(index);
        for (int step = group.first; step < group.last; ++step) {
            pick(step, y);
        }
        products(group);
        for (int step = group.first; step < group.last; ++step) {
            refine(step, y);
        }
    }
    combine(y, x, y, elements, [](Lanes after, Lanes before) { return after - before; });
}

void FeedbackSteps::pick(int step, const float* now)
{
    const FeedbackKept kept = buffers.kept(step);
    const std::int64_t d = sizes.d;
    const std::int64_t s = sizes.s;
    forEachToken({0, sizes.tokens}, size.threads, [&](std::int64_t t, int thread) {
        const FeedbackScratch own = buffers.scratch(thread);
        const PickedFeatures features =
            pickFeatures(ffn, step, size.dModel, now + t * d, own.list, own.mask);
        if (sizes.topK) {
            std::copy_n(features.list, s, kept.lists + t * s);
        }
        features.gather(now + t * d, kept.x + t * s);
        if (sizes.previous && isFirstOfSequence(t)) {
            std::fill_n(kept.phi + t * s, s, 0.0F);
        } else if (sizes.previous) {
            features.gather(now + (t - 1) * d, kept.phi + t * s);
        }
    });
}

void FeedbackSteps::products(const FeedbackGroup& group)
{
    const FeedbackKept kept = buffers.kept(group.first);
    Linear down(sizes.s,
                sizes.r,
                weight(FeedbackTensor::down, group.first),
                weight(FeedbackTensor::downBias, group.first));
    Linear up(sizes.r, sizes.s, weight(FeedbackTensor::up, group.first), nullptr);
    down.computedIn(size.precision);
    up.computedIn(size.precision);
    const std::int64_t rows = sizes.rowsOf(group, sizes.tokens);
    const std::int64_t inner = rows * sizes.r;
    down.run(kept.x, kept.u, rows, size.threads);
    activateKeepingSlopes(ffn.activation, kept.u, kept.slopes, static_cast<std::size_t>(inner));
    up.run(kept.u, kept.v, rows, size.threads);
}

void FeedbackSteps::refine(int step, float* now)
{
    const FeedbackKept kept = buffers.kept(step);
    const std::array weights{weight(FeedbackTensor::gateScale, step),
                             weight(FeedbackTensor::gateShift, step)};
    forEachToken({0, sizes.tokens}, size.threads, [&](std::int64_t t, int thread) {
        const auto through = [&](const auto& gates, const auto& row, int first, int n) {
            const std::int64_t at = t * sizes.s + first;
            refineKeepingGates({gates[0], gates[1]},
                               kept.phi + at,
                               kept.v + at,
                               kept.z + at,
                               row[0],
                               static_cast<std::size_t>(n));
        };
        picked(step, t).inRuns(
            weights, std::array{now + t * sizes.d}, buffers.scratch(thread).gathered, through);
    });
}

} // namespace flopsmith::cpu
