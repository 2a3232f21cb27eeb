// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/latent/latent_state.h"

#include "core/kernels/cuda/block/elements.cuh"

#include <cmath>

namespace flopsmith::cuda {
namespace {

// Joins rows c | k_rope: cached rows are copied, new ones get c normalised.
template <class Value>
struct FillLatents
{
    const float* down;
    const NormMeasure* measures;
    const float* gamma;
    const float* cachedRows; ///< null: new rows only
    int rank;
    int width;
    int cached;
    int sequence;
    Value* to;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const int perSequence = cached + sequence;
        const std::int64_t batch = row / perSequence;
        const auto place = static_cast<int>(row - batch * perSequence);
        const bool fromCache = place < cached;
        const std::int64_t token = batch * sequence + place - cached;
        for (int i = 0; i < N; ++i) {
            const std::int64_t c = column + i;
            float value = 0.0F;
            if (fromCache) {
                value = cachedRows[(batch * cached + place) * width + c];
            } else {
                value = down[token * width + c];
                value = c < rank ? value * measures[token].factor * gamma[c] : value;
            }
            setTo(to[row * width + c], value);
        }
    }
};

template <class From, class To>
struct CopyColumns
{
    int width;
    const From* from;
    std::int64_t fromStride;
    int fromStep;
    To* to;
    std::int64_t toStride;
    int toStep;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            const int unit = static_cast<int>(column + i) / width;
            const int own = static_cast<int>(column + i) - unit * width;
            setTo(to[row * toStride + unit * toStep + own],
                  asFloat(from[row * fromStride + unit * fromStep + own]));
        }
    }
};

template <class From, class To>
void copyAs(const Device& device,
            std::int64_t rows,
            int units,
            int width,
            const Operand& from,
            int fromStep,
            const Destination& to,
            int toStep)
{
    forEachElement(device,
                   rows,
                   std::int64_t{units} * width,
                   CopyColumns<From, To>{width,
                                         static_cast<const From*>(from.first),
                                         from.stride,
                                         fromStep,
                                         static_cast<To*>(to.first),
                                         to.stride,
                                         toStep});
}

std::size_t elements(std::int64_t rows, std::int64_t columns)
{
    return static_cast<std::size_t>(rows * columns);
}

ScoreSteps stepsOf(const LatentAttention& attention)
{
    ScoreSteps steps;
    steps.scale = static_cast<float>(attention.scoreFactor());
    return steps;
}

} // namespace

void copyColumns(const Device& device,
                 std::int64_t rows,
                 int units,
                 int width,
                 const Operand& from,
                 int fromStep,
                 const Destination& to,
                 int toStep)
{
    using Half = __nv_bfloat16;
    const bool halfFrom = from.element == Element::bfloat16;
    const bool halfTo = to.element == Element::bfloat16;
    auto* run = halfFrom ? (halfTo ? &copyAs<Half, Half> : &copyAs<Half, float>)
                         : (halfTo ? &copyAs<float, Half> : &copyAs<float, float>);
    run(device, rows, units, width, from, fromStep, to, toStep);
}

LatentSizes::LatentSizes(const LatentAttention& a, const Shape& shape)
    : tokens(static_cast<std::int64_t>(shape.tokens()))
    , batch(shape.batch)
    , sequence(shape.sequence)
    , cached(shape.context - shape.sequence)
    , d(shape.dModel)
    , heads(a.heads)
    , queryRank(a.qLoraRank)
    , rank(a.kvLoraRank)
    , nope(a.qkNopeDim)
    , rope(a.qkRopeDim)
    , value(a.vHeadDim)
    , absorbed(a.inStep(cached > 0).isAbsorbed())
    , joins(!absorbed && a.cachesLatents())
    , causal(a.causal)
{}

CoreSize LatentSizes::core() const
{
    CoreSize size{.batch = batch,
                  .queries = sequence,
                  .cached = joins ? 0 : cached,
                  .fresh = joins ? cached + sequence : sequence,
                  .heads = heads,
                  .groupSize = absorbed ? heads : 1,
                  .keyDim = keyDim(),
                  .valueDim = valueDim(),
                  .firstPosition = cached};
    if (causal) {
        size.forward = 0;
    }
    return size;
}

CacheStrides LatentSizes::cacheStrides() const
{
    return {keyWidth(), absorbed ? keyWidth() : heads * value};
}

LatentState::LatentState(const LatentAttention& attention,
                         const Shape& shape,
                         DeviceWeights w,
                         const Device& on,
                         Keeping keeping)
    : device(on)
    , n(attention, shape)
    , at(attention)
    , steps(stepsOf(attention))
    , query(device,
            n.d,
            n.queryRank > 0 ? n.queryRank : n.heads * n.qkDim(),
            w[at.q],
            tensorAt(w, at.qBias))
    , down(device, n.d, n.latentWidth(), w[at.down], tensorAt(w, at.downBias))
    , out(device, n.heads * n.value, n.d, w[at.out], tensorAt(w, at.outBias))
    , keyWeight(device, w[at.keys], n.rank, n.heads * n.nope)
    , valueWeight(device, w[at.values], n.rank, n.heads * n.value)
    , rotations(device, n.cached, n.sequence, n.rope, attention.rope)
    , latentGamma(w[at.norm].data())
    , norm(attention.latentNorm())
    , m_x(device, shape.activations())
    , m_queryLatents(device.memory(), elements(n.tokens, n.queryRank))
    , m_queryMeasures(device.memory(), elements(n.queryRank > 0 ? n.tokens : 0, 1))
    , m_queryNormed(device, elements(n.tokens, n.queryRank))
    , m_q(device.memory(), elements(n.tokens, n.heads * n.qkDim()))
    , m_qRounded(device, m_q.size())
    , m_down(device.memory(), elements(n.tokens, n.latentWidth()))
    , m_latentMeasures(device.memory(), elements(n.tokens, 1))
    , m_latents(device, elements(n.latentRows(), n.latentWidth()))
    , m_queries(device, n.absorbed ? elements(n.tokens, n.heads * n.keyDim()) : 0)
    , m_keys(device, n.absorbed ? 0 : elements(n.latentRows(), n.keyWidth()))
    , m_values(device, n.absorbed ? 0 : elements(n.latentRows(), n.heads * n.value))
    , m_sums(device, n.absorbed ? elements(n.tokens, n.heads * n.rank) : 0)
    , m_mixed(device, elements(n.tokens, n.heads * n.value))
    , core(device, attention.algorithm, n.core(), steps, n.cacheStrides(), keeping)
{
    if (attention.hasQueryLatents()) {
        queryGamma = w[at.qNorm].data();
        queryUp.emplace(device, n.queryRank, n.heads * n.qkDim(), w[at.qUp]);
    }
}

NormPieces LatentState::queryRows() const
{
    return {.x = m_queryLatents.data(),
            .stride = n.queryRank,
            .tokens = n.tokens,
            .features = n.queryRank};
}

NormPieces LatentState::latentPieces() const
{
    return {.x = m_down.data(), .stride = n.latentWidth(), .tokens = n.tokens, .features = n.rank};
}

TailsToRotate LatentState::queryTails() const
{
    return {.tokens = n.tokens,
            .sequence = n.sequence,
            .stride = std::int64_t{n.heads} * n.qkDim(),
            .units = n.heads,
            .width = n.qkDim(),
            .features = n.rope};
}

TailsToRotate LatentState::latentTails() const
{
    return {.tokens = n.tokens,
            .sequence = n.sequence,
            .stride = n.latentWidth(),
            .units = 1,
            .width = n.latentWidth(),
            .features = n.rope};
}

Destination LatentState::sums() const
{
    return n.absorbed ? m_sums.rows(n.heads * n.rank) : mixed();
}

void LatentState::projectQueries()
{
    const int width = n.heads * n.qkDim();
    if (queryUp) {
        query.run(x, n.tokens, destinationAt(m_queryLatents.data(), n.queryRank));
        measureRows(device, norm, queryRows(), m_queryMeasures.data());
        const Destination normed = m_queryNormed.rows(n.queryRank);
        scaleRows(device, queryRows(), m_queryMeasures.data(), queryGamma, normed);
        queryNormed = normed;
        queryUp->run(queryNormed, n.tokens, destinationAt(m_q.data(), width));
    } else {
        query.run(x, n.tokens, destinationAt(m_q.data(), width));
    }
    rotateTails(device, queryTails(), rotations.data(), false, m_q.data());
    q = m_qRounded.of(m_q.data(), n.tokens, width);
}

void LatentState::makeLatents(const float* cached)
{
    const int width = n.latentWidth();
    down.run(x, n.tokens, destinationAt(m_down.data(), width));
    rotateTails(device, latentTails(), rotations.data(), false, m_down.data());
    measureRows(device, norm, latentPieces(), m_latentMeasures.data());
    const auto fill = [&](auto* to) {
        using Value = std::remove_pointer_t<decltype(to)>;
        forEachElement(device,
                       n.latentRows(),
                       width,
                       FillLatents<Value>{m_down.data(),
                                          m_latentMeasures.data(),
                                          latentGamma,
                                          cached,
                                          n.rank,
                                          width,
                                          n.joins ? n.cached : 0,
                                          n.sequence,
                                          to});
    };
    if (m_latents.element() == Element::bfloat16) {
        fill(static_cast<__nv_bfloat16*>(m_latents.rows(width).first));
    } else {
        fill(static_cast<float*>(m_latents.rows(width).first));
    }
}

void LatentState::expand(const MixerOnDevice& input)
{
    const std::int64_t rows = n.latentRows();
    const int nopes = n.heads * n.nope;
    const int valueWidth = n.heads * n.value;
    const Destination keys = m_keys.rows(n.keyWidth());
    const Destination values = m_values.rows(valueWidth);
    multiply(device, {rows, n.rank, nopes}, latents(), keyWeight.operand(), keys);
    multiply(device, {rows, n.rank, valueWidth}, latents(), valueWeight.operand(), values);
    copyColumns(device, rows, 1, n.rope, shifted(latents(), n.rank), 0, shifted(keys, nopes), 0);
    read.queries = q;
    read.keys = {.fresh = keys, .own = n.nope, .shared = nopes};
    read.values = ownRows(values, n.value);
    if (!n.joins) {
        read.keys.cached = input.cachedKeys;
        read.keys.cachedStride = n.keyWidth();
        read.values.cached = input.cachedValues;
        read.values.cachedStride = valueWidth;
    }
}

void LatentState::absorb(const MixerOnDevice& input)
{
    const int width = n.heads * n.keyDim();
    const Destination queries = m_queries.rows(width);
    multiply(device,
             {n.tokens, n.nope, n.rank},
             q,
             Stored::straight,
             keyWeight.operand(),
             Stored::transposed,
             queries,
             Into::overwrite,
             {n.heads, n.qkDim(), n.nope, n.keyDim()});
    copyColumns(device,
                n.tokens,
                n.heads,
                n.rope,
                shifted(q, n.nope),
                n.qkDim(),
                shifted(queries, n.rank),
                n.keyDim());
    read.queries = queries;
    read.keys = ownRows(latents(), n.keyDim());
    read.keys.cached = input.cachedKeys;
    read.keys.cachedStride = n.latentWidth();
    read.values = read.keys;
    read.values.own = n.rank;
}

void LatentState::run(const MixerOnDevice& input)
{
    x = m_x.of(input.x, n.tokens, n.d);
    projectQueries();
    makeLatents(input.cachedKeys);
    if (n.absorbed) {
        absorb(input);
    } else {
        expand(input);
    }
    core.run(read, steps, sums());
    if (n.absorbed) {
        multiply(device,
                 {n.tokens, n.rank, n.value},
                 sums(),
                 Stored::straight,
                 valueWeight.operand(),
                 Stored::straight,
                 mixed(),
                 Into::overwrite,
                 {n.heads, n.rank, n.value, n.value});
    }
}

} // namespace flopsmith::cuda
