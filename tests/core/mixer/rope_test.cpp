// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mixer/rope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

using testing::DoubleNear;

constexpr int kRotated = 16;

// Radians per position of each pair, relative to those of the base alone.
std::vector<double> shares(const Rope& rope)
{
    std::vector<double> all;
    for (int pair = 0; pair < kRotated / 2; ++pair) {
        all.push_back(rotaryAngle(1, pair, kRotated, rope)
                      / std::pow(rope.base, -2.0 * pair / kRotated));
    }
    return all;
}

std::vector<double> frequencies(const Rope& rope)
{
    std::vector<double> all;
    for (int pair = 0; pair < kRotated / 2; ++pair) {
        all.push_back(rotaryAngle(1, pair, kRotated, rope));
    }
    return all;
}

void expectFrequencies(const Rope& rope, const std::vector<double>& expected)
{
    const std::vector<double> found = frequencies(rope);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(found[i], expected[i], 1e-13 * expected[i]) << "pair " << i;
    }
}

TEST(Rope, HasTheUsualAnglesUnlessTold)
{
    EXPECT_EQ(rotaryAngle(7, 3, kRotated), rotaryAngle(7, 3, kRotated, Rope{}));
    EXPECT_DOUBLE_EQ(rotaryAngle(3, 1, 4, {.base = 1e6}), 0.003);
}

TEST(Rope, LinearDividesAllAngles)
{
    EXPECT_THAT(shares({.scaling = RopeScaling::linear, .factor = 4.0}),
                testing::Each(DoubleNear(0.25, 1e-15)));
}

// What the library computes in double precision.
TEST(Rope, StretchesAsLlama3)
{
    expectFrequencies({.base = 500'000.0,
                       .scaling = RopeScaling::llama3,
                       .factor = 8.0,
                       .lowFrequency = 1.0,
                       .highFrequency = 4.0,
                       .trainedPositions = 8192},
                      {1.0,
                       0.19392274474868576,
                       0.03760603093086393,
                       0.0072926647372171085,
                       0.0005248461609929547,
                       3.428102195952591e-05,
                       6.647869871181236e-06,
                       1.2891731721515574e-06});
}

TEST(Rope, StretchesAsYarnBetweenWholePairs)
{
    expectFrequencies({.scaling = RopeScaling::yarn, .factor = 4.0, .trainedPositions = 2048},
                      {1.0,
                       0.31622776601683794,
                       0.1,
                       0.02569350598886808,
                       0.00625,
                       0.0013834964763236657,
                       0.00025,
                       7.905694150420948e-05});
}

TEST(Rope, StretchesAsYarnOfGptOss)
{
    expectFrequencies({.base = 150'000.0,
                       .scaling = RopeScaling::yarn,
                       .factor = 32.0,
                       .trainedPositions = 4096,
                       .wholePairs = false},
                      {1.0,
                       0.2254180002028708,
                       0.050813274815461475,
                       0.006794959489732219,
                       0.00045648391922324086,
                       1.818833668168956e-05,
                       4.0999784818029795e-06,
                       9.242089502428301e-07});
}

TEST(Rope, AnglesGrowWithThePosition)
{
    for (const RopeScaling scaling :
         {RopeScaling::none, RopeScaling::linear, RopeScaling::llama3, RopeScaling::yarn}) {
        const Rope rope{.scaling = scaling, .factor = 3.0};
        EXPECT_EQ(rotaryAngle(0, 2, kRotated, rope), 0.0);
        EXPECT_DOUBLE_EQ(rotaryAngle(10, 2, kRotated, rope),
                         10 * rotaryAngle(1, 2, kRotated, rope));
    }
}

} // namespace
} // namespace flopsmith
