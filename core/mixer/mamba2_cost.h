// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/layer/activation_cost.h"
#include "core/layer/linear_cost.h"
#include "core/layer/norm_cost.h"
#include "core/mixer/mamba2.h"

#include <algorithm>

namespace flopsmith {

/// The chunks of a pass, of all sequences; the last chunk of a sequence may be shorter.
template <class N>
struct ScanChunks
{
    N number; ///< n
    N pairs; ///< Q: of a token and one that is not after it in its chunk
    N earlier; ///< of a token and one before it in its chunk
};

/// A chunk longer than the sequence holds all of it. With PairsRule::full a chunk of c tokens has c²
/// pairs, as libraries that multiply whole squares count.
template <class N>
ScanChunks<N> scanChunks(int chunk, const Pass<N>& pass)
{
    const int s = pass.sequenceValue;
    const int length = std::min(chunk, s);
    const std::int64_t whole = s / length;
    const std::int64_t rest = s % length;
    const bool full = pass.pairs == PairsRule::full;
    const N c = length == s ? pass.sequence : pass.numbers("c", length);
    ScanChunks<N> chunks;
    if (rest == 0) {
        const N perSequence = full ? N(pass.sequence * c) : N(pass.sequence * (c + N(1)) / N(2));
        chunks.number = length == s ? pass.batch : N(pass.batch * pass.sequence / c);
        chunks.pairs = pass.batch * perSequence;
    } else {
        const std::int64_t one = length;
        const std::int64_t pairs = full ? whole * one * one + rest * rest
                                        : (whole * one * (one + 1) + rest * (rest + 1)) / 2;
        chunks.number = pass.batch * pass.numbers("n_c", whole + 1, "chunks of a sequence");
        chunks.pairs = pass.batch
            * pass.numbers("Q", pairs, "pairs of a token and one not after it in its chunk");
    }
    chunks.earlier = full ? chunks.pairs : N(chunks.pairs - pass.tokens());
    return chunks;
}

/// The sizes that the operations of Mamba-2 share.
template <class N>
struct Mamba2Sizes
{
    N tokens; ///< T
    N heads; ///< H
    N headDim; ///< h
    N state; ///< N
    N groups; ///< G
    N inner; ///< P = H·h
    N channels; ///< P + 2·G·N
    N taps; ///< w_c
    N matrices; ///< H·h·N: elements of a state
    ScanChunks<N> chunks;
};

template <class N>
Mamba2Sizes<N> mamba2Sizes(const Mamba2& mixer, const Pass<N>& pass)
{
    const N heads = pass.numbers("H", mixer.heads);
    const N headDim = pass.numbers("h", mixer.headDim);
    const N state = pass.numbers("N", mixer.stateDim);
    const N groups = mixer.groups == mixer.heads ? heads : N(pass.numbers("G", mixer.groups));
    return {.tokens = pass.tokens(),
            .heads = heads,
            .headDim = headDim,
            .state = state,
            .groups = groups,
            .inner = heads * headDim,
            .channels = heads * headDim + N(2) * groups * state,
            .taps = pass.numbers("w_c", mixer.convWidth),
            .matrices = heads * headDim * state,
            .chunks = scanChunks(mixer.chunk, pass)};
}

/// Whether the pass goes on from a state: it decodes.
template <class N>
bool continuesState(const Pass<N>& pass)
{
    return pass.contextValue > pass.sequenceValue;
}

/// `elements` of every sequence's state, read where the pass goes on from one, and left behind
/// unless it trains.
template <class N>
Traffic<N> stateTraffic(const Pass<N>& pass, const N& elements)
{
    return {.kvRead = continuesState(pass) ? elements : N(0),
            .kvWritten = pass.training ? N(0) : elements};
}

/// A causal depthwise convolution of so many channels, silu after it:
///   mac T·channels·w_c, dot T·channels, add T·channels with a bias
/// The taps before a sequence's start are charged.
template <class N>
void addShortConvolution(const Mamba2& mixer,
                         const Mamba2Sizes<N>& m,
                         const Pass<N>& pass,
                         CostTree<N>& tree)
{
    const N n = m.tokens * m.channels;
    const N weights = m.taps * m.channels;
    Cost<N> cost{.count = {.mac = m.tokens * weights, .dot = n},
                 .traffic = {.weights = weights, .read = n, .written = n},
                 .parameters = ParameterCount<N>::dense(weights),
                 .saved = n};
    cost.traffic += stateTraffic(pass, N(pass.batch * (m.taps - N(1)) * m.channels));
    if (mixer.convBias) {
        cost.count.add = n;
        cost.traffic.weights += m.channels;
        cost.traffic.vectors = m.channels;
        cost.parameters += ParameterCount<N>::ofVectors(m.channels);
    }
    tree.operation("conv", OpKind::linear, n, cost);
    tree.operation("activation", OpKind::activation, n, activationCost(Activation::silu, n));
}

/// Δ = log(1 + e^(Δ + b)): 2 add, 2 exp per token and head.
template <class N>
void addStepSizes(const Mamba2Sizes<N>& m, CostTree<N>& tree)
{
    const N n = m.tokens * m.heads;
    tree.operation("step",
                   OpKind::elementwise,
                   n,
                   {.count = {.add = N(2) * n, .exp = N(2) * n},
                    .traffic = {.weights = m.heads, .vectors = m.heads, .read = n, .written = n},
                    .parameters = ParameterCount<N>::ofVectors(m.heads),
                    .saved = n});
}

/// Of one token after the other, per token and head:
///   Δ·A 1 mul, a 1 exp, Δ·x h mul, (Δ·x)·Bᵀ h·N mul, a·S h·N mul, their sum h·N add;
///   S·C h·N mac, h dot; D·x h mul, h add; −e^A_log once per pass: H exp
template <class N>
OpCount<N> recurrentScanCount(const Mamba2Sizes<N>& m)
{
    const N& t = m.tokens;
    return {.mac = t * m.matrices,
            .dot = t * m.inner,
            .mul = t * (N(2) * m.matrices + N(2) * m.inner + m.heads),
            .add = t * (m.matrices + m.inner),
            .exp = t * m.heads + m.heads};
}

/// Of chunks, with s the sums of Δ·A within a chunk and U = Δ·x:
///   scores     C·Bᵀ of each group on pairs           mac G·N·Q, dot G·Q
///   decays     e^(s_i − s_j) and e^s_i               add H·earlier, exp H·Q
///   M          scores ⊙ decays                       mul H·earlier
///   output     M·U + e^s ⊙ (C·S) + D·x               mac H·h·(Q + T·N), dot 2·T·P, mul 2·T·P, add 2·T·P
///   state      e^s_c·S + Σ_j (e^(s_c − s_j)·U_j)·B_jᵀ   mac T·H·h·N, dot n·H·h·N,
///                                                    mul (T − n)·P + n·H·h·N, add n·H·h·N
///   Δ·A, s, U                                        mul T·H + T·P, add (T − n)·H
/// and −e^A_log once per pass: H exp. The state before the first chunk is zero and treated as others.
template <class N>
OpCount<N> chunkedScanCount(const Mamba2Sizes<N>& m)
{
    const N& t = m.tokens;
    const ScanChunks<N>& k = m.chunks;
    const N states = k.number * m.matrices;
    return {.mac = (m.groups * m.state + m.inner) * k.pairs + N(2) * t * m.matrices,
            .dot = m.groups * k.pairs + N(2) * t * m.inner + states,
            .mul =
                m.heads * (t + k.earlier) + N(3) * t * m.inner + (t - k.number) * m.inner + states,
            .add = m.heads * (t - k.number + k.earlier) + states + N(2) * t * m.inner,
            .exp = m.heads * k.pairs + m.heads};
}

/// The recurrence, on one token after the other or chunk by chunk. Kept for the backward pass: x, B,
/// C, Δ and the state at the end of every chunk.
template <class N>
void addScan(const Mamba2& mixer, const Mamba2Sizes<N>& m, const Pass<N>& pass, CostTree<N>& tree)
{
    const N inputs = m.tokens * (m.channels + m.heads);
    const N outputs = m.tokens * m.inner;
    const N vectors = N(2) * m.heads;
    const bool chunked = mixer.isChunkedIn(continuesState(pass));
    Cost<N> cost{
        .count = chunked ? chunkedScanCount(m) : recurrentScanCount(m),
        .traffic = {.weights = vectors, .vectors = vectors, .read = inputs, .written = outputs},
        .parameters = ParameterCount<N>::ofVectors(vectors),
        .saved = inputs + m.chunks.number * m.matrices};
    cost.traffic += stateTraffic(pass, N(pass.batch * m.matrices));
    tree.operation("scan", OpKind::scan, outputs, cost);
}

/// The norm of every part of P/G_n features, with a γ for each of all P.
template <class N>
Cost<N> partNormCost(const Mamba2& mixer, const Mamba2Sizes<N>& m, const Pass<N>& pass)
{
    const N parts = pass.numbers("G_n", mixer.normGroups);
    Cost<N> cost = normCost(mixer.partNorm(), N(m.tokens * parts), N(m.inner / parts));
    cost.traffic.weights = cost.traffic.vectors = m.inner;
    cost.parameters = ParameterCount<N>::ofVectors(m.inner);
    return cost;
}

/// in_proj, conv and its silu, the step sizes, the scan, the gate with silu(z), norm, out_proj.
/// Parameters d·(2P + 2GN + H) + w_c·(P + 2GN) (+ P + 2GN) + 3H + P·d (+ P).
template <class N>
void addCost(const Mamba2& mixer, const Pass<N>& pass, CostTree<N>& tree)
{
    const Mamba2Sizes<N> m = mamba2Sizes(mixer, pass);
    const N gated = m.tokens * m.inner;
    const Bias bias = biasIf(mixer.bias);
    const N projected = m.inner + m.channels + m.heads;
    tree.operation("in_proj",
                   OpKind::linear,
                   N(m.tokens * projected),
                   linearCost(m.tokens, pass.dModel, projected, bias));
    addShortConvolution(mixer, m, pass, tree);
    addStepSizes(m, tree);
    addScan(mixer, m, pass, tree);
    tree.operation(
        "gate_activation", OpKind::activation, gated, activationCost(Activation::silu, gated));
    tree.operation("gate",
                   OpKind::elementwise,
                   gated,
                   {.count = {.mul = gated},
                    .traffic = {.read = N(2) * gated, .written = gated},
                    .saved = N(2) * gated});
    if (mixer.gatedNorm) {
        tree.operation(
            "norm", OpKind::rmsNorm, gated, partNormCost(mixer, m, pass), &kNormComponent);
    }
    Cost<N> out = linearCost(m.tokens, m.inner, pass.dModel, bias);
    out.saved = gated;
    tree.operation("out_proj", OpKind::linear, N(m.tokens * pass.dModel), out);
}

} // namespace flopsmith
