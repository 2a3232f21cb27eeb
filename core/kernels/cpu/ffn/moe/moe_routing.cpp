// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/moe/moe_routing.h"

#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/expert_balance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace flopsmith::cpu {
namespace {

constexpr std::uint32_t kLastIndex = std::numeric_limits<std::uint32_t>::max();

// Unsigned numbers in the order of the values. NaN counts as the largest, so that it is chosen and
// appears in the output.
std::uint32_t orderOf(float value)
{
    const float ranked = std::isnan(value) ? std::numeric_limits<float>::infinity() : value + 0.0F;
    const auto bits = std::bit_cast<std::uint32_t>(ranked); // + 0 makes −0 equal to 0
    constexpr std::uint32_t kSign = 0x80000000U;
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

float valueOfOrder(std::uint32_t order)
{
    constexpr std::uint32_t kSign = 0x80000000U;
    return std::bit_cast<float>((order & kSign) != 0 ? order & ~kSign : ~order);
}

} // namespace

MoeRouting::MoeRouting(const MoeFfn& ffn,
                       std::int64_t tokens,
                       const StageSize& size,
                       WeightView<float> weights)
    : m_ffn(ffn)
    , m_experts(ffn.experts)
    , m_dModel(size.dModel)
    , m_perToken(ffn.perToken)
    , m_threads(size.threads)
    , m_router(size.dModel,
               ffn.experts,
               weights[0].data(),
               ffn.routerBias ? weights[1].data() : nullptr)
    , m_correction(ffn.correctionBias ? weights[MoeTensors(ffn, size.dModel).correctionBias].data()
                                      : nullptr)
    , m_logits(static_cast<std::size_t>(tokens * m_experts))
    , m_shares(static_cast<std::size_t>(tokens * m_perToken))
    , m_weights(m_shares.size())
    , m_sums(static_cast<std::size_t>(tokens))
    , m_chosen(m_weights.size())
    , m_rows(m_weights.size())
    , m_tokens(m_weights.size())
    , m_starts(static_cast<std::size_t>(m_experts + 1))
    , m_keys(static_cast<std::size_t>(size.threads.count * m_experts * kKeysPerExpert))
{}

void MoeRouting::route(const float* x, std::int64_t tokens)
{
    m_router.run(x, m_logits.data(), tokens, m_threads);
    constexpr std::int64_t kOperationsPerScore = 16;
    const Threads busy = threadsFor(m_threads, tokens * m_experts * kOperationsPerScore);
    onThreads(busy, [&](int part) {
        const Range mine = partOf(tokens, busy.count, part);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            routeToken(m_logits.data() + t * m_experts,
                       t,
                       m_keys.data() + part * m_experts * kKeysPerExpert);
        }
    });
    sortByExpert(tokens);
}

Range MoeRouting::rowsOf(int expert) const
{
    const auto e = static_cast<std::size_t>(expert);
    return {m_starts[e], m_starts[e + 1]};
}

// Chooses by the logits where the scores have the same order, as the reference explains.
void MoeRouting::routeToken(float* logits, std::int64_t token, Key* keys)
{
    std::int32_t* chosen = m_chosen.data() + token * m_perToken;
    float* shares = m_shares.data() + token * m_perToken;
    const bool scoresAll = m_ffn.scored == ScoredExperts::all;
    if (!m_ffn.choosesByScore()) {
        choose(logits, chosen, keys);
    }
    if (scoresAll) {
        scoreRow(logits, m_experts);
    }
    if (m_ffn.choosesByScore()) {
        choose(logits, chosen, keys);
    }
    for (std::int64_t j = 0; j < m_perToken; ++j) {
        shares[j] = logits[chosen[j]];
    }
    if (!scoresAll) {
        scoreRow(shares, m_perToken);
    }
    weigh(token);
}

void MoeRouting::choose(const float* values, std::int32_t* chosen, Key* keys) const
{
    for (std::int64_t e = 0; e < m_experts; ++e) {
        const float value = m_correction == nullptr ? values[e] : values[e] + m_correction[e];
        keys[e] = Key{orderOf(value)} << 32U | (kLastIndex - static_cast<std::uint32_t>(e));
    }
    if (m_ffn.limitsGroups()) {
        keepBestGroups(keys, keys + m_experts);
    }
    if (m_perToken < m_experts) {
        std::nth_element(keys, keys + m_perToken, keys + m_experts, std::greater<>());
    }
    for (std::int64_t j = 0; j < m_perToken; ++j) {
        chosen[j] = static_cast<std::int32_t>(kLastIndex - static_cast<std::uint32_t>(keys[j]));
    }
    std::sort(chosen, chosen + m_perToken);
}

// Experts of the other groups get the key 0, the lowest.
void MoeRouting::keepBestGroups(Key* keys, Key* groupKeys) const
{
    const std::int64_t size = m_ffn.groupSize();
    for (std::int64_t g = 0; g < m_ffn.groups; ++g) {
        Key best = 0;
        Key second = 0;
        for (const Key* key = keys + g * size; key != keys + (g + 1) * size; ++key) {
            second = std::max(second, std::min(best, *key));
            best = std::max(best, *key);
        }
        const auto value = [](Key key) {
            return valueOfOrder(static_cast<std::uint32_t>(key >> 32U));
        };
        const float worth = m_ffn.sumsGroups() ? value(best) + value(second) : value(best);
        groupKeys[g] = Key{orderOf(worth)} << 32U | (kLastIndex - static_cast<std::uint32_t>(g));
    }
    std::nth_element(
        groupKeys, groupKeys + m_ffn.groupsPerToken, groupKeys + m_ffn.groups, std::greater<>());
    for (std::int64_t i = m_ffn.groupsPerToken; i < m_ffn.groups; ++i) {
        const auto g =
            static_cast<std::int64_t>(kLastIndex - static_cast<std::uint32_t>(groupKeys[i]));
        std::fill_n(keys + g * size, size, Key{0});
    }
}

void MoeRouting::weigh(std::int64_t token)
{
    float* shares = m_shares.data() + token * m_perToken;
    if (m_ffn.renormalises()) {
        const float sum = std::accumulate(shares, shares + m_perToken, 0.0F);
        for (std::int64_t j = 0; j < m_perToken; ++j) {
            shares[j] /= sum;
        }
        m_sums.data()[token] = sum;
    }
    float* weights = m_weights.data() + token * m_perToken;
    for (std::int64_t j = 0; j < m_perToken; ++j) {
        weights[j] = static_cast<float>(m_ffn.scale) * shares[j];
    }
}

void MoeRouting::scoreRow(float* row, std::int64_t count) const
{
    if (m_ffn.score == RouterScore::softmax) {
        softmaxRow(row, static_cast<std::size_t>(count));
    } else {
        sigmoidRow(row, static_cast<std::size_t>(count));
    }
}

// A counting sort: the rows of an expert are contiguous, in the order of their tokens.
void MoeRouting::sortByExpert(std::int64_t tokens)
{
    const std::int64_t count = tokens * m_perToken;
    std::fill(m_starts.begin(), m_starts.end(), 0);
    for (std::int64_t i = 0; i < count; ++i) {
        ++m_starts[static_cast<std::size_t>(m_chosen[i]) + 1];
    }
    for (std::size_t e = 1; e < m_starts.size(); ++e) {
        m_starts[e] += m_starts[e - 1];
    }
    for (std::int64_t i = 0; i < count; ++i) { // m_starts[e] runs through the rows of e …
        const std::int64_t row = m_starts[static_cast<std::size_t>(m_chosen[i])]++;
        m_rows[i] = static_cast<std::int32_t>(row);
        m_tokens[row] = static_cast<std::int32_t>(i / m_perToken);
    }
    std::move_backward(m_starts.begin(), m_starts.end() - 1, m_starts.end()); // … to their end
    m_starts.front() = 0;
}

void MoeRouting::gather(const float* x, float* to) const
{
    const Threads busy = threadsFor(m_threads, rows() * m_dModel);
    onThreads(busy, [&](int part) {
        const Range mine = partOf(rows(), busy.count, part);
        for (std::int64_t row = mine.first; row < mine.last; ++row) {
            std::copy_n(x + m_tokens[static_cast<std::size_t>(row)] * m_dModel,
                        m_dModel,
                        to + row * m_dModel);
        }
    });
}

void MoeRouting::sumRows(std::int64_t token,
                         const float* rows,
                         const float* weights,
                         const float* base,
                         float factor,
                         float* to) const
{
    const std::int32_t* own = rowsOfToken(token);
    const auto sumAt = [&](std::size_t i, const auto& loadAt) {
        Lanes sum = base == nullptr ? Lanes{} : factor * loadAt(base + i);
        for (std::int64_t j = 0; j < m_perToken; ++j) {
            const Lanes row = loadAt(rows + own[j] * m_dModel + i);
            sum += weights == nullptr ? row : weights[j] * row;
        }
        return sum;
    };
    along(
        static_cast<std::size_t>(m_dModel),
        [&](std::size_t i) { store(to + i, sumAt(i, load)); },
        [&](std::size_t i, std::size_t n) {
            const auto some = [n](const float* from) { return loadSome(from, n); };
            storeSome(to + i, sumAt(i, some), n);
        });
}

std::vector<float> MoeRouting::balanceBackward(std::int64_t tokens) const
{
    ExpertBalance* balance = BalanceScope::current();
    if (balance == nullptr) {
        return {};
    }
    std::vector<std::int64_t> counts;
    for (int e = 0; e < m_ffn.experts; ++e) {
        counts.push_back(rowsOf(e).size());
    }
    balance->noteLoads(counts);
    if (!balance->balances(m_ffn)) {
        return {};
    }
    std::vector<float> scores(counts.size(), 0.0F);
    for (std::int64_t t = 0; t < tokens; ++t) {
        for (std::int64_t e = 0; e < m_experts; ++e) {
            scores[static_cast<std::size_t>(e)] += m_logits.data()[t * m_experts + e];
        }
    }
    const double perRow = balance->gradientPerRow(m_ffn, tokens);
    std::vector<float> gradients;
    for (std::size_t e = 0; e < counts.size(); ++e) {
        const double gradient = static_cast<double>(counts[e]) * perRow;
        balance->loss += gradient * static_cast<double>(scores[e]);
        gradients.push_back(static_cast<float>(gradient));
    }
    return gradients;
}

void MoeRouting::backward(std::int64_t token,
                          const std::vector<float>& balance,
                          float* dWeights,
                          float* dLogits) const
{
    const float* shares = m_shares.data() + token * m_perToken;
    for (std::int64_t j = 0; j < m_perToken; ++j) {
        dWeights[j] *= static_cast<float>(m_ffn.scale);
    }
    float sum = 1.0F;
    if (m_ffn.renormalises()) {
        sum = m_sums.data()[token];
        const float mean = std::inner_product(dWeights, dWeights + m_perToken, shares, 0.0F);
        for (std::int64_t j = 0; j < m_perToken; ++j) {
            dWeights[j] = (dWeights[j] - mean) / sum;
        }
    }
    scoreBackward(token, sum, balance, dWeights, dLogits);
}

// From the gradients of the chosen scores, which are `sum` times their shares.
void MoeRouting::scoreBackward(std::int64_t token,
                               float sum,
                               const std::vector<float>& balance,
                               const float* dScores,
                               float* dLogits) const
{
    const float* shares = m_shares.data() + token * m_perToken;
    const std::int32_t* chosen = m_chosen.data() + token * m_perToken;
    std::fill_n(dLogits, m_experts, 0.0F);
    if (m_ffn.score == RouterScore::sigmoid) {
        for (std::int64_t j = 0; j < m_perToken; ++j) {
            const float score = sum * shares[j];
            dLogits[chosen[j]] = dScores[j] * score * (1.0F - score);
        }
        return;
    }
    const float* scores = m_logits.data() + token * m_experts;
    const auto asked = [&](std::int64_t e) {
        return balance.empty() ? 0.0F : balance[static_cast<std::size_t>(e)];
    };
    const float mean =
        std::inner_product(balance.begin(),
                           balance.end(),
                           scores,
                           sum * std::inner_product(dScores, dScores + m_perToken, shares, 0.0F));
    if (m_ffn.scored == ScoredExperts::all) { // the others take part in the softmax
        for (std::int64_t e = 0; e < m_experts; ++e) {
            dLogits[e] = (asked(e) - mean) * scores[e];
        }
    }
    for (std::int64_t j = 0; j < m_perToken; ++j) {
        dLogits[chosen[j]] = sum * shares[j] * (dScores[j] + asked(chosen[j]) - mean);
    }
}

float gateFactor(const float* x, const float* weight, std::int64_t dModel)
{
    float logit = 0.0F;
    multiply({1, dModel, 1}, {x, dModel}, {weight, dModel}, Stored::transposed, {&logit, 1});
    return 1.0F / (1.0F + std::exp(-logit));
}

} // namespace flopsmith::cpu
