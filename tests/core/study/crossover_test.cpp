// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/sweep/crossover.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

// y = scale · x^power at doublings of x from 128 on, each with the same relative error.
std::vector<MeasuredSample> powerLaw(double scale, double power, double error, int points = 7)
{
    std::vector<MeasuredSample> samples;
    for (int i = 0; i < points; ++i) {
        const double x = 128.0 * std::exp2(i);
        const double y = scale * std::pow(x, power);
        samples.push_back({x, y, error * y});
    }
    return samples;
}

TEST(Crossover, OfTwoPowerLawsIsWhereTheyMeet)
{
    // x = 700 is no point of either curve; both are straight over logarithms.
    const auto cheap = powerLaw(700.0, 1.0, 0.0);
    const auto dear = powerLaw(1.0, 2.0, 0.0);

    const auto found = crossover(cheap, dear);

    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->kind, Crossover::Kind::from);
    EXPECT_NEAR(found->x, 700.0, 1e-6);
    ASSERT_TRUE(found->low && found->high);
    EXPECT_NEAR(*found->low, 700.0, 1e-6); // nothing is uncertain
    EXPECT_NEAR(*found->high, 700.0, 1e-6);
    EXPECT_EQ(crossover(dear, cheap)->kind, Crossover::Kind::never);
}

// With one error everywhere, ln x moves by √2·error over the difference of the slopes.
TEST(Crossover, HasAnIntervalThatGrowsWithTheErrors)
{
    double before = 0.0;
    for (const double error : {0.005, 0.01, 0.02}) {
        const auto found =
            crossover(powerLaw(700.0, 1.0, error), powerLaw(1.0, 2.0, error), 5, 4000);
        ASSERT_TRUE(found && found->low && found->high);
        EXPECT_LT(*found->low, found->x);
        EXPECT_GT(*found->high, found->x);
        const double width = std::log(*found->high / *found->low);
        // Between a line through one of the two points alone and through both, evenly.
        EXPECT_GT(width, 2.0 * 1.96 * std::sqrt(2.0) * error * 0.7 * 0.9);
        EXPECT_LT(width, 2.0 * 1.96 * std::sqrt(2.0) * error * 1.1);
        EXPECT_GT(width, before);
        before = width;
    }
}

TEST(Crossover, IsTheSameForTheSameSeed)
{
    const auto cheap = powerLaw(700.0, 1.0, 0.02);
    const auto dear = powerLaw(1.0, 2.0, 0.02);

    const auto once = crossover(cheap, dear, 3);
    const auto again = crossover(cheap, dear, 3);
    const auto other = crossover(cheap, dear, 4);

    EXPECT_EQ(once->low, again->low);
    EXPECT_EQ(once->high, again->high);
    EXPECT_NE(once->low, other->low);
}

TEST(Crossover, KnowsCurvesThatDoNotCross)
{
    const auto low = powerLaw(1.0, 1.0, 0.01);
    const auto high = powerLaw(2.0, 1.0, 0.01);

    EXPECT_EQ(crossover(low, high)->kind, Crossover::Kind::always);
    EXPECT_EQ(crossover(high, low)->kind, Crossover::Kind::never);
    EXPECT_EQ(crossover(low, low)->kind, Crossover::Kind::never); // equal is not below
}

TEST(Crossover, IntervalsAreOpenWhereTheyLeaveWhatWasMeasured)
{
    // The curves meet just before the last point: half of the draws never fall below.
    const auto found = crossover(powerLaw(8100.0, 1.0, 0.05), powerLaw(1.0, 2.0, 0.05));

    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->kind, Crossover::Kind::from);
    EXPECT_TRUE(found->low.has_value());
    EXPECT_FALSE(found->high.has_value());
}

TEST(Crossover, IsTheLastOne)
{
    // Below at first, above in the middle, below in the end.
    const std::vector<MeasuredSample> wave{{1, 1, 0}, {2, 3, 0}, {4, 3, 0}, {8, 1, 0}};
    const std::vector<MeasuredSample> flat{{1, 2, 0}, {2, 2, 0}, {4, 2, 0}, {8, 2, 0}};

    const auto found = crossover(wave, flat);

    ASSERT_TRUE(found.has_value());
    EXPECT_GT(found->x, 4.0);
    EXPECT_LT(found->x, 8.0);
}

TEST(Crossover, NeedsTwoCommonPlaces)
{
    const std::vector<MeasuredSample> one{{1, 1, 0}, {2, 1, 0}, {4, 1, 0}};
    const std::vector<MeasuredSample> other{{2, 2, 0}, {3, 2, 0}};

    EXPECT_FALSE(crossover(one, other).has_value());
    EXPECT_FALSE(crossover(one, {}).has_value());
}

} // namespace
} // namespace flopsmith
