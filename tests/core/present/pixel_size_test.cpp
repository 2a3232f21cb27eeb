// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/base/pixel_size.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

TEST(PixelSizes, AreTwoWholeNumbersWithinLimits)
{
    EXPECT_EQ(*parsedPixelSize("720x440"), (PixelSize{720, 440}));
    EXPECT_EQ(*parsedPixelSize("64x16384"), (PixelSize{64, 16'384}));
    for (const char* text : {"",
                             "x",
                             "720",
                             "720x",
                             "x440",
                             "63x64",
                             "64x16385",
                             "720x440x1",
                             "7e2x440",
                             " 720x440",
                             "99999999999x440",
                             "-720x440"}) {
        const auto size = parsedPixelSize(text);
        ASSERT_FALSE(size.ok()) << text;
        EXPECT_NE(size.error().message.find("expected WIDTHxHEIGHT"), std::string::npos);
    }
}

TEST(DrawingWidths, AreLengthsInTheirUnits)
{
    EXPECT_EQ(*parsedDrawingWidth("720"), 720);
    EXPECT_EQ(*parsedDrawingWidth("720px"), 720);
    EXPECT_EQ(*parsedDrawingWidth("85mm"), 321);
    EXPECT_EQ(*parsedDrawingWidth("8.5 cm"), 321);
    EXPECT_EQ(*parsedDrawingWidth("3.3in"), 317);
    for (const char* text :
         {"", "mm", "85pt", "-85mm", "10mm", "99999px", "nan", "1e3px", "85mm x"}) {
        const auto width = parsedDrawingWidth(text);
        ASSERT_FALSE(width.ok()) << text;
        EXPECT_NE(width.error().message.find("as in 85mm"), std::string::npos);
    }
}

TEST(TypeSizes, ArePointsWithinLimits)
{
    EXPECT_EQ(*parsedTypeSize("8"), 8.0);
    EXPECT_EQ(*parsedTypeSize("9.75pt"), 9.75);
    for (const char* text : {"", "pt", "3", "41", "8px", "-8", "inf"}) {
        const auto size = parsedTypeSize(text);
        ASSERT_FALSE(size.ok()) << text;
        EXPECT_NE(size.error().message.find("4 to 40 points"), std::string::npos);
    }
}

} // namespace
} // namespace flopsmith
