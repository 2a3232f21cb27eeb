// SPDX-License-Identifier: MIT
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/mixer.h"
#include "core/kernels/reference/mixer/latent_parts.h"

namespace flopsmith::reference {
namespace {

// Gradients of the core's inputs.
template <class S>
struct LatentCoreGradients
{
    std::vector<S> queries; ///< [T, H·keyDim]
    std::vector<S> keys; ///< [T, keyWidth]
    std::vector<S> values; ///< [T, valueWidth]; of the absorbed form the first r_kv of each row
};

template <class S>
LatentCoreGradients<S> latentCoreBackward(const LatentAttention& attention,
                                          const LatentLoops& n,
                                          const LatentState<S>& state,
                                          const std::vector<S>& sums,
                                          const std::vector<S>& dSums)
{
    LatentCoreGradients<S> d{std::vector<S>(state.queries.size()),
                             std::vector<S>(state.keys.size()),
                             std::vector<S>(n.tokens * n.valueWidth())};
    const bool materialised = attention.algorithm == AttentionAlgorithm::materialised;
    for (std::size_t t = 0; t < n.tokens; ++t) {
        for (std::size_t head = 0; head < n.heads; ++head) {
            // The first query that sees a key: its own token's if causal, otherwise the sequence's
            // first.
            const std::size_t position = t % n.queries;
            const auto begins = [&, position](std::size_t key) {
                return position == (attention.causal ? key : 0);
            };
            const auto beginsShared = [begins, head](std::size_t key) {
                return head == 0 && begins(key);
            };
            const std::size_t row = t * n.heads + head;
            const ScoreRowGradient<S, decltype(begins), decltype(beginsShared)> gradient{
                std::span<S>(d.queries).subspan(row * n.keyDim(), n.keyDim()),
                d.keys,
                d.values,
                begins,
                beginsShared};
            attendBackward(latentRow(attention, n, state, t, head),
                           materialised,
                           std::span<const S>(sums).subspan(row * n.valueDim(), n.valueDim()),
                           std::span<const S>(dSums).subspan(row * n.valueDim(), n.valueDim()),
                           gradient);
        }
    }
    return d;
}

template <class S>
void addTo(std::span<S> sum, const std::vector<S>& terms)
{
    for (std::size_t i = 0; i < terms.size(); ++i) {
        sum[i] += terms[i];
    }
}

// The core's gradients of q, of c and of the rotated k_rope.
template <class S>
struct InputGradients
{
    std::vector<S> q; ///< [T, H·(h_nope + h_rope)]
    std::vector<S> latents; ///< [T, r_kv]
    std::vector<S> rope; ///< [T, h_rope]
};

template <class S>
InputGradients<S> throughExpansion(const LatentAttention& attention,
                                   const LatentLoops& n,
                                   WeightView<S> w,
                                   const LatentState<S>& state,
                                   LatentCoreGradients<S> d,
                                   GradientView<S> g)
{
    const LatentTensors at(attention);
    const std::size_t width = n.keyWidth();
    InputGradients<S> to{.q = std::move(d.queries),
                         .latents = std::vector<S>(state.latents.size()),
                         .rope = columnsOf<S>(d.keys, width, width - n.rope, n.rope)};
    const std::vector<S> dKeys = columnsOf<S>(d.keys, width, 0, width - n.rope);
    std::vector<S> throughValues(state.latents.size());
    linearBackward<S>(n.tokens, state.latents, w[at.keys], dKeys, to.latents, g[at.keys], nullptr);
    linearBackward<S>(
        n.tokens, state.latents, w[at.values], d.values, throughValues, g[at.values], nullptr);
    addTo<S>(to.latents, throughValues);
    return to;
}

template <class S>
InputGradients<S> throughAbsorption(const LatentAttention& attention,
                                    const LatentLoops& n,
                                    WeightView<S> w,
                                    const LatentState<S>& state,
                                    const LatentCoreGradients<S>& d,
                                    GradientView<S> g)
{
    const LatentTensors at(attention);
    const std::size_t width = n.keyWidth();
    InputGradients<S> to{.q = std::vector<S>(state.q.size()),
                         .latents = columnsOf<S>(d.keys, width, 0, n.rank),
                         .rope = columnsOf<S>(d.keys, width, n.rank, n.rope)};
    addTo<S>(to.latents, columnsOf<S>(d.values, width, 0, n.rank));
    keyAbsorption(n).runBackward<S>(state.q, w[at.keys], d.queries, to.q, g[at.keys]);
    for (std::size_t row = 0; row < n.tokens * n.heads; ++row) {
        const S* rope = d.queries.data() + row * n.keyDim() + n.rank;
        std::copy(rope, rope + n.rope, to.q.data() + row * n.qkDim() + n.nope);
    }
    return to;
}

// Backward pass of the latents: their part of dx, and the gradients of their weights.
template <class S>
void latentsBackward(const LatentAttention& attention,
                     const LatentLoops& n,
                     WeightView<S> w,
                     std::span<const S> x,
                     const LatentState<S>& state,
                     InputGradients<S>& d,
                     std::span<S> dx,
                     GradientView<S> g)
{
    const LatentTensors at(attention);
    std::vector<S> dRaw(state.raw.size());
    backward<S>(attention.latentNorm(),
                rowsOfWidth(n.tokens, n.rank),
                w.subspan(at.norm, 1),
                state.raw,
                d.latents,
                dRaw,
                g.subspan(at.norm, 1));
    rotateTails<S>(n, d.rope, n.rope, 1, Rotation::back);
    const std::vector<S> dDown = besideEachOther<S>(n.tokens, dRaw, d.rope);
    linearBackward<S>(n.tokens, x, w[at.down], dDown, dx, g[at.down], tensorAt(g, at.downBias));
}

// Backward pass of the queries: their part of dx, and the gradients of their weights.
template <class S>
void queriesBackward(const LatentAttention& attention,
                     const LatentLoops& n,
                     WeightView<S> w,
                     std::span<const S> x,
                     const LatentState<S>& state,
                     std::span<S> dQ,
                     std::span<S> dx,
                     GradientView<S> g)
{
    const LatentTensors at(attention);
    rotateTails<S>(n, dQ, n.qkDim(), n.heads, Rotation::back);
    if (!attention.hasQueryLatents()) {
        linearBackward<S>(n.tokens, x, w[at.q], dQ, dx, g[at.q], nullptr);
        return;
    }
    std::vector<S> dNormed(state.queryNormed.size());
    std::vector<S> dLatents(dNormed.size());
    linearBackward<S>(n.tokens, state.queryNormed, w[at.qUp], dQ, dNormed, g[at.qUp], nullptr);
    backward<S>(attention.latentNorm(),
                rowsOfWidth(n.tokens, n.queryRank),
                w.subspan(at.qNorm, 1),
                state.queryLatents,
                dNormed,
                dLatents,
                g.subspan(at.qNorm, 1));
    linearBackward<S>(n.tokens, x, w[at.q], dLatents, dx, g[at.q], tensorAt(g, at.qBias));
}

} // namespace

template <class S>
void backward(const LatentAttention& attention,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    const LatentLoops n(attention, shape);
    const LatentTensors at(attention);
    LatentState<S> state;
    std::vector<S> sums;
    std::vector<S> mixed;
    {
        const Uncounted scope;
        state = latentState<S>(attention, n, weights, x, {}, {});
        sums = latentSums<S>(attention, n, state);
        mixed = latentMixed<S>(n, weights[at.values], sums);
    }
    std::vector<S> dMixed(mixed.size());
    linearBackward<S>(n.tokens,
                      mixed,
                      weights[at.out],
                      dy,
                      dMixed,
                      gradients[at.out],
                      tensorAt(gradients, at.outBias));
    std::vector<S> dSums(sums.size());
    if (n.absorbed) {
        valueAbsorption(n).runBackward<S>(
            sums, weights[at.values], dMixed, dSums, gradients[at.values]);
    } else {
        dSums = dMixed;
    }
    LatentCoreGradients<S> core = latentCoreBackward<S>(attention, n, state, sums, dSums);
    InputGradients<S> d = n.absorbed
        ? throughAbsorption<S>(attention, n, weights, state, core, gradients)
        : throughExpansion<S>(attention, n, weights, state, std::move(core), gradients);
    std::vector<S> throughLatents(dx.size());
    queriesBackward<S>(attention, n, weights, x, state, d.q, dx, gradients);
    latentsBackward<S>(attention, n, weights, x, state, d, throughLatents, gradients);
    addTo<S>(dx, throughLatents);
}

FLOPSMITH_INSTANTIATE_BACKWARD(LatentAttention)

} // namespace flopsmith::reference
