// SPDX-License-Identifier: MIT
#include "core/mixer/latent_attention.h"

#include "core/kernels/cuda/mixer/operations.h"
#include "core/kernels/cuda/mixer/scores.h"

namespace flopsmith::cuda {
namespace {

// Latents c and rotated k_rope, which all heads share, of new tokens or with the cached ones.
struct Latents
{
    Tensor* c;
    Tensor* rope;
};

class LatentPlan
{
public:
    LatentPlan(Plan& plan, const LatentAttention& attention, const MixerOnDevice& in)
        : m_plan(plan)
        , m_attention(attention.inStep(in.shape.context > in.shape.sequence))
        , m_in(in)
        , m_at(attention)
        , m_cached(in.shape.context - in.shape.sequence)
        , m_heads(attention.heads)
        , m_rank(attention.kvLoraRank)
        , m_nope(attention.qkNopeDim)
        , m_rope(attention.qkRopeDim)
        , m_value(attention.vHeadDim)
    {}

    Tensor* result()
    {
        Tensor* const q = queries();
        const Latents latents = newLatents();
        Tensor* const mixed =
            m_attention.isAbsorbed() ? absorbed(q, latents) : expanded(q, latents);
        return linear(m_plan, mixed, m_in.shape.dModel, weight(m_at.out), bias(m_at.outBias));
    }

private:
    Tensor* weight(std::size_t place) const { return m_in.weights[place]; }
    Tensor* bias(std::size_t place) const { return tensorAt(m_in.weights, place); }

    Rotation rotation(int heads, std::int64_t first) const
    {
        return {.heads = heads,
                .first = static_cast<int>(first),
                .features = static_cast<int>(m_rope),
                .firstPosition = m_cached,
                .sequence = m_in.shape.sequence};
    }

    // [T, H·(h_nope + h_rope)]
    Tensor* queries()
    {
        const std::int64_t width = m_heads * (m_nope + m_rope);
        Tensor* q = nullptr;
        if (m_attention.hasQueryLatents()) {
            Tensor* const down =
                linear(m_plan, m_in.x, m_attention.qLoraRank, weight(m_at.q), bias(m_at.qBias));
            const Norm norm = m_attention.latentNorm();
            Tensor* const c = normed(m_plan, norm, down, m_in.weights.subspan(m_at.qNorm));
            q = linear(m_plan, c, width, weight(m_at.qUp));
        } else {
            q = linear(m_plan, m_in.x, width, weight(m_at.q), bias(m_at.qBias));
        }
        return rotated(m_plan, q, rotation(m_attention.heads, m_nope), m_attention.rope);
    }

    Latents newLatents()
    {
        Tensor* const down =
            linear(m_plan, m_in.x, m_rank + m_rope, weight(m_at.down), bias(m_at.downBias));
        Tensor* const rope = m_plan.columns(down, m_rank, m_rope);
        return {normed(m_plan,
                       m_attention.latentNorm(),
                       m_plan.columns(down, 0, m_rank),
                       m_in.weights.subspan(m_at.norm)),
                rotated(m_plan, rope, rotation(1, 0), m_attention.rope)};
    }

    Tensor* attendedTo(int groupSize, Tensor* q, Tensor* k, Tensor* v)
    {
        ScoreSteps steps;
        steps.scale = static_cast<float>(m_attention.scoreFactor());
        ScoreSize size{.batch = m_in.shape.batch,
                       .queries = m_in.shape.sequence,
                       .keys = m_in.shape.context,
                       .heads = m_attention.heads,
                       .groupSize = groupSize,
                       .firstPosition = m_cached};
        if (m_attention.causal) {
            size.forward = 0;
        }
        return attended(m_plan, m_attention.algorithm, size, steps, q, k, v);
    }

    // Keys and values of H heads from the latents of new tokens, or of all if only latents are cached.
    Tensor* expanded(Tensor* q, Latents latents)
    {
        const bool joins = m_attention.cachesLatents();
        if (joins) {
            latents.c =
                withCached(m_plan, m_in.shape, m_in.cachedKeys, latents.c, numbers(0, m_rank));
            latents.rope = withCached(
                m_plan, m_in.shape, m_in.cachedKeys, latents.rope, numbers(m_rank, m_rope));
        }
        const std::int64_t width = m_nope + m_rope;
        Tensor* keys = m_plan.tensor(latents.c->rows, m_heads * width);
        Tensor* const nope = linear(m_plan, latents.c, m_heads * m_nope, weight(m_at.keys));
        copyColumns(m_plan, {keys, m_heads}, {nope, m_heads}, m_nope);
        copyColumns(m_plan, {keys, m_heads, m_nope}, {latents.rope}, m_rope);
        Tensor* values = linear(m_plan, latents.c, m_heads * m_value, weight(m_at.values));
        if (!joins) {
            // Cached are the features without positions of all heads, then those that they share.
            std::vector<int> columns;
            for (std::int64_t head = 0; head < m_heads; ++head) {
                for (std::int64_t i = 0; i < width; ++i) {
                    const std::int64_t of = i < m_nope ? head : m_heads - 1;
                    columns.push_back(static_cast<int>(of * m_nope + i));
                }
            }
            keys = withCached(m_plan, m_in.shape, m_in.cachedKeys, keys, columns);
            values = withCached(
                m_plan, m_in.shape, m_in.cachedValues, values, numbers(0, values->columns));
        }
        return attendedTo(1, q, keys, values);
    }

    // W_uk folded into the queries, attention to the latents, W_uv applied after the sum.
    Tensor* absorbed(Tensor* q, const Latents& latents)
    {
        const std::int64_t tokens = q->rows;
        const std::int64_t width = m_rank + m_rope;
        Tensor* const folded = m_plan.tensor(tokens, m_heads * width);
        product(m_plan,
                {tokens, m_nope, m_rank},
                {.of = q, .stride = q->columns, .step = m_nope + m_rope},
                {weight(m_at.keys), m_heads * m_nope, Stored::transposed, m_nope},
                {.of = folded, .stride = folded->columns, .step = width},
                {.count = m_heads});
        copyColumns(m_plan, {folded, m_heads, m_rank}, {q, m_heads, m_nope}, m_rope);
        Tensor* const fresh = m_plan.tensor(tokens, width);
        copyColumns(m_plan, {fresh}, {latents.c}, m_rank);
        copyColumns(m_plan, {fresh, 1, m_rank}, {latents.rope}, m_rope);
        Tensor* const keys =
            withCached(m_plan, m_in.shape, m_in.cachedKeys, fresh, numbers(0, width));
        Tensor* const values = m_plan.columns(keys, 0, m_rank);
        Tensor* const sums = attendedTo(m_attention.heads, folded, keys, values);
        Tensor* const mixed = m_plan.tensor(tokens, m_heads * m_value);
        product(m_plan,
                {tokens, m_rank, m_value},
                {.of = sums, .stride = sums->columns, .step = m_rank},
                {.of = weight(m_at.values), .stride = m_heads * m_value, .step = m_value},
                {.of = mixed, .stride = mixed->columns, .step = m_value},
                {.count = m_heads});
        return mixed;
    }

    Plan& m_plan;
    LatentAttention m_attention; ///< in the form of this step
    const MixerOnDevice& m_in;
    LatentTensors m_at;
    int m_cached; ///< C − S
    std::int64_t m_heads;
    std::int64_t m_rank;
    std::int64_t m_nope;
    std::int64_t m_rope;
    std::int64_t m_value;
};

} // namespace

Tensor* planMixer(Plan& plan, const LatentAttention& attention, const MixerOnDevice& in)
{
    return LatentPlan(plan, attention, in).result();
}

} // namespace flopsmith::cuda
