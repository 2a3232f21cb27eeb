// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/mixer/attention/score_core.h"

#include "core/kernels/weights.h"
#include "tests/core/kernels/cuda/device_under_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flopsmith::cuda {
namespace {

using testing::Each;

// Scores: 7 of a query, 35 of a head, 70 of the heads that share keys, 140 of a sequence.
CoreSize smallSize()
{
    return {.batch = 3,
            .queries = 5,
            .cached = 0,
            .fresh = 7,
            .heads = 4,
            .groupSize = 2,
            .keyDim = 6,
            .valueDim = 3,
            .firstPosition = 1,
            .back = 3,
            .forward = 1};
}

// One query, some of them, a head, a group of heads, a sequence, two, and all.
const std::vector<std::int64_t> kLimits{1, 16, 35, 80, 140, 300, 10000};

class CudaScoreSlices : public testing::TestWithParam<std::int64_t>
{};

TEST_P(CudaScoreSlices, HaveEveryRowOfScoresOnce)
{
    const CoreSize size = smallSize();
    std::vector<int> visits(static_cast<std::size_t>(size.rows()));
    std::int64_t largest = 0;
    for (const ScoreSlice& slice : scoreSlices(size, GetParam())) {
        largest = std::max(largest, slice.size.rows() * slice.size.keys());
        for (std::int64_t i = 0; i < slice.size.batch; ++i) {
            for (int head = 0; head < slice.size.heads; ++head) {
                for (int query = 0; query < slice.size.queries; ++query) {
                    const std::int64_t token =
                        (slice.firstSequence + i) * size.queries + slice.firstQuery + query;
                    ++visits[static_cast<std::size_t>(token * size.heads + slice.firstHead + head)];
                }
            }
        }
    }
    EXPECT_THAT(visits, Each(1));
    EXPECT_LE(largest, std::max<std::int64_t>(GetParam(), size.keys()));
}

TEST_P(CudaScoreSlices, AreNeverLargerThanTheFirst)
{
    const std::vector<ScoreSlice> slices = scoreSlices(smallSize(), GetParam());
    const CoreSize& first = slices.front().size;
    for (const ScoreSlice& slice : slices) {
        EXPECT_LE(slice.size.batch, first.batch);
        EXPECT_LE(slice.size.heads, first.heads);
        EXPECT_LE(slice.size.queries, first.queries);
    }
}

INSTANTIATE_TEST_SUITE_P(Limits, CudaScoreSlices, testing::ValuesIn(kLimits));

// Attention with every step of the scores, and keys with features that all heads share.
class Problem
{
public:
    Problem(const Device& device, const CoreSize& size)
        : m_device(device)
        , m_size(size)
        , m_queries(random(size.batch * size.queries * queryWidth(), 1))
        , m_keys(random(size.batch * size.fresh * keyWidth(), 2))
        , m_values(random(size.batch * size.fresh * valueWidth(), 3))
        , m_dOut(random(size.batch * size.queries * outWidth(), 4))
        , m_cachedKeys(random(size.batch * size.cached * keyWidth(), 5))
        , m_cachedValues(random(size.batch * size.cached * valueWidth(), 6))
        , m_slopes(random(size.heads, 7))
        , m_biases(random(std::int64_t{size.heads} * kOffsets, 8))
        , m_sinks(random(size.heads, 9))
        , m_rounded{{device, m_queries.size()},
                    {device, m_keys.size()},
                    {device, m_values.size()},
                    {device, m_dOut.size()}}
    {}

    // out, and without a cache the gradients of all that it is made of.
    std::vector<std::vector<float>> results(AttentionAlgorithm algorithm, std::int64_t scoresAtOnce)
    {
        const bool backward = m_size.cached == 0;
        ScoreCore core(m_device,
                       algorithm,
                       m_size,
                       steps(),
                       {keyWidth(), valueWidth()},
                       backward ? Keeping::forBackward : Keeping::nothing,
                       scoresAtOnce);
        const CoreInput read = input();
        const DeviceBuffer<float> out(m_device.memory(), m_dOut.size());
        core.run(read, steps(), destinationAt(out.data(), outWidth()));
        if (!backward) {
            return {onHost(out)};
        }
        return withGradients(core, read, out);
    }

private:
    std::vector<std::vector<float>> withGradients(ScoreCore& core,
                                                  const CoreInput& read,
                                                  const DeviceBuffer<float>& out)
    {
        const std::int64_t ownKeys = std::int64_t{m_size.keyHeads()} * m_size.keyDim;
        const auto buffer = [&](std::int64_t count) {
            return DeviceBuffer<float>(m_device.memory(), static_cast<std::size_t>(count));
        };
        const DeviceBuffer<float> dQueries = buffer(m_size.batch * m_size.queries * queryWidth());
        const DeviceBuffer<float> dKeys = buffer(m_size.batch * m_size.fresh * ownKeys);
        const DeviceBuffer<float> dValues = buffer(m_size.batch * m_size.fresh * valueWidth());
        const DeviceBuffer<float> dSinks = buffer(m_size.heads);
        const DeviceBuffer<float> dBiases = buffer(std::int64_t{m_size.heads} * kOffsets);
        const Operand dOut =
            m_rounded[3].of(m_dOut.data(), m_size.batch * m_size.queries, outWidth());
        core.runBackward(read,
                         steps(),
                         dOut,
                         {.queries = dQueries.data(),
                          .queryStride = queryWidth(),
                          .keys = dKeys.data(),
                          .keyStride = ownKeys,
                          .values = dValues.data(),
                          .valueStride = valueWidth(),
                          .sinks = dSinks.data(),
                          .biases = dBiases.data()});
        return {onHost(out),
                onHost(dQueries),
                onHost(dKeys),
                onHost(dValues),
                onHost(dSinks),
                onHost(dBiases)};
    }

    static constexpr int kShared = 2; // features of keys

    int queryWidth() const { return m_size.heads * m_size.keyDim; }
    int outWidth() const { return m_size.heads * m_size.valueDim; }
    int ownKeyWidth() const { return m_size.keyHeads() * (m_size.keyDim - kShared); }
    int keyWidth() const { return ownKeyWidth() + kShared; }
    int valueWidth() const { return m_size.keyHeads() * m_size.valueDim; }

    DeviceBuffer<float> random(std::int64_t count, int seed) const
    {
        return {
            m_device.memory(),
            randomActivations<float>(static_cast<std::size_t>(count), static_cast<unsigned>(seed))};
    }

    std::vector<float> onHost(const DeviceBuffer<float>& values) const
    {
        std::vector<float> copy(values.size());
        copyToHost(m_device, values.constSpan(), copy.data());
        return copy;
    }

    ScoreSteps steps() const
    {
        return {.scale = 0.5F,
                .cap = 1.5F,
                .slopes = m_slopes.data(),
                .biases = m_biases.data(),
                .sinks = m_sinks.data()};
    }

    CoreInput input()
    {
        const std::int64_t keys = m_size.batch * m_size.fresh;
        return {.queries =
                    m_rounded[0].of(m_queries.data(), m_size.batch * m_size.queries, queryWidth()),
                .keys = {.fresh = m_rounded[1].of(m_keys.data(), keys, keyWidth()),
                         .cached = m_cachedKeys.data(),
                         .cachedStride = keyWidth(),
                         .own = m_size.keyDim - kShared,
                         .shared = ownKeyWidth()},
                .values = {.fresh = m_rounded[2].of(m_values.data(), keys, valueWidth()),
                           .cached = m_cachedValues.data(),
                           .cachedStride = valueWidth(),
                           .own = m_size.valueDim}};
    }

    const Device& m_device;
    CoreSize m_size;
    DeviceBuffer<float> m_queries;
    DeviceBuffer<float> m_keys;
    DeviceBuffer<float> m_values;
    DeviceBuffer<float> m_dOut;
    DeviceBuffer<float> m_cachedKeys;
    DeviceBuffer<float> m_cachedValues;
    DeviceBuffer<float> m_slopes;
    DeviceBuffer<float> m_biases;
    DeviceBuffer<float> m_sinks;
    RoundedRows m_rounded[4];
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
        EXPECT_GT(largest, 0.0F) << "tensor " << tensor;
        EXPECT_LE(error, tolerance * largest) << "tensor " << tensor;
    }
}

class CudaScoreCore : public OnDeviceWith<std::int64_t>
{};

// A gradient passes three products (scores, their gradient, and its own), each of two rounded
// operands; slices of another size may take another kernel of cuBLAS, which rounds them otherwise.
double roundingOfSlices(ProductPrecision precision)
{
    return 1e-5 + 6 * operandRounding(precision);
}

TEST_P(CudaScoreCore, SlicesGiveWhatTheWholeMatrixGives)
{
    for (const ProductPrecision precision : kPrecisions) {
        SCOPED_TRACE(nameOf(precision));
        const auto device = openDevice(precision);
        Problem problem(*device, smallSize());
        const auto right = problem.results(AttentionAlgorithm::materialised, 1);
        expectNear(problem.results(AttentionAlgorithm::flash, GetParam()),
                   right,
                   roundingOfSlices(precision));
    }
}

TEST_P(CudaScoreCore, SlicesGiveWhatTheWholeMatrixGivesWithCachedKeys)
{
    CoreSize size = smallSize();
    size.cached = 4;
    size.fresh = size.queries;
    size.firstPosition = size.cached;
    for (const ProductPrecision precision : kPrecisions) {
        SCOPED_TRACE(nameOf(precision));
        const auto device = openDevice(precision);
        Problem problem(*device, size);
        const auto right = problem.results(AttentionAlgorithm::materialised, 1);
        expectNear(problem.results(AttentionAlgorithm::flash, GetParam()),
                   right,
                   roundingOfSlices(precision));
    }
}

INSTANTIATE_TEST_SUITE_P(Limits, CudaScoreCore, testing::ValuesIn(kLimits));

// A matrix of 8 MiB that flash attention has a strip of at a time.
TEST(CudaScoreMemory, FlashHoldsASliceOfTheScoresAndMaterialisedAllOfThem)
{
    if (const Result<DeviceFacts> facts = deviceFacts(); !facts) {
        GTEST_SKIP() << facts.error().message;
    }
    const auto device = openDevice();
    const CoreSize size{.batch = 2, .queries = 1024, .fresh = 1024, .keyDim = 8, .valueDim = 8};
    const auto bytes = [&](AttentionAlgorithm algorithm, Keeping keeping) {
        const std::size_t before = device->memory().bytes();
        const ScoreCore core(*device, algorithm, size, {}, {}, keeping, 300 * 1024);
        return device->memory().bytes() - before;
    };
    const std::size_t strip = std::size_t{256} * 1024 * sizeof(float);
    EXPECT_EQ(bytes(AttentionAlgorithm::flash, Keeping::nothing), strip);
    EXPECT_EQ(bytes(AttentionAlgorithm::flash, Keeping::forBackward), 2 * strip);
    EXPECT_EQ(bytes(AttentionAlgorithm::materialised, Keeping::nothing), 8 * strip);
    EXPECT_EQ(bytes(AttentionAlgorithm::materialised, Keeping::forBackward), 16 * strip);
}

} // namespace
} // namespace flopsmith::cuda
