// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/share/deflate.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>

#include <algorithm>

namespace flopsmith {
namespace {

TEST(Deflate, AnyTextComesBackAgainstAnyOther)
{
    EXPECT_TRUE(rc::check([](const std::string& text, const std::string& similar) {
        const std::string bytes = deflated(text, similar);

        RC_ASSERT(inflated(bytes, similar, text.size()) == std::optional(text));
    }));
}

TEST(Deflate, WhatIsCommonTakesFewBytes)
{
    std::string text;
    for (int i = 0; i < 200; ++i) {
        text += std::to_string(i * i);
    }
    std::string changed = text;
    changed.replace(100, 3, "abc");

    EXPECT_LT(deflated(changed, text).size(), 40U);
    EXPECT_GT(deflated(changed, {}).size(), 200U);
}

TEST(Deflate, MoreThanAllowedOrLessThanAllIsNothing)
{
    const std::string text(100'000, 'x');
    const std::string bytes = deflated(text, {});
    ASSERT_TRUE(inflated(bytes, {}, text.size()).has_value());

    EXPECT_FALSE(inflated(bytes, {}, text.size() - 1).has_value());
    EXPECT_FALSE(inflated(bytes.substr(0, bytes.size() - 1), {}, text.size()).has_value());
    EXPECT_FALSE(inflated(bytes + "x", {}, text.size()).has_value());
    EXPECT_FALSE(inflated("", {}, text.size()).has_value());
}

// The value that every description of CRC-32 names.
TEST(Deflate, TheChecksumIsThatOfTheStandard)
{
    EXPECT_EQ(checksum("123456789"), 0xCBF43926U);
}

} // namespace
} // namespace flopsmith
