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

} // namespace
} // namespace flopsmith
