// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/mixer/scores.h"

#include "core/kernels/cuda/mixer/score_strips.h"
#include "core/kernels/weights.h"
#include "tests/core/kernels/cuda/device_under_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flopsmith::cuda {
namespace {

using testing::Each;

constexpr int kKeys = 7;
constexpr int kKeyDim = 6;
constexpr int kValueDim = 3;

// Scores: 7 of a query, 35 of a head, 70 of the heads that share keys, 140 of a sequence.
ScoreSize smallSize()
{
    return {.batch = 3,
            .queries = 5,
            .keys = kKeys,
            .heads = 4,
            .groupSize = 2,
            .firstPosition = 1,
            .back = 3,
            .forward = 1};
}

// One query of a group, some of them, a group of heads, a sequence, two, and all.
const std::vector<std::int64_t> kLimits{1, 16, 35, 80, 140, 300, 10000};

class CudaScoreStrips : public testing::TestWithParam<std::int64_t>
{};

TEST_P(CudaScoreStrips, HaveEveryRowOfScoresOnce)
{
    const ScoreSize size = smallSize();
    std::vector<int> visits(static_cast<std::size_t>(size.batch * size.heads * size.queries));
    const std::vector<Strip> strips = scoreStrips(size, GetParam());
    for (const Strip& strip : strips) {
        const std::int64_t scores = strip.units * size.groupSize * strip.queries * kKeys;
        EXPECT_LE(scores, std::max<std::int64_t>(GetParam(), size.groupSize * kKeys));
        EXPECT_LE(scores, scoresInMemory(size, strips));
        for (std::int64_t head = 0; head < strip.units * size.groupSize; ++head) {
            for (int query = strip.firstQuery; query < strip.firstQuery + strip.queries; ++query) {
                const std::int64_t row =
                    (strip.firstUnit * size.groupSize + head) * size.queries + query;
                ++visits[static_cast<std::size_t>(row)];
            }
        }
    }
    EXPECT_THAT(visits, Each(1));
}

INSTANTIATE_TEST_SUITE_P(Limits, CudaScoreStrips, testing::ValuesIn(kLimits));

// Attention with every step of the scores; with keys before the first query without a backward pass.
class Problem
{
public:
    Problem(const Device& device, AttentionAlgorithm algorithm, std::int64_t atOnce, int cached)
        : m_plan(device, cached == 0 ? Pass::backward : Pass::forward)
        , m_size(smallSize())
    {
        if (cached > 0) {
            m_size.firstPosition = cached;
            m_size.keys = cached + m_size.queries;
        }
        const std::int64_t keyHeads = m_size.keyHeads();
        Tensor* const q = random(m_size.batch * m_size.queries, m_size.heads * kKeyDim);
        Tensor* const k = random(m_size.batch * m_size.keys, keyHeads * kKeyDim);
        Tensor* const v = random(m_size.batch * m_size.keys, keyHeads * kValueDim);
        const ScoreSteps steps{.scale = 0.5F,
                               .cap = 1.5F,
                               .slopes = random(1, m_size.heads)->values,
                               .biases = random(1, std::int64_t{m_size.heads} * kOffsets),
                               .sinks = random(1, m_size.heads)};
        m_out = attended(m_plan, algorithm, m_size, steps, q, k, v, atOnce);
        m_plan.finish(m_out);
    }

    // out, and without a cache the gradients of all that it is made of.
    std::vector<std::vector<float>> results()
    {
        m_plan.runForward();
        std::vector<std::vector<float>> all{onHost(m_out->values, m_out)};
        if (m_plan.learns()) {
            const auto dOut =
                randomActivations<float>(static_cast<std::size_t>(m_out->elements()), 99);
            copyToDevice(m_out->gradient, dOut.data(), dOut.size() * sizeof(float));
            m_plan.runBackward();
            for (const Tensor* const input : m_inputs) {
                all.push_back(onHost(input->gradient, input));
            }
        }
        return all;
    }

private:
    Tensor* random(std::int64_t rows, std::int64_t columns)
    {
        const auto values =
            randomActivations<float>(static_cast<std::size_t>(rows * columns), m_seed++);
        return m_inputs.emplace_back(m_plan.input(values, columns));
    }

    std::vector<float> onHost(const float* values, const Tensor* of) const
    {
        std::vector<float> copy(static_cast<std::size_t>(of->elements()));
        copyToHost(m_plan.device(), values, copy);
        return copy;
    }

    Plan m_plan;
    ScoreSize m_size;
    std::vector<Tensor*> m_inputs;
    Tensor* m_out = nullptr;
    unsigned m_seed = 1;
};

void expectNear(const std::vector<std::vector<float>>& found,
                const std::vector<std::vector<float>>& right,
                double tolerance)
{
    ASSERT_EQ(found.size(), right.size());
    for (std::size_t tensor = 0; tensor < right.size(); ++tensor) {
        ASSERT_EQ(found[tensor].size(), right[tensor].size());
        float largest = 0.0F;
        float error = 0.0F;
        for (std::size_t i = 0; i < right[tensor].size(); ++i) {
            largest = std::max(largest, std::abs(right[tensor][i]));
            error = std::max(error, std::abs(found[tensor][i] - right[tensor][i]));
        }
        EXPECT_LE(error, tolerance * largest) << "tensor " << tensor;
    }
    EXPECT_THAT(right.front(), testing::Contains(testing::Ne(0.0F)));
}

class CudaScores : public OnDeviceWith<std::int64_t>
{};

// A gradient passes three products (scores, their gradient, and its own), each of two rounded
// operands; strips of another size may take another kernel of cuBLAS, which rounds them otherwise.
TEST_P(CudaScores, StripsGiveWhatTheWholeMatrixGives)
{
    for (const ProductPrecision precision : kPrecisions) {
        for (const int cached : {0, 4}) {
            SCOPED_TRACE(nameOf(precision));
            const auto device = openDevice(precision);
            Problem whole(*device, AttentionAlgorithm::materialised, 1, cached);
            Problem strips(*device, AttentionAlgorithm::flash, GetParam(), cached);
            expectNear(strips.results(), whole.results(), 1e-5 + 6 * operandRounding(precision));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Limits, CudaScores, testing::ValuesIn(kLimits));

// A matrix of 8 MiB that flash attention has a strip of at a time.
TEST(CudaScoreMemory, FlashHoldsAStripOfTheScores)
{
    const ScoreSize size{.batch = 2, .queries = 1024, .keys = 1024};
    const std::int64_t strip = 256 * 1024;
    EXPECT_EQ(scoresInMemory(size, scoreStrips(size, 300 * 1024)), strip);
    EXPECT_EQ(scoresInMemory(size, scoreStrips(size, 0)), 8 * strip);
}

} // namespace
} // namespace flopsmith::cuda
