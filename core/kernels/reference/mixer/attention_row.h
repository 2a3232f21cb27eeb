// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/mixer/attention_scores.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace flopsmith::reference {

/// The backward pass of one query head of one token. Keys and values are in the rows q | k | v.
template <class S>
class AttentionRow
{
public:
    AttentionRow(const Attention& attention,
                 const Sizes& n,
                 WeightView<S> weights,
                 std::span<const S> qkv,
                 std::size_t token)
        : m_attention(attention)
        , m_n(n)
        , m_weights(weights)
        , m_qkv(qkv)
        , m_token(token)
        , m_visible(visibleTo(attention, n, token % n.queries))
    {}

    void setHead(std::size_t head)
    {
        m_head = head;
        m_query = m_token * m_n.rowWidth() + head * m_n.headDim;
        const std::size_t first = m_token / m_n.queries * m_n.queries * m_n.rowWidth();
        m_key = first + m_n.queryWidth + head / m_n.groupSize * m_n.headDim;
        m_value = m_key + m_n.kvWidth;
    }

    /// The probabilities, with row max and row sum Σ e^(score − row max), the sink included.
    /// Materialised attention saves the probabilities, flash attention only maximum and sum.
    std::vector<S> softmaxWithSums(S& rowMax, S& rowSum)
    {
        using std::exp;
        std::vector<S> p = scores();
        if (const S* sink = logitRow().sink()) {
            p.push_back(*sink);
        }
        rowMax = p[0];
        for (const S& score : p) {
            rowMax = rowMax < score ? score : rowMax;
        }
        rowSum = S(0);
        for (const S& score : p) {
            rowSum += exp(score - rowMax);
        }
        return probabilities(rowMax, rowSum);
    }

    std::vector<S> probabilities(const S& rowMax, const S& rowSum)
    {
        using std::exp;
        std::vector<S> p = scores();
        for (S& score : p) {
            score = exp(score - rowMax) / rowSum;
        }
        return p;
    }

    /// out = Σ_j p_j·v_j
    void weightedSum(const std::vector<S>& p, std::span<S> out) const
    {
        for (std::size_t j = 0; j < p.size(); ++j) {
            for (std::size_t c = 0; c < m_n.headDim; ++c) {
                const S term = p[j] * m_qkv[m_value + at(j) + c];
                out[c] = j == 0 ? term : out[c] + term;
            }
        }
    }

    /// dv_j (+)= p_j·dOut; returns dp_j = dOut·v_j.
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

    /// ds_j = p_j·(dp_j − centre)
    void softmaxBackward(const std::vector<S>& p, const S& centre, std::vector<S>& dp) const
    {
        for (std::size_t j = 0; j < p.size(); ++j) {
            dp[j] = p[j] * (dp[j] - centre);
        }
    }

    /// dsink (+)= −p_sink·centre; the first token overwrites.
    void sinkBackward(const S& rowMax,
                      const S& rowSum,
                      const S& centre,
                      std::vector<S>& dSinks) const
    {
        using std::exp;
        const S share = exp(*logitRow().sink() - rowMax) / rowSum;
        accumulate(dSinks[m_head], -(share * centre), m_token == 0);
    }

    /// Turns gradients of the logits of softmax into those of the scaled products.
    void scoreStepsBackward(std::span<S> ds, std::vector<S>* table) const
    {
        logitRow().finishBackward(m_tanhs, ds, table);
    }

    /// dq = Σ_j ds_j/√h·k_j and dk_j (+)= ds_j/√h·q
    void scoresBackward(const std::vector<S>& ds, std::span<S> dQkv) const
    {
        for (std::size_t j = 0; j < ds.size(); ++j) {
            const S scaled = m_attention.scaleScores ? ds[j] * scoreScale<S>(m_n) : ds[j];
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

    LogitRow<S> logitRow() const
    {
        return {m_attention, m_n, m_weights, m_head, m_token % m_n.queries, m_visible.first};
    }

    std::vector<S> scores()
    {
        std::vector<S> all;
        const auto query = m_qkv.subspan(m_query, m_n.headDim);
        for (std::size_t j = 0; j < m_visible.last - m_visible.first; ++j) {
            const auto key = m_qkv.subspan(m_key + at(j), m_n.headDim);
            all.push_back(dot<S>(query, key));
        }
        logitRow().finish(all, m_tanhs);
        return all;
    }

    // The first query that sees a key overwrites, all others accumulate: in causal attention the
    // key's own token is first, otherwise the first token whose window reaches the key.
    void addKeyTerm(std::size_t j, const S& term, S& gradient) const
    {
        const auto forward =
            static_cast<std::size_t>(m_attention.reachForward(static_cast<int>(m_n.keys)));
        const std::size_t key = m_visible.first + j;
        const std::size_t first = key < forward ? 0 : key - forward;
        const bool begins = m_token % m_n.queries == first && m_head % m_n.groupSize == 0;
        gradient = begins ? term : gradient + term;
    }

    const Attention& m_attention;
    const Sizes& m_n;
    WeightView<S> m_weights;
    std::span<const S> m_qkv;
    std::size_t m_token;
    Visible m_visible;
    std::vector<S> m_tanhs; ///< of the scores, if they are capped
    std::size_t m_head = 0;
    std::size_t m_query = 0; ///< first feature of the query, the sequence's first key and value
    std::size_t m_key = 0;
    std::size_t m_value = 0;
};

} // namespace flopsmith::reference
