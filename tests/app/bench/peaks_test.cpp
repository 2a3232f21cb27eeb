// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/jobs/peaks.h"

#include "core/kernels/cpu/gemm/precision.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith::bench {
namespace {

PeaksMeasured peaksWith(int threads)
{
    const Answer answer = peaks({.id = 6, .threads = threads, .budgetSeconds = 0.2}, {});
    const auto* found = std::get_if<PeaksMeasured>(&answer);
    EXPECT_NE(found, nullptr);
    return found != nullptr ? *found : PeaksMeasured{};
}

std::vector<CachePeak> levelsOf(const PeaksMeasured& peaks, int threads)
{
    std::vector<CachePeak> levels;
    std::copy_if(peaks.caches.begin(),
                 peaks.caches.end(),
                 std::back_inserter(levels),
                 [&](const CachePeak& peak) { return peak.threads == threads; });
    return levels;
}

TEST(Peaks, HoldTheBestProductOfEachPrecisionAndTheMemoryLast)
{
    const PeaksMeasured peaks = peaksWith(1);

    EXPECT_EQ(peaks.id, 6);
    ASSERT_FALSE(peaks.products.empty());
    EXPECT_EQ(peaks.products[0], (ProductPeak{ComputePrecision::float32, peaks.flopsPerSecond}));
    const bool rounds = cpu::computesProductsIn(cpu::Precision::bfloat16).ok();
    ASSERT_EQ(peaks.products.size(), rounds ? 2U : 1U);
    if (rounds) {
        EXPECT_EQ(peaks.products[1].precision, ComputePrecision::bfloat16);
        EXPECT_GT(peaks.products[1].flopsPerSecond, 0.0);
    }
    ASSERT_FALSE(peaks.caches.empty());
    EXPECT_EQ(peaks.caches.back().name, "memory");
    EXPECT_EQ(peaks.caches.back().bytesPerSecond, peaks.bytesPerSecond);
    EXPECT_GT(peaks.bytesPerSecond, 0.0);
    EXPECT_GT(peaks.launchSeconds, 0.0);
    EXPECT_GT(peaks.measuredAt, 0);
}

TEST(Peaks, LevelsGrowFromTheFirstToTheMemoryForEachNumberOfThreads)
{
    const PeaksMeasured peaks = peaksWith(0);
    for (const int threads : {1, peaks.threads}) {
        const std::vector<CachePeak> levels = levelsOf(peaks, threads);
        ASSERT_FALSE(levels.empty());
        EXPECT_EQ(levels.back().name, "memory");
        for (std::size_t i = 1; i < levels.size(); ++i) {
            EXPECT_GT(levels[i].bytes, levels[i - 1].bytes) << levels[i].name;
            EXPECT_GT(levels[i].bytesPerSecond, 0.0) << levels[i].name;
        }
    }
}

TEST(Peaks, ABudgetThatMakesNoSenseIsRefused)
{
    const Answer answer = peaks({.id = 6, .budgetSeconds = 0.0}, {});

    ASSERT_TRUE(std::holds_alternative<Failure>(answer));
    EXPECT_EQ(std::get<Failure>(answer).code, FailureCode::badMessage);
}

TEST(Peaks, AskedToStopTheyAreCancelled)
{
    std::stop_source stop;
    stop.request_stop();
    const Answer answer = peaks({.id = 6, .budgetSeconds = 0.2}, stop.get_token());

    ASSERT_TRUE(std::holds_alternative<Failure>(answer));
    EXPECT_EQ(std::get<Failure>(answer).code, FailureCode::cancelled);
}

} // namespace
} // namespace flopsmith::bench
