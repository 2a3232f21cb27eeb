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
    return keptMagnitudes(plan, z, groups);
}

// [z +] β·tanh(γz + δ) of the kept channels.
Tensor* refined(Plan& plan, const KeptValues& kept, Tensor* z, Tensors weights, bool adds)
{
    Tensor* const y = plan.tensor(z->rows, z->columns);
    const float* const beta = weights[0]->values;
    const float* const gamma = weights[1]->values;
    const float* const delta = weights[2]->values;
    const Matrix from = valuesOf(z);
    const Matrix dy = gradientOf(y);
    const auto bend = [=] __device__(Index row, Index channel) {
        return tanhf(fmaf(gamma[channel], from(row, channel), delta[channel]));
    };
    // The gradient of γz + δ.
    const auto inner = [=] __device__(Index row, Index channel) {
        const float h = bend(row, channel);
        const float slope = dy(row, channel) * beta[channel] * (1.0F - h * h);
        return kept.has(row, channel) ? slope : 0.0F;
    };
    fill(plan, y, [=] __device__(Index row, Index channel) {
        const float value = kept.has(row, channel) ? beta[channel] * bend(row, channel) : 0.0F;
        return adds ? from(row, channel) + value : value;
    });
    addGradient(plan, z, [=] __device__(Index row, Index channel) {
        const float through = gamma[channel] * inner(row, channel);
        return adds ? dy(row, channel) + through : through;
    });
    sumIntoGradient(plan, weights[0], z->rows, [=] __device__(Index row, Index channel) {
        return kept.has(row, channel) ? dy(row, channel) * bend(row, channel) : 0.0F;
    });
    sumIntoGradient(plan, weights[1], z->rows, [=] __device__(Index row, Index channel) {
        return inner(row, channel) * from(row, channel);
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
