// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/stack/stack_zoom.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace flopsmith {
namespace {

TEST(StackZoom, TheDetailFollowsFromTheZoom)
{
    EXPECT_TRUE(detailAt(kMinZoom) == StackDetail::bars);
    EXPECT_TRUE(detailAt(0.399) == StackDetail::bars);
    EXPECT_TRUE(detailAt(0.4) == StackDetail::parts);
    EXPECT_TRUE(detailAt(1.0) == StackDetail::parts);
    EXPECT_TRUE(detailAt(1.4) == StackDetail::parts);
    EXPECT_TRUE(detailAt(1.401) == StackDetail::operations);
    EXPECT_TRUE(detailAt(kMaxZoom) == StackDetail::operations);
}

TEST(StackZoom, WhatIsNoZoomBecomesOne)
{
    EXPECT_EQ(legalZoom(std::numeric_limits<double>::quiet_NaN()), 1.0);
    EXPECT_EQ(legalZoom(-1.0), kMinZoom);
    EXPECT_EQ(legalZoom(1e9), kMaxZoom);
    EXPECT_EQ(legalZoom(0.62), 0.62);
}

TEST(StackZoom, StepsGoThroughAllSizesBothWaysAndOverHundredPercent)
{
    std::vector<double> up{kMinZoom};
    while (up.back() < kMaxZoom) {
        const double next = steppedZoom(up.back(), 1);
        ASSERT_GT(next, up.back());
        EXPECT_EQ(steppedZoom(next, -1), up.back());
        up.push_back(next);
    }
    EXPECT_NE(std::find(up.begin(), up.end(), 1.0), up.end());
    EXPECT_EQ(steppedZoom(kMaxZoom, 1), kMaxZoom);
    EXPECT_EQ(steppedZoom(kMinZoom, -1), kMinZoom);
    EXPECT_EQ(steppedZoom(0.9, 1), 1.0);
    EXPECT_EQ(steppedZoom(1.1, -1), 1.0);
}

TEST(StackZoom, TheWheelStopsAtHundredPercentAndAtTheEnds)
{
    EXPECT_EQ(wheeledZoom(0.95, 1.0), 1.0);
    EXPECT_EQ(wheeledZoom(1.05, -1.0), 1.0);
    EXPECT_GT(wheeledZoom(1.0, 1.0), 1.0);
    EXPECT_LT(wheeledZoom(1.0, -1.0), 1.0);
    EXPECT_EQ(wheeledZoom(kMaxZoom, 5.0), kMaxZoom);
    EXPECT_EQ(wheeledZoom(kMinZoom, -5.0), kMinZoom);
    EXPECT_EQ(wheeledZoom(0.5, 0.0), 0.5);
}

TEST(StackZoom, IsToldInPercent)
{
    EXPECT_EQ(zoomText(1.0), "100 %");
    EXPECT_EQ(zoomText(0.62), "62 %");
    EXPECT_EQ(zoomText(0.004), "0.4 %");
}

} // namespace
} // namespace flopsmith
