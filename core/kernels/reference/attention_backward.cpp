// SPDX-License-Identifier: MIT
#include "core/kernels/reference/attention_parts.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/mixer.h"

#include <vector>

namespace flopsmith::reference {
namespace {

// One query head of one token, with all it sees. Keys and values stand in the rows q | k | v.
template <class S>
class Row
{
public:
    Row(const Attention& attention, const Sizes& n, std::span<const S> qkv, std::size_t token)
        : m_attention(attention)
        , m_n(n)
        , m_qkv(qkv)
        , m_token(token)
        , m_visible(visibleTo(attention, n, token % n.queries))
    {}

    void setHead(std::size_t head)
    {
        m_query = m_token * m_n.rowWidth() + head * m_n.headDim;
        const std::size_t first = m_token / m_n.queries * m_n.queries * m_n.rowWidth();
        m_key = first + m_n.queryWidth + head / m_n.sharers * m_n.headDim;
        m_value = m_key + m_n.kvWidth;
    }

    // Largest score and Σ e^(score − largest): what flash attention keeps of the forward pass.
    // Returns the probabilities, which materialised attention keeps.
    std::vector<S> remember(S& largest, S& total) const
    {
        std::vector<S> p = scores();
        largest = p[0];
        for (const S& score : p) {
            largest = largest < score ? score : largest;
        }
        total = S(0);
        for (const S& score : p) {
            using std::exp;
            total += exp(score - largest);
        }
        return probabilities(largest, total);
    }

    std::vector<S> probabilities(const S& largest, const S& total) const
    {
        using std::exp;
        std::vector<S> p = scores();
        for (S& score : p) {
            score = exp(score - largest) / total;
        }
        return p;
    }

    // out = Σ_j p_j·v_j
    void weightedSum(const std::vector<S>& p, std::span<S> out) const
    {
        for (std::size_t j = 0; j < p.size(); ++j) {
            for (std::size_t c = 0; c < m_n.headDim; ++c) {
                const S term = p[j] * m_qkv[m_value + at(j) + c];
                out[c] = j == 0 ? term : out[c] + term;
            }
        }
    }

    // dv_j (+)= p_j·dOut; returns dp_j = dOut·v_j.
    std::vector<S> weightedSumBackward(const std::vector<S>& p,
                                       std::span<const S> dOut,
                                       std::span<S> dQkv) const
    {
        std::vector<S> dp;
        for (std::size_t j = 0; j < p.size(); ++j) {
            dp.push_back(dot<S>(dOut, m_qkv.subspan(m_value + at(j), m_n.headDim)));
            for (std::size_t c = 0; c < m_n.headDim; ++c) {
                addKeyTerm(j, p[j] * dOut[c], dQkv[m_value + at(j) + c]);
            }
        }
        return dp;
    }

    // ds_j = p_j·(dp_j − centre)
    void softmaxBackward(const std::vector<S>& p, const S& centre, std::vector<S>& dp) const
    {
        for (std::size_t j = 0; j < p.size(); ++j) {
            dp[j] = p[j] * (dp[j] - centre);
        }
    }

    // dq = Σ_j ds_j/√h·k_j and dk_j (+)= ds_j/√h·q
    void scoresBackward(const std::vector<S>& ds, std::span<S> dQkv) const
    {
        for (std::size_t j = 0; j < ds.size(); ++j) {
            const S scaled = ds[j] * scoreScale<S>(m_n);
            for (std::size_t c = 0; c < m_n.headDim; ++c) {
                const S term = scaled * m_qkv[m_key + at(j) + c];
                S& dq = dQkv[m_query + c];
                dq = j == 0 ? term : dq + term;
                addKeyTerm(j, scaled * m_qkv[m_query + c], dQkv[m_key + at(j) + c]);
            }
        }
    }

private:
    // From the sequence's first key to the j-th that is seen.
    std::size_t at(std::size_t j) const { return (m_visible.first + j) * m_n.rowWidth(); }

    std::vector<S> scores() const
    {
        std::vector<S> all;
        const auto query = m_qkv.subspan(m_query, m_n.headDim);
        for (std::size_t j = 0; j < m_visible.last - m_visible.first; ++j) {
            const auto key = m_qkv.subspan(m_key + at(j), m_n.headDim);
            all.push_back(dot<S>(query, key) * scoreScale<S>(m_n));
        }
        return all;
    }

    // The first query head that sees a key begins the sum: in causal attention the key's own
    // token, else the sequence's first.
    void addKeyTerm(std::size_t j, const S& term, S& gradient) const
    {
        const std::size_t position = m_token % m_n.queries;
        const std::size_t first = m_attention.causal ? m_visible.first + j : 0;
        const std::size_t head = (m_query - m_token * m_n.rowWidth()) / m_n.headDim;
        const bool begins = position == first && head % m_n.sharers == 0;
        gradient = begins ? term : gradient + term;
    }

    const Attention& m_attention;
    const Sizes& m_n;
    std::span<const S> m_qkv;
    std::size_t m_token;
    Visible m_visible;
    std::size_t m_query = 0; ///< first feature of the query, the sequence's first key and value
    std::size_t m_key = 0;
    std::size_t m_value = 0;
};

// q | k | v of all tokens, rotated.
template <class S>
std::vector<S> projected(const Attention& attention,
                         const Sizes& n,
                         const AttentionTensors<const std::vector<S>>& w,
                         std::span<const S> x)
{
    std::vector<S> qkv(n.batch * n.queries * n.rowWidth());
    linear<S>(n.batch * n.queries, x, *w.qkv, w.qkvBias, qkv);
    if (attention.rotary) {
        rotateAll<S>(n, qkv);
    }
    return qkv;
}

// From the gradient of what goes into the output projection to that of q | k | v.
template <class S>
std::vector<S> coreBackward(const Attention& attention,
                            const Sizes& n,
                            std::span<const S> qkv,
                            const std::vector<S>& mixed,
                            const std::vector<S>& dMixed)
{
    std::vector<S> dQkv(qkv.size());
    for (std::size_t t = 0; t < n.batch * n.queries; ++t) {
        Row<S> row(attention, n, qkv, t);
        for (std::size_t head = 0; head < n.heads; ++head) {
            row.setHead(head);
            const std::size_t first = t * n.queryWidth + head * n.headDim;
            const auto out = std::span<const S>(mixed).subspan(first, n.headDim);
            const auto dOut = std::span<const S>(dMixed).subspan(first, n.headDim);
            S largest{};
            S total{};
            std::vector<S> p;
            {
                const Uncounted kept;
                p = row.remember(largest, total);
            }
            if (!keepsScores(attention)) {
                p = row.probabilities(largest, total);
            }
            std::vector<S> dp = row.weightedSumBackward(p, dOut, dQkv);
            const S centre = keepsScores(attention) ? dot<S>(p, dp) : dot<S>(dOut, out);
            row.softmaxBackward(p, centre, dp);
            row.scoresBackward(dp, dQkv);
        }
    }
    return dQkv;
}

template <class S>
std::vector<S> mixedValues(const Attention& attention, const Sizes& n, std::span<const S> qkv)
{
    std::vector<S> mixed(n.batch * n.queries * n.queryWidth);
    for (std::size_t t = 0; t < n.batch * n.queries; ++t) {
        Row<S> row(attention, n, qkv, t);
        for (std::size_t head = 0; head < n.heads; ++head) {
            row.setHead(head);
            S largest{};
            S total{};
            row.weightedSum(
                row.remember(largest, total),
                std::span<S>(mixed).subspan(t * n.queryWidth + head * n.headDim, n.headDim));
        }
    }
    return mixed;
}

} // namespace

template <class S>
void backward(const Attention& attention,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    FLOPSMITH_CHECK(shape.context == shape.sequence);
    const Sizes n(attention, shape);
    const AttentionTensors<const std::vector<S>> w(attention, weights);
    const AttentionTensors<std::vector<S>> g(attention, gradients);
    std::vector<S> qkv;
    std::vector<S> mixed;
    {
        const Uncounted kept;
        qkv = projected<S>(attention, n, w, x);
        mixed = mixedValues<S>(attention, n, qkv);
    }
    std::vector<S> dMixed(mixed.size());
    linearBackward<S>(shape.tokens(), mixed, *w.out, dy, dMixed, *g.out, g.outBias);
    std::vector<S> dQkv = coreBackward<S>(attention, n, qkv, mixed, dMixed);
    if (attention.rotary) {
        rotateAll<S>(n, dQkv, Turn::back);
    }
    linearBackward<S>(shape.tokens(), x, *w.qkv, dQkv, dx, *g.qkv, g.qkvBias);
}

FLOPSMITH_INSTANTIATE_BACKWARD(Attention)

} // namespace flopsmith::reference
