// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace flopsmith {
namespace {

// The first outputs of SplitMix64 from 0, as in the authors' reference code.
TEST(Random, IsSplitMix64OnEveryMachine)
{
    Random random(0);

    EXPECT_EQ(random.next(), 0xE220A8397B1DCDAFULL);
    EXPECT_EQ(random.next(), 0x6E789E6AA1B965F4ULL);
}

TEST(Random, IntegersReachBothEndsOfTheirRange)
{
    Random random(1);
    std::set<std::int64_t> seen;
    for (int i = 0; i < 200; ++i) {
        seen.insert(random.integer(-2, 2));
    }

    EXPECT_THAT(seen, testing::ElementsAre(-2, -1, 0, 1, 2));
}

TEST(Random, NormalNumbersHaveMeanZeroAndDeviationOne)
{
    Random random(2);
    double sum = 0;
    double squares = 0;
    const int n = 20'000;
    for (int i = 0; i < n; ++i) {
        const double value = random.normal();
        sum += value;
        squares += value * value;
    }

    EXPECT_NEAR(sum / n, 0, 0.03);
    EXPECT_NEAR(squares / n, 1, 0.05);
}

TEST(Random, DistinctNumbersAreAscendingAndDifferent)
{
    for (int count = 0; count <= 20; ++count) {
        const std::vector<int> numbers = Random(3).distinct(count, 20);

        ASSERT_EQ(static_cast<int>(numbers.size()), count);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            EXPECT_TRUE(numbers[i] >= 0 && numbers[i] < 20);
            EXPECT_TRUE(i == 0 || numbers[i - 1] < numbers[i]);
        }
    }
}

} // namespace
} // namespace flopsmith
