// SPDX-License-Identifier: MIT
#include "core/ffn/micro_refine.h"

#include "core/kernels/cuda/plan/choice.cuh"
#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {
namespace {

// The channels of z that a round refines: of all, or of each group.
KeptValues keptChannels(Plan& plan, const MicroRefineFfn& ffn, const Tensor* z)
{
    const auto d = static_cast<int>(z->columns);
    if (ffn.selection == ChannelSelection::fixed) {
        return keptPlaces(plan, ffn.fixedList(d), d);
    }
    ValueGroups groups{{0, d}, {ffn.keptChannels(d)}};
    if (ffn.mode == MicroRefineMode::groups) {
        groups = {{0}, {}};
        for (int group = 0; group < ffn.steps; ++group) {
            groups.starts.push_back(ffn.groupStart(group + 1, d));
            groups.kept.push_back(
                kept(ffn.keepRatio, groups.starts.back() - ffn.groupStart(group, d)));
        }
    }
    const float* const values = z->values;
    return keptLargest(plan, z->rows, groups, [=] __device__(std::int64_t row, int channel) {
        return magnitudeKey(values[row * d + channel]);
    });
}

// [z +] β·tanh(γz + δ) of the kept channels.
Tensor* refined(Plan& plan, const KeptValues& kept, Tensor* z, Tensors weights, bool adds)
{
    Tensor* const y = plan.tensor(z->rows, z->columns);
    const std::int64_t d = z->columns;
    const float* const beta = weights[0]->values;
    const float* const gamma = weights[1]->values;
    const float* const delta = weights[2]->values;
    const float* const from = z->values;
    const float* const dy = y->gradient;
    const auto bend = [=] __device__(std::int64_t at, std::int64_t channel) {
        return tanhf(fmaf(gamma[channel], from[at], delta[channel]));
    };
    // The gradient of γz + δ.
    const auto inner = [=] __device__(std::int64_t row, std::int64_t channel) {
        const std::int64_t at = row * d + channel;
        const float h = bend(at, channel);
        return kept.has(row, channel) ? dy[at] * beta[channel] * (1.0F - h * h) : 0.0F;
    };
    fill(plan, y, [=] __device__(std::int64_t row, std::int64_t channel) {
        const std::int64_t at = row * d + channel;
        const float value = kept.has(row, channel) ? beta[channel] * bend(at, channel) : 0.0F;
        return adds ? from[at] + value : value;
    });
    addGradient(plan, z, [=] __device__(std::int64_t row, std::int64_t channel) {
        const float through = gamma[channel] * inner(row, channel);
        return adds ? dy[row * d + channel] + through : through;
    });
    sumIntoGradient(
        plan, weights[0], z->rows, [=] __device__(std::int64_t row, std::int64_t channel) {
            const std::int64_t at = row * d + channel;
            return kept.has(row, channel) ? dy[at] * bend(at, channel) : 0.0F;
        });
    sumIntoGradient(
        plan, weights[1], z->rows, [=] __device__(std::int64_t row, std::int64_t channel) {
            return inner(row, channel) * from[row * d + channel];
        });
    sumIntoGradient(plan, weights[2], z->rows, inner);
    return y;
}

} // namespace

Tensor* planFfn(Plan& plan, const MicroRefineFfn& ffn, const FfnInput& in)
{
    if (ffn.mode == MicroRefineMode::groups) {
        return refined(plan, keptChannels(plan, ffn, in.x), in.x, in.weights, false);
    }
    Tensor* z = in.x;
    for (int round = 0; round < ffn.steps; ++round) {
        z = refined(plan, keptChannels(plan, ffn, z), z, in.weights, true);
    }
    return sumOf(plan, z, in.x, -1.0F);
}

} // namespace flopsmith::cuda
