// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/samples.h"

#include "core/base/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace flopsmith {
namespace {

TEST(Samples, NoneGiveZeroEverywhere)
{
    const Samples none;

    EXPECT_TRUE(none.empty());
    EXPECT_EQ(none.median(), 0.0);
    EXPECT_EQ(none.mad(), 0.0);
    EXPECT_EQ(none.min(), 0.0);
    EXPECT_EQ(none.max(), 0.0);
    EXPECT_EQ(none.lowerQuartile(), 0.0);
    EXPECT_EQ(none.upperQuartile(), 0.0);
}

TEST(Samples, OneIsItsOwnMedianWithoutSpread)
{
    const Samples one({3.0});

    EXPECT_EQ(one.count(), 1U);
    EXPECT_EQ(one.median(), 3.0);
    EXPECT_EQ(one.mad(), 0.0);
    EXPECT_EQ(one.lowerQuartile(), 3.0);
    EXPECT_EQ(one.max(), 3.0);
}

TEST(Samples, StatisticsOfASmallSetCheckedByHand)
{
    const Samples samples({9.0, 1.0, 4.0, 2.0, 7.0});

    EXPECT_EQ(samples.median(), 4.0);
    EXPECT_EQ(samples.mad(), 3.0); // deviations 5 3 0 2 3
    EXPECT_EQ(samples.lowerQuartile(), 2.0);
    EXPECT_EQ(samples.upperQuartile(), 7.0);
    EXPECT_EQ(samples.min(), 1.0);
    EXPECT_EQ(samples.max(), 9.0);
}

TEST(Samples, AnEvenNumberTakesTheMiddleOfTwo)
{
    const Samples samples({4.0, 1.0, 2.0, 8.0});

    EXPECT_EQ(samples.median(), 3.0);
    EXPECT_EQ(samples.quantile(0.25), 1.75);
}

TEST(Samples, KeepTheOrderInWhichTheyWereTaken)
{
    const Samples samples({3.0, 1.0, 2.0});

    EXPECT_THAT(samples.inOrder(), testing::ElementsAre(3.0, 1.0, 2.0));
    EXPECT_THAT(samples.ascending(), testing::ElementsAre(1.0, 2.0, 3.0));
}

TEST(Samples, OneOutlierMovesNeitherMedianNorMad)
{
    const Samples quiet({1.0, 2.0, 3.0, 4.0, 5.0});
    const Samples disturbed({1.0, 2.0, 3.0, 4.0, 5000.0});

    EXPECT_EQ(disturbed.median(), quiet.median());
    EXPECT_EQ(disturbed.mad(), quiet.mad());
}

TEST(Samples, StatisticsScaleWithTheUnit)
{
    Random random(1);
    Samples samples;
    Samples doubled;
    for (int i = 0; i < 101; ++i) {
        const double value = random.uniform();
        samples.add(value);
        doubled.add(2.0 * value);
    }

    EXPECT_EQ(doubled.median(), 2.0 * samples.median());
    EXPECT_EQ(doubled.mad(), 2.0 * samples.mad());
    EXPECT_EQ(doubled.upperQuartile(), 2.0 * samples.upperQuartile());
}

TEST(SamplesDeathTest, RefuseWhatWouldPoisonTheStatistics)
{
    Samples samples;

    EXPECT_DEATH(samples.add(std::numeric_limits<double>::quiet_NaN()), "isfinite");
    EXPECT_DEATH(samples.add(std::numeric_limits<double>::infinity()), "isfinite");
    EXPECT_DEATH(samples.add(-1.0), "isfinite");
}

Samples upTo(int last)
{
    Samples samples;
    for (int value = 1; value <= last; ++value) {
        samples.add(value);
    }
    return samples;
}

TEST(MedianInterval, NeedsSixSamples)
{
    EXPECT_FALSE(medianInterval(Samples()).has_value());
    EXPECT_FALSE(medianInterval(upTo(5)).has_value());
    EXPECT_EQ(medianInterval(upTo(6)), (Interval{1.0, 6.0}));
}

// Ranks from the tables in the textbooks.
TEST(MedianInterval, AgreesWithTheTabulatedRanks)
{
    EXPECT_EQ(medianInterval(upTo(8)), (Interval{1.0, 8.0}));
    EXPECT_EQ(medianInterval(upTo(9)), (Interval{2.0, 8.0}));
    EXPECT_EQ(medianInterval(upTo(20)), (Interval{6.0, 15.0}));
    EXPECT_EQ(medianInterval(upTo(30)), (Interval{10.0, 21.0}));
    EXPECT_EQ(medianInterval(upTo(100)), (Interval{40.0, 61.0}));
}

TEST(MedianInterval, GoesOnSmoothlyWhereTheApproximationTakesOver)
{
    EXPECT_EQ(medianInterval(upTo(101)), (Interval{40.0, 62.0}));
    EXPECT_EQ(medianInterval(upTo(400)), (Interval{180.0, 221.0}));
}

TEST(MedianInterval, HoldsTheTrueMedianAsOftenAsItPromises)
{
    Random random(7);
    int held = 0;
    const int trials = 2000;
    for (int trial = 0; trial < trials; ++trial) {
        Samples samples;
        for (int i = 0; i < 25; ++i) {
            const double value = random.uniform();
            samples.add(value * value); // skewed; the true median is 1/4
        }
        const Interval interval = *medianInterval(samples);
        held += interval.low <= 0.25 && 0.25 <= interval.high ? 1 : 0;
    }

    EXPECT_GE(held, trials * 94 / 100);
    EXPECT_LT(held, trials); // an interval that always holds it would be useless
}

} // namespace
} // namespace flopsmith
