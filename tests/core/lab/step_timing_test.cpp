// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/run/step_timing.h"

#include <gtest/gtest.h>

#include <vector>

namespace flopsmith {
namespace {

TEST(ArmTiming, LeavesOutTheFirstSteps)
{
    const std::vector<double> seconds{90, 80, 70, 60, 50, 3, 1, 2};

    const ArmTiming timing = armTiming(seconds);

    EXPECT_EQ(timing.steps, 3);
    EXPECT_EQ(timing.stepSeconds, 2.0);
}

TEST(ArmTiming, IsNeverZeroForAClockThatStandsStill)
{
    const ArmTiming timing = armTiming(std::vector<double>(kUntimedSteps + 1, 0.0));

    EXPECT_EQ(timing.steps, 1);
    EXPECT_GT(timing.stepSeconds, 0.0);
}

} // namespace
} // namespace flopsmith
