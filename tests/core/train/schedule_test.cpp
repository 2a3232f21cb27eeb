// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/settings/schedule.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

TEST(Schedule, WarmsUpStaysAndCoolsDown)
{
    const Schedule schedule{.steps = 10, .warmup = 2};

    EXPECT_EQ(schedule.cooldownSteps(), 2);
    EXPECT_DOUBLE_EQ(schedule.factor(1), 0.5);
    for (int step = 2; step <= 8; ++step) {
        EXPECT_DOUBLE_EQ(schedule.factor(step), 1.0) << step;
    }
    EXPECT_DOUBLE_EQ(schedule.factor(9), 2.0 / 3.0);
    EXPECT_DOUBLE_EQ(schedule.factor(10), 1.0 / 3.0);
    EXPECT_DOUBLE_EQ(schedule.factor(99), schedule.factor(10));
}

TEST(Schedule, FollowsACosine)
{
    const Schedule schedule{.steps = 10, .warmup = 2, .decay = Decay::cosine};

    EXPECT_DOUBLE_EQ(schedule.factor(1), 0.5);
    EXPECT_DOUBLE_EQ(schedule.factor(2), 1.0);
    EXPECT_NEAR(schedule.factor(6), 0.505, 1e-12);
    EXPECT_NEAR(schedule.factor(10), 0.01, 1e-12);
}

TEST(Schedule, StaysPositiveAndAtMostOneInRunsOfAnyLength)
{
    for (const Decay decay : {Decay::linear, Decay::cosine}) {
        for (const int steps : {1, 2, 3, 7, 50}) {
            for (const int warmup : {0, 1, 3, 60}) {
                const Schedule schedule{.steps = steps, .warmup = warmup, .decay = decay};
                for (int step = 1; step <= steps; ++step) {
                    EXPECT_GT(schedule.factor(step), 0.0) << steps << " " << warmup << " " << step;
                    EXPECT_LE(schedule.factor(step), 1.0) << steps << " " << warmup << " " << step;
                }
            }
        }
    }
}

} // namespace
} // namespace flopsmith
