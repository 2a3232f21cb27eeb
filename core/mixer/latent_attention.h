// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/count/cost_tree.h"
#include "core/count/numbers.h"
#include "core/layer/linear.h"
#include "core/layer/norm.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"
#include "core/mixer/attention.h"
#include "core/mixer/score_core.h"

namespace flopsmith {

enum class LatentForm {
    expanded, ///< keys and values are expanded from the latents; attention of H heads among them
    absorbed, ///< W_uk folded into the queries, W_uv applied after the sum: attention to latents
};

template <>
std::vector<std::string_view> enumNames<LatentForm>();

/// What the expanded form caches. The absorbed one needs the latents alone.
enum class LatentCache {
    latents, ///< r_kv + h_rope per token; a decode step expands all of them again
    keysAndValues, ///< H·(h_nope + h_v) + h_rope per token; only new tokens are expanded
};

template <>
std::vector<std::string_view> enumNames<LatentCache>();

/// Multi-head latent attention (MLA, DeepSeek-V2 and V3). Keys and values of all heads are
/// functions of one latent c per token, so that the cache holds c and not them.
///   q = norm(x·W_qa)·W_qb (or x·W_q), per head q_nope | q_rope;  c | k_rope = x·W_kva;
///   c ← norm(c);  k_nope, v = c·W_uk, c·W_uv;  RoPE on q_rope and on k_rope, which all heads share;
///   y = softmax((q_nope·k_nopeᵀ + q_rope·k_ropeᵀ)/√(h_nope + h_rope))·v·Wo
/// Both norms are RMSNorms. YaRN's temperature is a number in the scale and costs nothing.
struct LatentAttention
{
    int heads = 16; ///< H
    int qLoraRank = 0; ///< r_q; 0: queries are projected directly
    int kvLoraRank = 512; ///< r_kv, width of the latents
    int qkNopeDim = 128; ///< h_nope, features of queries and keys without positions, per head
    int qkRopeDim = 64; ///< h_rope, those that RoPE turns; even
    int vHeadDim = 128; ///< h_v
    bool causal = true;
    bool bias = false; ///< of W_qa, W_kva and Wo
    LatentForm form = LatentForm::expanded;
    LatentCache cache = LatentCache::latents;
    AttentionAlgorithm algorithm = AttentionAlgorithm::flash;

    bool operator==(const LatentAttention&) const = default;

    int qkDim() const { return qkNopeDim + qkRopeDim; }
    bool isAbsorbed() const { return form == LatentForm::absorbed; }
    bool cachesLatents() const { return isAbsorbed() || cache == LatentCache::latents; }
    bool hasQueryLatents() const { return qLoraRank > 0; }

    /// Latents c | k_rope (normalised, turned) as keys, or k_nope of all heads | k_rope as keys and
    /// v of all heads as values.
    CachedFeatures cachedFeatures(int /*dModel*/) const
    {
        if (cachesLatents()) {
            return {.keys = std::int64_t{kvLoraRank} + qkRopeDim, .values = 0};
        }
        return {.keys = std::int64_t{heads} * qkNopeDim + qkRopeDim,
                .values = std::int64_t{heads} * vHeadDim};
    }

    static const VariantInfo& info();
    static const std::vector<Field<LatentAttention>>& fields();
};

/// q.weight [d, H·(h_nope + h_rope)], or q_a.weight [d, r_q], its bias, q_norm [1, r_q],
/// q_b.weight [r_q, H·(h_nope + h_rope)]; then kv_a.weight [d, r_kv + h_rope], its bias,
/// kv_norm [1, r_kv], k_b.weight [r_kv, H·h_nope], v_b.weight [r_kv, H·h_v], out.weight [H·h_v, d],
/// its bias. Columns of several heads stand head by head.
WeightShapes weights(const LatentAttention& attention, int dModel);

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
              .pairs = pass.batch * a.heads * twice / N(2),
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
    const N turned = queries + keys;
    tree.operation("kv_a_proj",
                   OpKind::linear,
                   N(a.tokens * width),
                   linearCost(a.tokens, pass.dModel, width, biasIf(attention.bias)));
    Cost<N> norm = normCost(Norm::rms(), a.tokens, a.rank);
    norm.traffic.written = N(0);
    norm.traffic += writtenTo(attention.causal && attention.cachesLatents(), latents);
    tree.operation("kv_norm", OpKind::norm, latents, norm);
    tree.operation("rotary",
                   OpKind::rotary,
                   turned,
                   {.count = {.mul = N(2) * turned, .add = turned},
                    .traffic = writtenTo(attention.causal, keys)
                        + Traffic<N>{.read = turned, .written = queries}});
}

/// The expanded form's k_b_proj and v_b_proj, linear r_kv → H·h_nope and r_kv → H·h_v: of all C
/// latents of a sequence where these are what is cached, else of the S new ones.
template <class N>
void addExpansionCost(const LatentAttention& attention, const LatentSizes<N>& a, CostTree<N>& tree)
{
    const bool again = attention.cachesLatents();
    const N tokens = again ? a.seen : a.tokens;
    const auto add = [&](std::string_view name, const N& width) {
        Cost<N> cost = linearCost(tokens, a.rank, width, Bias::absent);
        cost.traffic.read = N(0);
        cost.traffic.written = N(0);
        cost.traffic += readFrom(attention.causal && again, N(tokens * a.rank));
        cost.traffic += writtenTo(attention.causal && !again, N(tokens * width));
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
    if (attention.isAbsorbed() || !attention.cachesLatents()) {
        addScoreCore(a.core, readFrom(cached, a.core.keys), readFrom(cached, a.core.values), tree);
        return;
    }
    const N rotary = a.seen * a.rope; // the only keys that were not expanded just now
    const Traffic<N> keys =
        readFrom(cached, rotary) + readFrom(false, N(a.seen * a.heads * a.nope));
    addScoreCore(a.core, keys, readFrom(false, a.core.values), tree);
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
void addCost(const LatentAttention& attention, const Pass<N>& pass, CostTree<N>& tree)
{
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

/// Backward of the queries' projections; the first of them leaves the gradient of x.
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
    const N turned = a.tokens * a.rope * (a.heads + N(1));
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
                   turned,
                   {.count = {.mul = N(2) * turned, .add = turned},
                    .traffic = {.read = turned, .written = turned}});
}

/// The gradients of x and of every weight: linear layers as linearBackwardCost(), norms as
/// normBackwardCost(), the core as addScoreCoreBackward(), absorb_k and absorb_v as
/// perHeadProductBackwardCost(), RoPE turned back (2 mul, 1 add per feature). In the expanded form
/// the latents' gradients through keys and values are added: T·r_kv add, charged to v_b_proj. Of
/// prefill alone (C = S).
template <class N>
void addBackwardCost(const LatentAttention& attention, const Pass<N>& pass, CostTree<N>& tree)
{
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
