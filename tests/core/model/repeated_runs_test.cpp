// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/repeated_runs.h"

#include "core/model/chosen_blocks.h"
#include "core/model/presets.h"
#include "tests/support/patterned.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using Runs = std::vector<int>;

TEST(RepeatedRuns, ARunBecomesLonger)
{
    Model model = *presetNamed("gpt2-half-swapped");
    EXPECT_EQ(repeatRuns(model, {1}, 2), Runs{1});

    EXPECT_EQ(model.runs[0].repeat, 6);
    EXPECT_EQ(model.runs[1].repeat, 18);
    EXPECT_TRUE(model.patterns.empty());
}

TEST(RepeatedRuns, SeveralRunsBecomeAPattern)
{
    Model model = test::unpatterned(test::patterned(1)); // 2, 1, 2, 1
    EXPECT_EQ(repeatRuns(model, {1, 2}, 2), (Runs{1, 2}));

    EXPECT_EQ(model, test::patterned(3));
}

TEST(RepeatedRuns, EqualRunsBecomeOne)
{
    Model model = *presetNamed("gpt2");
    model.runs.front().repeat = 5;
    model.runs.push_back(model.runs.front());
    EXPECT_EQ(repeatRuns(model, {0, 1}, 1), Runs{0});

    ASSERT_EQ(model.runs.size(), 1U);
    EXPECT_EQ(model.layers(), 20);
}

TEST(RepeatedRuns, APatternComesMoreOften)
{
    Model model = test::patterned(3);
    EXPECT_EQ(repeatRuns(model, {1, 2}, 1), (Runs{1, 2}));
    EXPECT_EQ(model, test::patterned(6));
}

TEST(RepeatedRuns, APartOfAPatternIsRepeatedInEachOfItsRepeats)
{
    Model model = test::patterned(3);
    EXPECT_EQ(repeatRuns(model, {2}, 1), Runs{2});
    EXPECT_EQ(model.patterns, test::patterned(3).patterns);
    EXPECT_EQ(model.runs[2].repeat, 4);
    EXPECT_EQ(model.layers(), 12 + 6);
}

TEST(RepeatedRuns, APatternAndOtherRunsAreCopied)
{
    Model model = test::patterned(3);
    EXPECT_EQ(repeatRuns(model, {0, 1, 2}, 1), (Runs{0, 1, 2}));

    EXPECT_EQ(model.layers(), 12 + 11);
    EXPECT_EQ(model.patterns, (std::vector<Pattern>{{1, 2, 3}, {8, 2, 3}}));
    EXPECT_FALSE(patternProblem(model).has_value());
}

TEST(RepeatedRuns, AddAsManyBlocksAsTheyHave)
{
    const Model before = test::patterned(3);
    for (const Runs& runs : {Runs{0}, Runs{1}, Runs{2}, Runs{1, 2}, Runs{0, 1, 2}, Runs{7}}) {
        for (const int more : {1, 2, 5}) {
            Model model = before;
            ASSERT_EQ(whyNotRepeated(model, runs), "");
            const auto blocks = static_cast<int>(blocksOfRuns(model, runs).size());
            repeatRuns(model, runs, more);

            EXPECT_EQ(model.layers(), before.layers() + more * blocks);
            EXPECT_FALSE(patternProblem(model).has_value());
        }
    }
}

TEST(RepeatedRuns, WhatDoesNotStandTogetherIsRefused)
{
    const Model model = test::patterned(3);
    for (const Runs& runs : {Runs{}, Runs{0, 2}, Runs{0, 1}, Runs{0, 7}, Runs{2, 7}}) {
        EXPECT_NE(whyNotRepeated(model, runs), "");
    }
}

TEST(RepeatedRuns, StayInTheirHalfOfTheModel)
{
    const Model model = *presetNamed("t5-small");
    int last = 0; // run of the encoder
    while (model.runs[static_cast<std::size_t>(last) + 1].block.isEncoder()) {
        ++last;
    }
    EXPECT_NE(whyNotRepeated(model, {last, last + 1}), "");
    EXPECT_EQ(whyNotRepeated(model, {last}), "");
    EXPECT_EQ(whyNotRepeated(model, {last + 1}), "");
}

} // namespace
} // namespace flopsmith
