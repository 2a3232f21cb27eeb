// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/layer/linear_cost.h"
#include "core/layer/norm_cost.h"
#include "core/mixer/latent_attention.h"
#include "core/mixer/score_core_cost.h"

namespace flopsmith {

template <class N>
struct LatentSizes
{
    N tokens; ///< T
    N seen; ///< B · C: latents that the pass looks at
    N heads; ///< H
    N queryRank; ///< r_q
    N rank; ///< r_kv
    N nope;
    N rope;
    N value; ///< h_v
    ScoreCore<N> core;
};

template <class N>
LatentSizes<N> latentSizes(const LatentAttention& attention, const Pass<N>& pass)
{
    LatentSizes<N> a{.tokens = pass.tokens(),
                     .seen = pass.batch * pass.context,
                     .heads = pass.numbers("H", attention.heads),
                     .queryRank = pass.numbers("r_q", attention.qLoraRank),
                     .rank = pass.numbers("r_kv", attention.kvLoraRank),
                     .nope = pass.numbers("h_nope", attention.qkNopeDim),
                     .rope = pass.numbers("h_rope", attention.qkRopeDim),
                     .value = pass.numbers("h_v", attention.vHeadDim),
                     .core = {}};
    const N twice = twicePairs(Attention{.causal = attention.causal, .window = 0}, pass);
    const bool absorbed = attention.isAbsorbed();
    a.core = {.rows = a.tokens * a.heads,
              .pairs = {pass.batch * a.heads * twice},
              .keyDim = absorbed ? N(a.rank + a.rope) : N(a.nope + a.rope),
              .valueDim = absorbed ? a.rank : a.value,
              .keys = a.seen * (absorbed ? N(a.rank + a.rope) : N(a.heads * a.nope + a.rope)),
              .values = a.seen * (absorbed ? a.rank : N(a.heads * a.value)),
              .valuesAreKeys = absorbed,
              .materialised = attention.algorithm == AttentionAlgorithm::materialised};
    return a;
}

/// One product per head of rows [T, in] with a matrix [in, out] of its own, H·in·out weights.
///   mac T·H·in·out, dot T·H·out
template <class N>
Cost<N> perHeadProductCost(const LatentSizes<N>& a, const N& in, const N& out)
{
    const N weights = a.heads * in * out;
    return {.count = {.mac = a.tokens * weights, .dot = a.core.rows * out},
            .traffic = {.weights = weights, .read = a.core.rows * in, .written = a.core.rows * out},
            .parameters = ParameterCount<N>::dense(weights),
            .saved = a.core.rows * in};
}

/// The queries of all heads, from x directly or through latents of their own.
template <class N>
void addQueryCost(const LatentAttention& attention,
                  const LatentSizes<N>& a,
                  const Pass<N>& pass,
                  CostTree<N>& tree)
{
    const N width = a.heads * (a.nope + a.rope);
    const N n = a.tokens * width;
    if (!attention.hasQueryLatents()) {
        tree.operation(
            "q_proj", OpKind::linear, n, linearCost(a.tokens, pass.dModel, width, Bias::absent));
        return;
    }
    const N latents = a.tokens * a.queryRank;
    tree.operation("q_a_proj",
                   OpKind::linear,
                   latents,
                   linearCost(a.tokens, pass.dModel, a.queryRank, biasIf(attention.bias)));
    tree.operation("q_norm", OpKind::norm, latents, normCost(Norm::rms(), a.tokens, a.queryRank));
    Cost<N> up = linearCost(a.tokens, a.queryRank, width, Bias::absent);
    up.saved = latents;
    tree.operation("q_b_proj", OpKind::linear, n, up);
}

/// Latents c | k_rope: down projection, norm of c, RoPE of all queries and of k_rope.
template <class N>
void addLatentCost(const LatentAttention& attention,
                   const LatentSizes<N>& a,
                   const Pass<N>& pass,
                   CostTree<N>& tree)
{
    const N width = a.rank + a.rope;
    const N latents = a.tokens * a.rank;
    const N queries = a.core.rows * a.rope;
    const N keys = a.tokens * a.rope;
    const N rotated = queries + keys;
    tree.operation("kv_a_proj",
                   OpKind::linear,
                   N(a.tokens * width),
                   linearCost(a.tokens, pass.dModel, width, biasIf(attention.bias)));
    Cost<N> norm = normCost(Norm::rms(), a.tokens, a.rank);
    norm.traffic.written = N(0);
    norm.traffic += writtenTo(attention.causal, latents);
    tree.operation("kv_norm", OpKind::norm, latents, norm);
    tree.operation("rotary",
                   OpKind::rotary,
                   rotated,
                   {.count = {.mul = N(2) * rotated, .add = rotated},
                    .traffic = writtenTo(attention.causal, keys)
                        + Traffic<N>{.read = rotated, .written = queries}});
}

/// The expanded form's k_b_proj and v_b_proj, linear r_kv → H·h_nope and r_kv → H·h_v: of all C
/// latents of a sequence if only latents are cached, otherwise of the S new ones.
template <class N>
void addExpansionCost(const LatentAttention& attention, const LatentSizes<N>& a, CostTree<N>& tree)
{
    const bool again = attention.cachesLatents();
    const N tokens = again ? a.seen : a.tokens;
    const auto add = [&](std::string_view name, const N& width) {
        Cost<N> cost = linearCost(tokens, a.rank, width, Bias::absent);
        cost.traffic.read = N(0);
        cost.traffic += readFrom(attention.causal && again, N(tokens * a.rank));
        cost.traffic.written = tokens * width;
        cost.saved = name == "k_b_proj" ? N(tokens * a.rank) : N(0); // both read the same
        tree.operation(name, OpKind::linear, N(tokens * width), cost);
    };
    add("k_b_proj", N(a.heads * a.nope));
    add("v_b_proj", N(a.heads * a.value));
}

/// Where the core finds its keys and values.
template <class N>
void addLatentCore(const LatentAttention& attention, const LatentSizes<N>& a, CostTree<N>& tree)
{
    const bool cached = attention.causal;
    if (attention.isAbsorbed()) {
        addScoreCore(a.core, readFrom(cached, a.core.keys), readFrom(cached, a.core.values), tree);
        return;
    }
    const N rotary = a.seen * a.rope; // the only keys in the cache
    const Traffic<N> keys =
        readFrom(cached, rotary) + readFrom(false, N(a.seen * a.heads * a.nope));
    addScoreCore(a.core, keys, readFrom(false, a.core.values), tree);
}

/// In the form of the pass: automatic is absorbed in decode.
template <class N>
LatentAttention inStep(const LatentAttention& attention, const Pass<N>& pass)
{
    return attention.inStep(pass.contextValue > pass.sequenceValue);
}

/// In the order of execution, of T new tokens:
///   q_proj        linear d → H(h_nope + h_rope); with r_q: q_a_proj linear d → r_q, q_norm (RMSNorm
///                 of r_q), q_b_proj linear r_q → H(h_nope + h_rope)
///   kv_a_proj     linear d → r_kv + h_rope
///   kv_norm       RMSNorm of r_kv
///   rotary        2 mul, 1 add per feature of q_rope and k_rope: T·h_rope·(H + 1) of them
/// expanded:
///   k_b_proj, v_b_proj   linear r_kv → H·h_nope, r_kv → H·h_v; see addExpansionCost()
///   scores, softmax, weighted_sum   addScoreCore() with w = h_nope + h_rope, v = h_v
/// absorbed:
///   absorb_k      q_nope·W_ukᵀ of each head: mac T·H·h_nope·r_kv, dot T·H·r_kv
///   scores, softmax, weighted_sum   with w = r_kv + h_rope, v = r_kv
///   absorb_v      the sums times W_uv: mac T·H·r_kv·h_v, dot T·H·h_v
/// and out_proj, linear H·h_v → d.
template <class N>
void addCost(const LatentAttention& given, const Pass<N>& pass, CostTree<N>& tree)
{
    const LatentAttention attention = inStep(given, pass);
    const LatentSizes<N> a = latentSizes(attention, pass);
    addQueryCost(attention, a, pass, tree);
    addLatentCost(attention, a, pass, tree);
    if (attention.isAbsorbed()) {
        tree.operation("absorb_k",
                       OpKind::linear,
                       N(a.core.rows * a.rank),
                       perHeadProductCost(a, a.nope, a.rank));
        addLatentCore(attention, a, tree);
        tree.operation("absorb_v",
                       OpKind::linear,
                       N(a.core.rows * a.value),
                       perHeadProductCost(a, a.rank, a.value));
    } else {
        addExpansionCost(attention, a, tree);
        addLatentCore(attention, a, tree);
    }
    const N sums = a.heads * a.value;
    Cost<N> out = linearCost(a.tokens, sums, pass.dModel, biasIf(attention.bias));
    out.saved = a.tokens * sums;
    tree.operation("out_proj", OpKind::linear, N(a.tokens * pass.dModel), out);
}

} // namespace flopsmith
