// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/when.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

constexpr UnixSeconds kNow = 1'800'000'000; // 2027-01-15 08:00 UTC

TEST(When, AgesAreInTheUnitThatFits)
{
    EXPECT_EQ(ageText(kNow + 5, kNow), "just now");
    EXPECT_EQ(ageText(kNow - 40, kNow), "40 s ago");
    EXPECT_EQ(ageText(kNow - 3 * 60 - 59, kNow), "3 min ago");
    EXPECT_EQ(ageText(kNow - 47 * 3600, kNow), "47 h ago");
    EXPECT_EQ(ageText(kNow - 12 * 86'400, kNow), "12 days ago");
}

TEST(When, AStartIsADayOrAStretchOfTime)
{
    EXPECT_EQ(*sinceOf("2027-01-15", kNow), kNow - 8 * 3600);
    EXPECT_EQ(*sinceOf("90min", kNow), kNow - 5400);
    EXPECT_EQ(*sinceOf("7d", kNow), kNow - 7 * 86'400);
    EXPECT_EQ(*sinceOf("2w", kNow), *sinceOf("14d", kNow));
    EXPECT_EQ(*sinceOf("2000000000h", kNow), 0);
    for (const char* wrong :
         {"", "yesterday", "d", "-3d", "2027-02-30", "2027-1-5", "99999999999999d", "3 d"}) {
        const auto since = sinceOf(wrong, kNow);
        ASSERT_FALSE(since.ok()) << wrong;
        EXPECT_NE(since.error().message.find("2026-11-18"), std::string::npos);
    }
}

} // namespace
} // namespace flopsmith
