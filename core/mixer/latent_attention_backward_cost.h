// SPDX-License-Identifier: MIT
#pragma once

#include "core/mixer/latent_attention_cost.h"

namespace flopsmith {

/// Two products for it: mac 2·T·H·in·out, dot T·H·in + H·in·out.
template <class N>
Cost<N> perHeadProductBackwardCost(const LatentSizes<N>& a, const N& in, const N& out)
{
    const N weights = a.heads * in * out;
    return {.count = {.mac = N(2) * a.tokens * weights, .dot = a.core.rows * in + weights},
            .traffic = {.weights = weights,
                        .read = a.core.rows * in + N(2) * a.core.rows * out,
                        .written = a.core.rows * in,
                        .gradients = weights}};
}

/// Backward of the queries' projections; the first one yields the gradient of x.
template <class N>
void addQueryBackwardCost(const LatentAttention& attention,
                          const LatentSizes<N>& a,
                          const Pass<N>& pass,
                          CostTree<N>& tree)
{
    const N width = a.heads * (a.nope + a.rope);
    const N x = a.tokens * pass.dModel;
    if (!attention.hasQueryLatents()) {
        tree.operation("q_proj",
                       OpKind::linear,
                       x,
                       linearBackwardCost(a.tokens, pass.dModel, width, Bias::absent));
        return;
    }
    const N latents = a.tokens * a.queryRank;
    tree.operation("q_a_proj",
                   OpKind::linear,
                   x,
                   linearBackwardCost(a.tokens, pass.dModel, a.queryRank, biasIf(attention.bias)));
    tree.operation(
        "q_norm", OpKind::norm, latents, normBackwardCost(Norm::rms(), a.tokens, a.queryRank));
    tree.operation("q_b_proj",
                   OpKind::linear,
                   latents,
                   linearBackwardCost(a.tokens, a.queryRank, width, Bias::absent));
}

/// Backward of the latents' projection, norm and rotation. The gradient of x that comes through
/// them is added to that through the queries: T·d add, charged to kv_a_proj.
template <class N>
void addLatentBackwardCost(const LatentAttention& attention,
                           const LatentSizes<N>& a,
                           const Pass<N>& pass,
                           CostTree<N>& tree)
{
    const N x = a.tokens * pass.dModel;
    const N rotated = a.tokens * a.rope * (a.heads + N(1));
    Cost<N> down =
        linearBackwardCost(a.tokens, pass.dModel, N(a.rank + a.rope), biasIf(attention.bias));
    down += {.count = {.add = x}, .traffic = {.read = N(2) * x, .written = x}};
    tree.operation("kv_a_proj", OpKind::linear, x, down);
    tree.operation("kv_norm",
                   OpKind::norm,
                   N(a.tokens * a.rank),
                   normBackwardCost(Norm::rms(), a.tokens, a.rank));
    tree.operation("rotary",
                   OpKind::rotary,
                   rotated,
                   {.count = {.mul = N(2) * rotated, .add = rotated},
                    .traffic = {.read = rotated, .written = rotated}});
}

/// The gradients of x and of every weight: linear layers as linearBackwardCost(), norms as
/// normBackwardCost(), the core as addScoreCoreBackward(), absorb_k and absorb_v as
/// perHeadProductBackwardCost(), RoPE rotated back (2 mul, 1 add per feature). In the expanded form
/// the latents' gradients through keys and values are added: T·r_kv add, charged to v_b_proj. Of
/// prefill alone (C = S).
template <class N>
void addBackwardCost(const LatentAttention& given, const Pass<N>& pass, CostTree<N>& tree)
{
    const LatentAttention attention = inStep(given, pass);
    const LatentSizes<N> a = latentSizes(attention, pass);
    const N latents = a.tokens * a.rank;
    addQueryBackwardCost(attention, a, pass, tree);
    addLatentBackwardCost(attention, a, pass, tree);
    if (attention.isAbsorbed()) {
        tree.operation("absorb_k",
                       OpKind::linear,
                       N(a.core.rows * a.nope),
                       perHeadProductBackwardCost(a, a.nope, a.rank));
        addScoreCoreBackward(a.core, tree);
        tree.operation("absorb_v",
                       OpKind::linear,
                       N(a.core.rows * a.rank),
                       perHeadProductBackwardCost(a, a.rank, a.value));
    } else {
        tree.operation("k_b_proj",
                       OpKind::linear,
                       latents,
                       linearBackwardCost(a.tokens, a.rank, N(a.heads * a.nope), Bias::absent));
        Cost<N> values = linearBackwardCost(a.tokens, a.rank, N(a.heads * a.value), Bias::absent);
        values +=
            {.count = {.add = latents}, .traffic = {.read = N(2) * latents, .written = latents}};
        tree.operation("v_b_proj", OpKind::linear, latents, values);
        addScoreCoreBackward(a.core, tree);
    }
    const N sums = a.heads * a.value;
    tree.operation("out_proj",
                   OpKind::linear,
                   N(a.tokens * sums),
                   linearBackwardCost(a.tokens, sums, pass.dModel, biasIf(attention.bias)));
}

} // namespace flopsmith
