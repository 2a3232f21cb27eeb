// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch/repeats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace flopsmith::torch {
namespace {

using testing::ElementsAre;

std::vector<Repeat> repeatsOf(const std::string& letters)
{
    return repeatsIn(std::vector<char>(letters.begin(), letters.end()));
}

TEST(Repeats, FindsRunsAndPeriods)
{
    EXPECT_THAT(repeatsOf("AAA"), ElementsAre(Repeat{0, 1, 3}));
    EXPECT_THAT(repeatsOf("ABABAB"), ElementsAre(Repeat{0, 2, 3}));
    EXPECT_THAT(repeatsOf("ABBABB"), ElementsAre(Repeat{0, 3, 2}));
    EXPECT_THAT(repeatsOf("AAABBB"), ElementsAre(Repeat{0, 1, 3}, Repeat{3, 1, 3}));
}

TEST(Repeats, LeavesSingleValuesAlone)
{
    EXPECT_THAT(repeatsOf("AB"), ElementsAre(Repeat{0, 1, 1}, Repeat{1, 1, 1}));
    EXPECT_THAT(repeatsOf("ABBC"), ElementsAre(Repeat{0, 1, 1}, Repeat{1, 1, 2}, Repeat{3, 1, 1}));
    EXPECT_TRUE(repeatsOf("").empty());
}

TEST(Repeats, PrefersTheShorterPeriodOfEqualOnes)
{
    EXPECT_THAT(repeatsOf("AAAA"), ElementsAre(Repeat{0, 1, 4}));
}

TEST(Repeats, CoverAllValuesInOrder)
{
    const std::string letters = "AABABBBACCACCAAAAB";
    std::string spread;
    for (const Repeat& repeat : repeatsOf(letters)) {
        EXPECT_EQ(repeat.first, spread.size());
        for (std::size_t i = 0; i < repeat.times; ++i) {
            spread += letters.substr(repeat.first, repeat.length);
        }
    }

    EXPECT_EQ(spread, letters);
}

} // namespace
} // namespace flopsmith::torch
