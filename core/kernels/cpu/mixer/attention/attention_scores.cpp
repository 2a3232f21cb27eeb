// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_scores.h"

#include "core/kernels/cpu/simd/vector_math.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

const float* tensorAt(WeightView<float> weights, std::size_t place)
{
    return place == 0 ? nullptr : weights[place].data();
}

// Key minus query position of all pairs that are not masked; empty without a bias.
Range visibleOffsets(const Attention& attention, const AttentionPlan& plan)
{
    if (!attention.biasesScores()) {
        return {0, 0};
    }
    return {-std::min(plan.reachBack, plan.keys() - 1),
            std::min(plan.reachForward, plan.queries - 1) + 1};
}

} // namespace

ScoreSteps::ScoreSteps(const Attention& attention,
                       const AttentionPlan& plan,
                       WeightView<float> weights)
    : m_cap(static_cast<float>(attention.softCap))
    , m_heads(plan.heads)
    , m_first(visibleOffsets(attention, plan).first)
    , m_offsets(visibleOffsets(attention, plan).size())
    , m_sinks(tensorAt(weights, AttentionTensors(attention).sinks))
    , m_table(tensorAt(weights, AttentionTensors(attention).relativeBias))
    , m_biases(static_cast<std::size_t>(m_heads * m_offsets))
{
    for (std::int64_t i = 0; i < m_offsets; ++i) {
        const auto offset = static_cast<int>(m_first + i);
        if (learnsBias()) {
            m_buckets.push_back(
                relativeBucket(offset, attention.relativeBuckets, attention.direction()));
            continue;
        }
        for (std::int64_t head = 0; head < m_heads; ++head) {
            m_biases.data()[head * m_offsets + i] =
                static_cast<float>(fixedBias(attention, static_cast<int>(head), offset));
        }
    }
}

void ScoreSteps::lookUp()
{
    for (std::int64_t head = 0; learnsBias() && head < m_heads; ++head) {
        float* biases = m_biases.data() + head * m_offsets;
        for (std::size_t i = 0; i < m_buckets.size(); ++i) {
            biases[i] = m_table[m_buckets[i] * m_heads + head];
        }
    }
}

void ScoreSteps::apply(HeadRow row, Range seen, float* scores, float* tanhs) const
{
    const auto count = static_cast<std::size_t>(seen.size());
    if (hasSoftCap()) {
        const float cap = m_cap;
        const float inverse = 1.0F / cap;
        float* to = tanhs == nullptr ? scores : tanhs;
        transform(scores, to, count, [=](Lanes s, std::size_t) { return tanh(s * inverse); });
        transform(to, scores, count, [=](Lanes t, std::size_t) { return t * cap; });
    }
    if (hasBias()) {
        combine(
            scores, biasesOf(row.head) + indexOf(row, seen), scores, count, [](Lanes s, Lanes b) {
                return s + b;
            });
    }
}

void ScoreSteps::applyBackward(HeadRow row,
                               Range seen,
                               const float* tanhs,
                               float* ds,
                               float* biases) const
{
    const auto count = static_cast<std::size_t>(seen.size());
    if (biases != nullptr) {
        float* sums = biases + indexOf(row, seen);
        combine(sums, ds, sums, count, [](Lanes sum, Lanes d) { return sum + d; });
    }
    if (hasSoftCap()) {
        combine(ds, tanhs, ds, count, [](Lanes d, Lanes t) { return d * (1.0F - t * t); });
    }
}

void ScoreSteps::addToTable(std::int64_t head, const float* biases, std::span<float> table) const
{
    for (std::size_t i = 0; i < m_buckets.size(); ++i) {
        table[static_cast<std::size_t>(m_buckets[i] * m_heads + head)] += biases[i];
    }
}

} // namespace flopsmith::cpu
