// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/results/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace flopsmith {
namespace {

TEST(Statistics, KnowStudentsQuantiles)
{
    EXPECT_NEAR(studentQuantile(1), 12.7062, 1e-4);
    EXPECT_NEAR(studentQuantile(2), 4.30265, 1e-5);
    EXPECT_NEAR(studentQuantile(4), 2.77645, 1e-5);
    EXPECT_NEAR(studentQuantile(9), 2.26216, 1e-5);
    EXPECT_NEAR(studentQuantile(30), 2.04227, 1e-5);
    EXPECT_NEAR(studentQuantile(1'000), 1.96234, 1e-5);
}

TEST(Statistics, GiveMeansTheirIntervals)
{
    const MeanInterval interval = meanInterval(std::vector<double>{1.0, 2.0, 3.0});

    EXPECT_DOUBLE_EQ(interval.mean, 2.0);
    EXPECT_NEAR(interval.halfWidth, 4.302653 / std::sqrt(3.0), 1e-5);
    EXPECT_EQ(interval.count, 3);
    EXPECT_FALSE(interval.excludesZero());
    EXPECT_TRUE(meanInterval(std::vector<double>{1.0, 1.1, 0.9}).excludesZero());
    EXPECT_TRUE(meanInterval(std::vector<double>{-1.0, -1.1, -0.9}).excludesZero());
}

TEST(Statistics, SayNothingOfOneNumber)
{
    EXPECT_TRUE(std::isinf(meanInterval(std::vector<double>{7.0}).halfWidth));
    EXPECT_TRUE(std::isinf(meanInterval(std::vector<double>{}).halfWidth));
    EXPECT_FALSE(meanInterval(std::vector<double>{7.0}).excludesZero());
}

TEST(Statistics, PairWhatBelongsTogether)
{
    const PairedDifference difference = pairedDifference(std::vector<double>{5.1, 9.2, 1.3, 4.0},
                                                         std::vector<double>{5.0, 9.0, 1.0, 4.0});

    EXPECT_NEAR(difference.interval.mean, 0.15, 1e-12);
    EXPECT_EQ(difference.positive, 3);
    EXPECT_EQ(difference.negative, 0);
    EXPECT_EQ(difference.interval.count, 4);
}

} // namespace
} // namespace flopsmith
