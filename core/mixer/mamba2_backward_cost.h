// SPDX-License-Identifier: MIT
#pragma once

#include "core/mixer/mamba2_cost.h"

namespace flopsmith {

/// Of the convolution: dx and dW each mac T·channels·w_c, db (T − 1)·channels add. The taps beyond
/// either end of a sequence are charged, as in the forward pass.
template <class N>
void addShortConvolutionBackward(const Mamba2& mixer, const Mamba2Sizes<N>& m, CostTree<N>& tree)
{
    const N n = m.tokens * m.channels;
    const N weights = m.taps * m.channels;
    Cost<N> cost{
        .count = {.mac = N(2) * m.tokens * weights, .dot = n + weights},
        .traffic = {.weights = weights, .read = N(3) * n, .written = n, .gradients = weights}};
    if (mixer.convBias) {
        cost.count.add = n - m.channels;
        cost.traffic.read += n;
        cost.traffic.gradients += m.channels;
    }
    tree.operation("conv", OpKind::linear, n, cost);
    tree.operation(
        "activation", OpKind::activation, n, activationBackwardCost(Activation::silu, n));
}

/// Through log(1 + e^x), times σ(x): 1 mul, 1 add, 1 div, 1 exp per token and head; db (T − 1)·H add.
template <class N>
void addStepSizesBackward(const Mamba2Sizes<N>& m, CostTree<N>& tree)
{
    const N n = m.tokens * m.heads;
    tree.operation("step",
                   OpKind::elementwise,
                   n,
                   {.count = {.mul = n, .add = N(2) * n - m.heads, .div = n, .exp = n},
                    .traffic = {.weights = m.heads,
                                .vectors = m.heads,
                                .read = N(2) * n,
                                .written = n,
                                .gradients = m.heads}});
}

/// Backwards in time, with the gradient dS of the state, per token and head:
///   dS ← dS + dy·Cᵀ, after the token a·dS            mul 2·h·N, add h·N
///   dC = Sᵀ·dy and dB = dSᵀ·U over a group's heads   mac 2·h·N, dot 2·N per group
///   dU = dS·B                                        mac h·N, dot h
///   d(Δ·A) = a·⟨dS, S before⟩                        mac h·N, dot 1, mul 1
///   dΔ = d(Δ·A)·A + ⟨x, dU⟩                          mac h, dot 1, mul 1, add 1
///   dx = Δ·dU + D·dy                                 mul 2·h, add h
///   dA, dD, and dA_log = A·dA                        mac 1 + h, dot 2 and mul 1 per head
/// after running the recurrence again within each chunk: 1 + h mul, 1 exp, and but for the token whose
/// state is kept 2·h·N mul, h·N add.
template <class N>
OpCount<N> recurrentScanBackwardCount(const Mamba2Sizes<N>& m)
{
    const N& t = m.tokens;
    const N again = t - m.chunks.number;
    return {
        .mac = N(4) * t * m.matrices + N(2) * t * m.inner + t * m.heads,
        .dot = N(2) * t * m.groups * m.state + t * m.inner + N(2) * t * m.heads + N(2) * m.heads,
        .mul = N(2) * (t + again) * m.matrices + N(3) * t * m.inner + N(3) * t * m.heads + m.heads,
        .add = (t + again) * m.matrices + t * m.inner + t * m.heads,
        .exp = t * m.heads + m.heads};
}

/// Chunk by chunk from the last. Scores, decays, M, s and U are computed again; with dS the gradient
/// of the state that a chunk leaves (of the last one zero, treated as others), per head:
///   dM = dy·Uᵀ on pairs; dU = Mᵀ·dy                  mac 2·h·Q, dot Q + T·h
///   X = dM ⊙ decays, summed over a group's heads     mul earlier, add (1 − G/H)·Q
///   dU += e^(s_c − s_j) ⊙ (dS·B)                     mac T·h·N, dot T·h, mul (T − n)·h, add T·h
///   dB = dSᵀ·(e^(s_c − s_j) ⊙ U), dC = Sᵀ·(e^s ⊙ dy)  mac 2·T·h·N, dot 2·T·N per group,
///                                                    mul (T − n)·h + T·h
///   dB += Xᵀ·C, dC += X·B of each group              mac 2·N·Q, dot 2·T·N, add 2·T·N
///   dS ← e^s_c·dS + Σ (e^s ⊙ dy)·Cᵀ                  mac T·h·N, dot n·h·N, mul n·h·N, add n·h·N
///   ds = ⟨dy, y − D·x⟩ − ⟨U, dU⟩, at the end + ⟨dS, S⟩   mac 3·T·h + n·h·N, dot 3·T + n, mul 2·T,
///                                                    add 2·T + n
///   d(Δ·A): sums of ds to the chunk's end            add T − n
///   dΔ = d(Δ·A)·A + ⟨x, dU⟩; dx = Δ·dU + D·dy        mul T + 2·T·h, add T + T·h
///   dA, dD, and dA_log = A·dA                        mac T, dot 1, add T − 1, mul 1
template <class N>
OpCount<N> chunkedScanBackwardCount(const Mamba2Sizes<N>& m)
{
    const N& t = m.tokens;
    const ScanChunks<N>& k = m.chunks;
    const N states = k.number * m.matrices;
    const N groupState = m.groups * m.state;
    const N inner = t - k.number; // tokens that are not the last of their chunk
    return {.mac = N(3) * groupState * k.pairs + N(2) * m.inner * k.pairs + N(4) * t * m.matrices
                + N(3) * t * m.inner + states + t * m.heads,
            .dot = (m.groups + m.heads) * k.pairs + N(2) * t * m.inner + N(4) * t * groupState
                + states + N(3) * t * m.heads + k.number * m.heads + m.heads,
            .mul = m.heads * (N(4) * t + N(2) * k.earlier) + N(4) * t * m.inner
                + N(2) * inner * m.inner + states + m.heads,
            .add = m.heads * (N(2) * inner + k.earlier + N(4) * t + k.number - N(1))
                + N(2) * t * m.inner + states + (m.heads - m.groups) * k.pairs
                + N(2) * t * groupState,
            .exp = m.heads * k.pairs + m.heads};
}

/// Two products per linear layer, the scan as above; a training pass has no cache.
template <class N>
void addBackwardCost(const Mamba2& mixer, const Pass<N>& pass, CostTree<N>& tree)
{
    const Mamba2Sizes<N> m = mamba2Sizes(mixer, pass);
    const N gated = m.tokens * m.inner;
    const Bias bias = biasIf(mixer.bias);
    tree.operation(
        "in_proj",
        OpKind::linear,
        N(m.tokens * pass.dModel),
        linearBackwardCost(m.tokens, pass.dModel, N(m.inner + m.channels + m.heads), bias));
    addShortConvolutionBackward(mixer, m, tree);
    addStepSizesBackward(m, tree);
    const bool chunked = mixer.isChunkedIn(false);
    const N inputs = m.tokens * (m.channels + m.heads);
    const N vectors = N(2) * m.heads;
    tree.operation("scan",
                   OpKind::scan,
                   inputs,
                   {.count = chunked ? chunkedScanBackwardCount(m) : recurrentScanBackwardCount(m),
                    .traffic = {.weights = vectors,
                                .vectors = vectors,
                                .read = inputs + m.chunks.number * m.matrices
                                    + (chunked ? N(2) : N(1)) * gated,
                                .written = inputs,
                                .gradients = vectors}});
    tree.operation("gate_activation",
                   OpKind::activation,
                   gated,
                   activationBackwardCost(Activation::silu, gated));
    tree.operation("gate",
                   OpKind::elementwise,
                   N(N(2) * gated),
                   {.count = {.mul = N(2) * gated},
                    .traffic = {.read = N(3) * gated, .written = N(2) * gated}});
    if (mixer.gatedNorm) {
        const N parts = pass.numbers("G_n", mixer.normGroups);
        Cost<N> norm = normBackwardCost(mixer.partNorm(), N(m.tokens * parts), N(m.inner / parts));
        norm.count.add += m.inner / parts - m.inner; // γ is summed over tokens, not over parts
        norm.traffic.weights = norm.traffic.vectors = norm.traffic.gradients = m.inner;
        tree.operation("norm", OpKind::rmsNorm, gated, norm, &kNormComponent);
    }
    tree.operation("out_proj",
                   OpKind::linear,
                   gated,
                   linearBackwardCost(m.tokens, m.inner, pass.dModel, bias));
}

} // namespace flopsmith
