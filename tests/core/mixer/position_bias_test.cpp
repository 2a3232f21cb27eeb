// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mixer/position_bias.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace flopsmith {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

constexpr double kTiny = 1e-15;

std::vector<double> slopes(int heads)
{
    std::vector<double> all;
    for (int head = 0; head < heads; ++head) {
        all.push_back(alibiSlope(head, heads));
    }
    return all;
}

TEST(AlibiSlope, IsAGeometricSequenceForPowersOfTwo)
{
    EXPECT_THAT(slopes(8),
                ElementsAre(0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625));
    EXPECT_THAT(slopes(1), ElementsAre(1.0 / 256));
    EXPECT_THAT(slopes(2), ElementsAre(1.0 / 16, 1.0 / 256));
    EXPECT_NEAR(slopes(16)[0], std::sqrt(0.5), kTiny);
    EXPECT_NEAR(slopes(16)[15], 1.0 / 256, kTiny);
}

// Of 16 heads, 2^-0.5, 2^-1, 2^-1.5 …: heads 8 to 11 of 12 take the first, third, fifth, seventh.
TEST(AlibiSlope, TakesTheRestFromEverySecondOfTwiceAsManyHeads)
{
    const std::vector<double> twelve{0.5,
                                     0.25,
                                     0.125,
                                     0.0625,
                                     0.03125,
                                     0.015625,
                                     0.0078125,
                                     0.00390625,
                                     std::exp2(-0.5),
                                     std::exp2(-1.5),
                                     std::exp2(-2.5),
                                     std::exp2(-3.5)};

    EXPECT_THAT(slopes(12), Pointwise(DoubleNear(kTiny), twelve));
    EXPECT_THAT(slopes(3),
                Pointwise(DoubleNear(kTiny), std::vector<double>{1.0 / 16, 1.0 / 256, 0.25}));
}

// 32 buckets up to 128: causal, one bucket for each of 16 distances, then 16 for a factor of 8:
// distance n is in 16 + floor(16·log8(n/16)).
TEST(RelativeBucket, CausalIsExactUpTo15AndThenLogarithmic)
{
    const auto bucket = [](int back) { return relativeBucket(-back, 32, Direction::causal); };
    for (int back = 0; back <= 16; ++back) {
        EXPECT_EQ(bucket(back), back);
    }
    EXPECT_EQ(bucket(18), 16); // 16·log8(1.125) = 0.906
    EXPECT_EQ(bucket(19), 17); // 1.322
    EXPECT_EQ(bucket(20), 17); // 1.717
    EXPECT_EQ(bucket(21), 18); // 2.092
    EXPECT_EQ(bucket(32), 21); // 5.333
    EXPECT_EQ(bucket(64), 26); // 10.667
    EXPECT_EQ(bucket(112), 30); // 14.973
    EXPECT_EQ(bucket(113), 31); // 15.041
    EXPECT_EQ(bucket(127), 31);
    EXPECT_EQ(bucket(128), 31);
    EXPECT_EQ(bucket(100'000), 31);
    EXPECT_EQ(relativeBucket(5, 32, Direction::causal), 0); // masked anyway
}

// 16 buckets on each side, 8 of them exact, then 8 for a factor of 16: the powers of two 8, 16, 32,
// 64, 128 begin every second bucket.
TEST(RelativeBucket, BidirectionalGivesEachSideHalfOfTheBuckets)
{
    const auto bucket = [](int offset) {
        return relativeBucket(offset, 32, Direction::bidirectional);
    };
    for (int distance = 0; distance <= 8; ++distance) {
        EXPECT_EQ(bucket(-distance), distance);
    }
    EXPECT_EQ(bucket(-11), 8); // 2·log2(1.375) = 0.919
    EXPECT_EQ(bucket(-12), 9); // 1.170
    EXPECT_EQ(bucket(-15), 9);
    EXPECT_EQ(bucket(-16), 10);
    EXPECT_EQ(bucket(-31), 11);
    EXPECT_EQ(bucket(-32), 12);
    EXPECT_EQ(bucket(-64), 14);
    EXPECT_EQ(bucket(-91), 15); // 2·log2(11.375) = 7.016
    EXPECT_EQ(bucket(-90), 14); // 6.984
    EXPECT_EQ(bucket(-128), 15);
    EXPECT_EQ(bucket(-5000), 15);
    for (int distance = 1; distance < 200; ++distance) {
        EXPECT_EQ(bucket(distance), bucket(-distance) + 16) << distance;
    }
}

TEST(RelativeBucket, NeverFallsWithDistanceAndUsesEveryBucketThatItMay)
{
    for (const Direction direction : {Direction::causal, Direction::bidirectional}) {
        for (int buckets = 4; buckets <= 128; buckets += 2) {
            const int side = direction == Direction::causal ? buckets : buckets / 2;
            int before = 0;
            for (int distance = 0; distance <= 300; ++distance) {
                const int bucket = relativeBucket(-distance, buckets, direction);
                ASSERT_GE(bucket, before) << buckets << ", distance " << distance;
                ASSERT_LT(bucket, side) << buckets << ", distance " << distance;
                before = bucket;
            }
            EXPECT_EQ(before, side - 1) << buckets;
        }
    }
}

} // namespace
} // namespace flopsmith
