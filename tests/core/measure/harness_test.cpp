// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/harness.h"

#include "tests/core/measure/fake_clock.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace flopsmith {
namespace {

class MeasuredRun : public testing::Test
{
protected:
    MeasuredRun()
    {
        m_options.clock = m_clock.clock();
        m_options.waiting = {};
        m_options.stolen = {};
    }

    // Every run takes as long as `seconds(index of the run)`.
    Measurement measurementOf(const std::function<double(int)>& seconds)
    {
        const std::function<void()> run = [this, &seconds] { m_clock.advance(seconds(m_runs++)); };
        return measure(run, m_options, m_stop.get_token(), [this](const MeasureProgress& progress) {
            m_progress.push_back(progress);
        });
    }

    FakeClock m_clock;
    MeasureOptions m_options;
    std::stop_source m_stop;
    std::vector<MeasureProgress> m_progress;
    int m_runs = 0;
};

TEST_F(MeasuredRun, ASteadyRunSettlesAtItsTime)
{
    const Measurement result = measurementOf([](int) { return 0.002; });

    EXPECT_TRUE(result.settled());
    EXPECT_FALSE(result.cancelled());
    EXPECT_NEAR(result.samples.median(), 0.002, 1e-9);
    EXPECT_NEAR(result.samples.mad(), 0.0, 1e-9);
    EXPECT_EQ(result.runsPerSample, 1);
    EXPECT_LT(result.elapsedSeconds, 0.2);
}

TEST_F(MeasuredRun, ColdRunsAreWarmUpAndNotSamples)
{
    const Measurement result = measurementOf([](int run) { return run < 4 ? 0.01 : 0.001; });

    EXPECT_NEAR(result.warmUpSeconds, 0.05, 1e-9);
    EXPECT_NEAR(result.samples.max(), 0.001, 1e-9);
}

TEST_F(MeasuredRun, TheWarmUpTakesAsManyRunsAsAsked)
{
    m_options.warmUpRuns = 20;

    const Measurement result = measurementOf([](int run) { return run < 20 ? 0.01 : 0.001; });

    EXPECT_NEAR(result.warmUpSeconds, 0.2, 1e-9);
    EXPECT_NEAR(result.samples.max(), 0.001, 1e-9);
}

TEST_F(MeasuredRun, TheBudgetEndsALongWarmUp)
{
    m_options.warmUpRuns = 1000;

    const Measurement result = measurementOf([](int) { return 0.1; });

    EXPECT_EQ(result.samples.count(), 1U);
    EXPECT_LE(result.elapsedSeconds, 1.2 + 1e-9);
}

TEST_F(MeasuredRun, ShortRunsAreTimedInBatches)
{
    const Measurement result = measurementOf([](int) { return 1e-7; });

    EXPECT_TRUE(result.settled());
    EXPECT_GE(result.runsPerSample * 1e-7, m_options.minSampleSeconds);
    EXPECT_LE(result.runsPerSample * 1e-7, 2.0 * m_options.minSampleSeconds);
    EXPECT_NEAR(result.samples.median(), 1e-7, 1e-12);
}

TEST_F(MeasuredRun, WhatComesBeforeEachRunIsNotTimedAndRunsStaySingle)
{
    int before = 0;
    m_options.beforeEachRun = [&] {
        ++before;
        m_clock.advance(0.003);
    };

    const Measurement result = measurementOf([](int) { return 1e-7; });

    EXPECT_EQ(result.runsPerSample, 1);
    EXPECT_EQ(before, m_runs);
    EXPECT_NEAR(result.samples.median(), 1e-7, 1e-12);
    EXPECT_NEAR(result.elapsedSeconds, m_runs * (0.003 + 1e-7), 1e-9);
}

TEST_F(MeasuredRun, ABatchIsSizedByWarmRuns)
{
    const Measurement result = measurementOf([](int run) { return run == 0 ? 0.01 : 1e-6; });

    EXPECT_GE(result.runsPerSample, 50);
}

TEST_F(MeasuredRun, ABatchNeverExceedsItsLimit)
{
    m_options.maxRunsPerSample = 7;

    EXPECT_EQ(measurementOf([](int) { return 1e-7; }).runsPerSample, 7);
}

TEST_F(MeasuredRun, ARunLongerThanTheBudgetIsWarmedUpAndTimedOnce)
{
    const Measurement result = measurementOf([](int) { return 5.0; });

    EXPECT_EQ(result.end, MeasureEnd::GaveUp);
    EXPECT_EQ(result.samples.count(), 1U);
    EXPECT_EQ(result.samples.median(), 5.0);
    EXPECT_EQ(result.warmUpSeconds, 5.0);
    EXPECT_FALSE(result.relativeHalfWidth.has_value());
    EXPECT_EQ(m_runs, 2);
}

TEST_F(MeasuredRun, NoiseEndsAtTheBudgetAndKeepsTheSamples)
{
    const Measurement result = measurementOf([](int run) { return run % 2 == 0 ? 0.01 : 0.02; });

    EXPECT_EQ(result.end, MeasureEnd::GaveUp);
    EXPECT_GT(result.samples.count(), 50U);
    EXPECT_GT(*result.relativeHalfWidth, 0.01);
    EXPECT_GE(result.elapsedSeconds, 1.0 - 1e-9);
    EXPECT_LE(result.elapsedSeconds, 1.0 + 0.02);
}

TEST_F(MeasuredRun, ASmallBudgetShortensTheWarmUpToo)
{
    m_options.budgetSeconds = 0.04;

    const Measurement result = measurementOf([](int) { return 0.001; });

    EXPECT_NEAR(result.warmUpSeconds, 0.01, 1e-9);
    EXPECT_LE(result.elapsedSeconds, 0.041);
    EXPECT_TRUE(result.settled());
}

TEST_F(MeasuredRun, AskedToStopBeforehandItRunsNothing)
{
    m_stop.request_stop();

    const Measurement result = measurementOf([](int) { return 0.001; });

    EXPECT_TRUE(result.cancelled());
    EXPECT_TRUE(result.samples.empty());
    EXPECT_EQ(m_runs, 0);
}

TEST_F(MeasuredRun, CancellingKeepsTheSamplesSoFar)
{
    m_options.warmUpSeconds = 0.0;

    const Measurement result = measurementOf([this](int run) {
        if (run == 3) {
            m_stop.request_stop();
        }
        return 0.001;
    });

    EXPECT_TRUE(result.cancelled());
    EXPECT_EQ(result.samples.count(), 2U);
    EXPECT_EQ(m_runs, 4); // one of them warm-up, one the beginning of a burst
}

TEST_F(MeasuredRun, CancellingDuringTheWarmUpTakesNoSample)
{
    m_options.warmUpRuns = 100;

    const Measurement result = measurementOf([this](int run) {
        if (run == 10) {
            m_stop.request_stop();
        }
        return 0.001;
    });

    EXPECT_TRUE(result.cancelled());
    EXPECT_TRUE(result.samples.empty());
    EXPECT_EQ(m_runs, 11);
}

TEST_F(MeasuredRun, ProgressGrowsAndEndsWithTheResult)
{
    const Measurement result = measurementOf([](int run) { return run % 2 == 0 ? 0.01 : 0.02; });

    ASSERT_GT(m_progress.size(), 3U);
    for (std::size_t i = 1; i < m_progress.size(); ++i) {
        EXPECT_GT(m_progress[i].samples, m_progress[i - 1].samples);
        EXPECT_GT(m_progress[i].budgetShare, m_progress[i - 1].budgetShare);
    }
    EXPECT_EQ(m_progress.back().samples, result.samples.count());
    EXPECT_EQ(m_progress.back().medianSeconds, result.samples.median());
    EXPECT_EQ(m_progress.back().budgetShare, 1.0);
}

TEST_F(MeasuredRun, ProgressIsRareComparedToSamples)
{
    m_options.burstSeconds = 0.0;
    const Measurement result = measurementOf([](int run) { return run % 2 == 0 ? 0.001 : 0.002; });

    EXPECT_GT(result.samples.count(), 500U);
    EXPECT_LE(m_progress.size(), 21U); // a second in steps of 0.05, and the end
}

TEST_F(MeasuredRun, WorksWithoutAProgressCallback)
{
    const Measurement result =
        measure([this] { m_clock.advance(0.001); }, m_options, std::stop_token(), {});

    EXPECT_TRUE(result.settled());
}

TEST_F(MeasuredRun, AFailingRunPassesItsExceptionOn)
{
    EXPECT_THROW(measurementOf([](int) -> double { throw std::runtime_error("no memory"); }),
                 std::runtime_error);
}

TEST_F(MeasuredRun, AClockThatStandsStillEndsWithoutSettling)
{
    m_options.maxRunsPerSample = 4;
    m_options.maxSamples = 20;

    const Measurement result = measurementOf([](int) { return 0.0; });

    EXPECT_EQ(result.end, MeasureEnd::GaveUp);
    EXPECT_EQ(result.samples.count(), 20U);
    EXPECT_EQ(result.samples.median(), 0.0);
}

TEST_F(MeasuredRun, AClockThatJumpsBackGivesNoNegativeTime)
{
    m_options.maxSamples = 20;

    const Measurement result = measurementOf([](int run) { return run % 10 == 5 ? -0.01 : 0.01; });

    EXPECT_EQ(result.samples.min(), 0.0);
    EXPECT_NEAR(result.samples.median(), 0.01, 1e-9);
}

TEST(MeasureOptions, DefaultsAreValid)
{
    EXPECT_TRUE(validated(MeasureOptions{}).ok());
}

TEST(MeasureOptions, EachNonsenseIsNamed)
{
    MeasureOptions negative;
    negative.budgetSeconds = -1.0;
    MeasureOptions undefined;
    undefined.relativePrecision = std::numeric_limits<double>::quiet_NaN();
    MeasureOptions crossed;
    crossed.minSamples = 10;
    crossed.maxSamples = 9;

    EXPECT_EQ(validated(negative).error().message,
              "the budget in seconds is -1; it must be more than 0");
    EXPECT_EQ(validated(undefined).error().message,
              "the relative precision is nan; it must be more than 0");
    EXPECT_EQ(validated(crossed).error().message,
              "the largest number of samples is 9; it must be at least 10");
}

// The device's clock says something else than the one that watches the budget.
TEST_F(MeasuredRun, WakingSleepingThreadsIsNoPartOfASample)
{
    bool asleep = true;
    m_options.waiting = [&] {
        asleep = true; // asking takes long enough for it
        return 0.0;
    };

    const Measurement result = measurementOf([&](int) {
        const double waking = asleep ? 80e-6 : 0.0;
        asleep = false;
        return 20e-6 + waking;
    });

    EXPECT_NEAR(result.samples.median(), 20e-6, 1e-12);
    EXPECT_NEAR(result.samples.max(), 20e-6, 1e-12);
}

TEST_F(MeasuredRun, LongRunsAreNotRunOnceMoreToWakeThreads)
{
    const Measurement result = measurementOf([](int) { return 0.02; });

    EXPECT_EQ(static_cast<int>(result.samples.count()), m_runs - 3); // warm-up of 0.05 s
}

TEST_F(MeasuredRun, BurstsBesideAnotherProgramAreSetAside)
{
    // In turns, four bursts alone and six beside a program that takes half of the processor.
    int readings = 0; // one before a burst and one after it
    const auto isBeside = [&] { return readings / 2 % 10 >= 4; };
    m_options.waiting = [&] { return readings++ % 2 == 1 && readings / 2 % 10 >= 5 ? 0.004 : 0.0; };

    const Measurement result = measurementOf([&](int) { return isBeside() ? 0.0021 : 0.001; });

    EXPECT_TRUE(result.settled());
    EXPECT_NEAR(result.samples.median(), 0.001, 1e-9);
    EXPECT_GT(result.waitingShare, 0.2);
    EXPECT_LE(result.waitingShare, 1.0);
}

TEST_F(MeasuredRun, BesideAProgramThatNeverRestsNothingSettles)
{
    m_options.waiting = [] { return 0.002; };

    const Measurement result = measurementOf([](int) { return 0.002; });

    EXPECT_EQ(result.end, MeasureEnd::GaveUp);
    EXPECT_NEAR(result.samples.median(), 0.002, 1e-9); // better than nothing
    EXPECT_GT(result.samples.count(), 100U);
    EXPECT_NEAR(result.waitingShare, 0.002 / 0.006, 0.01); // a run begins a burst, two are timed
}

TEST_F(MeasuredRun, WakingThreadsIsNoDisturbance)
{
    m_options.waiting = [] { return 0.03 * 0.005; };

    EXPECT_TRUE(measurementOf([](int) { return 0.001; }).settled());
}

TEST_F(MeasuredRun, WhatTheHypervisorTakesKeepsItFromSettling)
{
    double stolen = 0.0;
    m_options.stolen = [&] { return std::exchange(stolen, 0.0); };
    const auto tenthStolen = [&](int) {
        stolen += 0.0001;
        return 0.001;
    };

    const Measurement result = measurementOf(tenthStolen);

    EXPECT_EQ(result.end, MeasureEnd::GaveUp);
    EXPECT_NEAR(result.stolenShare, 0.1, 0.01);
}

TEST_F(MeasuredRun, WhatTheHostWaitsForIsNoneOfADevicesTime)
{
    m_options.waiting = [] { return 1.0; };
    m_options.stolen = [] { return 1.0; };
    m_options.timer = [this](const std::function<void()>& run, int runs) {
        for (int i = 0; i < runs; ++i) {
            run();
        }
        m_clock.advance(0.001);
        return 0.001 * runs;
    };

    const Measurement result = measurementOf([](int) { return 0.001; });

    EXPECT_TRUE(result.settled());
    EXPECT_EQ(result.waitingShare, 0.0);
    EXPECT_EQ(result.stolenShare, 0.0);

    m_options.timesThreads = true; // of another process
    EXPECT_EQ(measurementOf([](int) { return 0.001; }).waitingShare, 1.0);
}

TEST_F(MeasuredRun, ADevicesTimerSaysHowLongBatchesTake)
{
    int batches = 0;
    m_options.timer = [&](const std::function<void()>& run, int runs) {
        ++batches;
        for (int i = 0; i < runs; ++i) {
            run();
        }
        return 2e-6 * runs;
    };

    const Measurement result = measurementOf([](int) { return 5e-6; });

    EXPECT_NEAR(result.samples.median(), 2e-6, 1e-12);
    EXPECT_GE(result.runsPerSample * 2e-6, m_options.minSampleSeconds);
    EXPECT_GT(batches, static_cast<int>(result.samples.count()));
}

TEST(SteadyClock, NeverGoesBack)
{
    const Clock clock = steadyClock();
    double last = clock();
    for (int i = 0; i < 1000; ++i) {
        const double now = clock();
        ASSERT_GE(now, last);
        last = now;
    }
}

} // namespace
} // namespace flopsmith
