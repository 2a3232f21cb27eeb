// SPDX-License-Identifier: MIT
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/mixer.h"
#include "core/kernels/reference/mixer/latent_parts.h"

namespace flopsmith::reference {
namespace {

template <class S>
void projectQueries(const LatentAttention& attention,
                    const LatentLoops& n,
                    WeightView<S> w,
                    std::span<const S> x,
                    LatentState<S>& state)
{
    const LatentTensors at(attention);
    state.q.resize(n.tokens * n.heads * n.qkDim());
    if (!attention.hasQueryLatents()) {
        linear<S>(n.tokens, x, w[at.q], nullptr, state.q);
    } else {
        state.queryLatents.resize(n.tokens * n.queryRank);
        state.queryNormed.resize(state.queryLatents.size());
        linear<S>(n.tokens, x, w[at.q], tensorAt(w, at.qBias), state.queryLatents);
        forward<S>(attention.latentNorm(),
                   rowsOfWidth(n.tokens, n.queryRank),
                   w.subspan(at.qNorm, 1),
                   state.queryLatents,
                   state.queryNormed);
        linear<S>(n.tokens, state.queryNormed, w[at.qUp], nullptr, state.q);
    }
    rotateTails<S>(n, state.q, n.qkDim(), n.heads, Rotation::forward);
}

// c | k_rope of the new tokens, normalised and rotated.
template <class S>
std::vector<S> newLatents(const LatentAttention& attention,
                          const LatentLoops& n,
                          WeightView<S> w,
                          std::span<const S> x,
                          LatentState<S>& state)
{
    const LatentTensors at(attention);
    const std::size_t width = n.rank + n.rope;
    std::vector<S> down(n.tokens * width);
    linear<S>(n.tokens, x, w[at.down], tensorAt(w, at.downBias), down);
    rotateTails<S>(n, down, width, 1, Rotation::forward);
    state.raw = columnsOf<S>(down, width, 0, n.rank);
    state.latents.resize(state.raw.size());
    forward<S>(attention.latentNorm(),
               rowsOfWidth(n.tokens, n.rank),
               w.subspan(at.norm, 1),
               state.raw,
               state.latents);
    return besideEachOther<S>(n.tokens, state.latents, columnsOf<S>(down, width, n.rank, n.rope));
}

// k_nope of all heads | k_rope, and v, from rows c | k_rope.
template <class S>
void expand(const LatentLoops& n,
            const std::vector<S>& keyWeight,
            const std::vector<S>& valueWeight,
            std::span<const S> rows,
            LatentState<S>& state)
{
    const std::size_t width = n.rank + n.rope;
    const std::size_t count = rows.size() / width;
    const std::vector<S> latents = columnsOf<S>(rows, width, 0, n.rank);
    std::vector<S> keys(count * n.heads * n.nope);
    state.values.resize(count * n.heads * n.value);
    linear<S>(count, latents, keyWeight, nullptr, keys);
    linear<S>(count, latents, valueWeight, nullptr, state.values);
    state.keys = besideEachOther<S>(count, keys, columnsOf<S>(rows, width, n.rank, n.rope));
}

template <class S>
void absorbKeys(const LatentLoops& n, const std::vector<S>& weight, LatentState<S>& state)
{
    state.queries.resize(n.tokens * n.heads * n.keyDim());
    keyAbsorption(n).run<S>(state.q, weight, state.queries);
    for (std::size_t row = 0; row < n.tokens * n.heads; ++row) {
        const S* rope = state.q.data() + row * n.qkDim() + n.nope;
        std::copy(rope, rope + n.rope, state.queries.data() + row * n.keyDim() + n.rank);
    }
}

} // namespace

template <class S>
LatentState<S> latentState(const LatentAttention& attention,
                           const LatentLoops& n,
                           WeightView<S> w,
                           std::span<const S> x,
                           std::span<const S> cachedKeys,
                           std::span<const S> cachedValues)
{
    const LatentTensors at(attention);
    LatentState<S> state;
    projectQueries<S>(attention, n, w, x, state);
    const std::vector<S> fresh = newLatents<S>(attention, n, w, x, state);
    if (n.absorbed || attention.cachesLatents()) {
        state.keys = joinedRows<S>(n.batch, n.rank + n.rope, cachedKeys, fresh);
    }
    if (n.absorbed) {
        absorbKeys<S>(n, w[at.keys], state);
        return state;
    }
    state.queries = state.q;
    if (n.absorbed || attention.cachesLatents()) {
        const std::vector<S> all = state.keys;
        expand<S>(n, w[at.keys], w[at.values], all, state);
    } else {
        expand<S>(n, w[at.keys], w[at.values], fresh, state);
        state.keys = joinedRows<S>(n.batch, n.keyWidth(), cachedKeys, state.keys);
        state.values = joinedRows<S>(n.batch, n.valueWidth(), cachedValues, state.values);
    }
    return state;
}

template <class S>
void forward(const LatentAttention& attention,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<const S> cachedKeys,
             std::span<const S> cachedValues,
             std::span<S> y)
{
    const LatentLoops n(attention, shape);
    const LatentTensors at(attention);
    const LatentState<S> state = latentState<S>(attention, n, weights, x, cachedKeys, cachedValues);
    const std::vector<S> sums = latentSums<S>(attention, n, state);
    const std::vector<S> mixed = latentMixed<S>(n, weights[at.values], sums);
    linear<S>(n.tokens, mixed, weights[at.out], tensorAt(weights, at.outBias), y);
}

FLOPSMITH_INSTANTIATE_MIXER(LatentAttention)

#define FLOPSMITH_LATENT_STATE(Ignored, S)                                                         \
    template LatentState<S> latentState<S>(const LatentAttention&,                                 \
                                           const LatentLoops&,                                     \
                                           WeightView<S>,                                          \
                                           std::span<const S>,                                     \
                                           std::span<const S>,                                     \
                                           std::span<const S>);
FLOPSMITH_FOR_REFERENCE_SCALARS(FLOPSMITH_LATENT_STATE, LatentAttention)
#undef FLOPSMITH_LATENT_STATE

} // namespace flopsmith::reference
