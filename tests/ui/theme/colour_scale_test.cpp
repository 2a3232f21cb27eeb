// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/colour_scale.h"

#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith::ui {
namespace {

// CIE L*, from 0 to 100, of the relative luminance that the contrast against black is made of.
double lightness(const QColor& colour)
{
    const double relative = contrast(colour, QColor(0, 0, 0)) * 0.05 - 0.05;
    return 116.0 * std::cbrt(relative) - 16.0;
}

TEST(ColourScale, MoreIsLighterByEqualSteps)
{
    constexpr int kSteps = 50;
    const double whole = lightness(scaleColour(1.0)) - lightness(scaleColour(0.0));
    EXPECT_GT(whole, 60.0);
    for (int i = 0; i < kSteps; ++i) {
        const double step = lightness(scaleColour((i + 1.0) / kSteps))
            - lightness(scaleColour(static_cast<double>(i) / kSteps));
        EXPECT_GT(step, 0.7 * whole / kSteps) << i;
        EXPECT_LT(step, 1.3 * whole / kSteps) << i;
    }
    EXPECT_EQ(scaleColour(-1.0), scaleColour(0.0));
    EXPECT_EQ(scaleColour(2.0), scaleColour(1.0));
}

TEST(ColourScale, EveryColourHasAReadableText)
{
    for (int i = 0; i <= 100; ++i) {
        const QColor fill = scaleColour(i / 100.0);
        EXPECT_GE(contrast(textOn(fill), fill), 4.5) << i;
    }
}

} // namespace
} // namespace flopsmith::ui
