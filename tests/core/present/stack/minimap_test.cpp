// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/stack/minimap.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

TEST(Minimap, OnlyATallStackHasOne)
{
    EXPECT_FALSE(MinimapScale::isWanted(300.0, 300.0));
    EXPECT_FALSE(MinimapScale::isWanted(600.0, 300.0));
    EXPECT_TRUE(MinimapScale::isWanted(601.0, 300.0));
    EXPECT_FALSE(MinimapScale::isWanted(600.0, 0.0));
}

TEST(Minimap, AClickCentresTheFrameOnItWithinAPixel)
{
    for (const double stack : {700.0, 3000.0, 110'000.0}) {
        for (const double view : {200.0, 333.0}) {
            const MinimapScale scale(stack, view, view);
            for (int height = 0; height <= static_cast<int>(view); ++height) {
                const int scroll = scale.scrollTo(height);
                const bool atAnEnd = scroll == 0 || scroll >= static_cast<int>(stack - view);
                const MinimapSpan frame = scale.frame(scroll);
                EXPECT_GE(frame.top, 0.0);
                EXPECT_LE(frame.top + frame.height, view + 1e-9);
                EXPECT_TRUE(atAnEnd || std::abs(frame.top + frame.height / 2.0 - height) <= 1.0)
                    << stack << " " << view << " " << height;
            }
        }
    }
}

TEST(Minimap, TheFrameGoesBackToItsScrollPosition)
{
    const MinimapScale scale(3000.0, 300.0, 300.0);
    for (int scroll = 0; scroll <= 2700; scroll += 90) {
        const MinimapSpan frame = scale.frame(scroll);
        EXPECT_NEAR(scale.scrollTo(frame.top + frame.height / 2.0), scroll, 1.0);
    }
}

TEST(Minimap, TheWholeStackFillsTheStrip)
{
    const MinimapScale scale(3000.0, 300.0, 250.0);
    EXPECT_EQ(scale.place(0.0, 3000.0).top, 0.0);
    EXPECT_NEAR(scale.place(0.0, 3000.0).height, 250.0, 1e-9);
    EXPECT_NEAR(scale.place(1500.0, 30.0).top, 125.0, 1e-9);
}

} // namespace
} // namespace flopsmith
