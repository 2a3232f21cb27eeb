// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/disturbance.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

TEST(Disturbance, NamesWhoTookMost)
{
    EXPECT_EQ(disturbanceSentence({.waitingShare = 0.45, .stolenShare = 0.1}),
              "Other programs had the processor for 45.0 % of the time.");
    EXPECT_EQ(disturbanceSentence({.waitingShare = 0.02, .stolenShare = 0.125}),
              "Other virtual machines had the processor for 12.5 % of the time.");
}

TEST(Disturbance, IsNoneWhereItSettledAllTheSame)
{
    EXPECT_EQ(disturbanceSentence({.settled = true, .waitingShare = 0.45}), "");
}

TEST(Disturbance, IsNoneWhereNobodyDisturbed)
{
    EXPECT_EQ(disturbanceSentence({.settled = false, .waitingShare = 0.05}), "");
    EXPECT_EQ(disturbanceSentence({}), "");
}

TEST(LostShare, IsTheLargerOfTheTwo)
{
    EXPECT_EQ(lostShare({.waitingShare = 0.2, .stolenShare = 0.3}), 0.3);
    EXPECT_EQ(lostShare({.waitingShare = 0.4, .stolenShare = 0.3}), 0.4);
}

} // namespace
} // namespace flopsmith
