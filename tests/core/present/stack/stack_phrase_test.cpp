// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/stack/stack_phrase.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using Kind = BlockChoice::Kind;

struct Said
{
    const char* text;
    BlockChoice choice;
    const char* part;
};

TEST(StackPhrase, SaysWhichBlocksGetWhat)
{
    for (const Said& said :
         {Said{"every 4th block: mixture of experts", {Kind::everyNth, 4}, "mixture of experts"},
          {"Every fourth MoE", {Kind::everyNth, 4}, "moe"},
          {"every 4 spectral", {Kind::everyNth, 4}, "spectral"},
          {"every 2nd ultra", {Kind::everyNth, 2}, "ultra"},
          {"every other layer becomes a fourier mixer", {Kind::everyNth, 2}, "fourier mixer"},
          {"every block dense", {Kind::everyNth, 1}, "dense"},
          {"every 4th block from block 2: moe", {Kind::everyNth, 4, 2}, "moe"},
          {"every 6-th", {Kind::everyNth, 6}, ""},
          {"last 2 ultraefficientsparse", {Kind::last, 2}, "ultraefficientsparse"},
          {"last two blocks are UltraEfficientSparseFFN",
           {Kind::last, 2},
           "ultraefficientsparseffn"},
          {"last block: none", {Kind::last, 1}, "none"},
          {"first three gated", {Kind::first, 3}, "gated"}}) {
        const auto phrase = stackPhrase(said.text);
        ASSERT_TRUE(phrase.has_value()) << said.text;
        EXPECT_EQ(phrase->kind, StackPhrase::Kind::replace) << said.text;
        EXPECT_EQ(phrase->choice, said.choice) << said.text;
        EXPECT_EQ(phrase->part, said.part) << said.text;
        EXPECT_EQ(phrase->problem, "") << said.text;
    }
}

TEST(StackPhrase, SaysHowOftenBlocksComeMore)
{
    for (const char* text : {"repeat 3", "Repeat three times", "repeat x3", "repeat 3x more"}) {
        const auto phrase = stackPhrase(text);
        ASSERT_TRUE(phrase.has_value()) << text;
        EXPECT_EQ(phrase->kind, StackPhrase::Kind::repeat) << text;
        EXPECT_EQ(phrase->more, 3) << text;
        EXPECT_EQ(phrase->problem, "") << text;
    }
    EXPECT_EQ(stackPhrase("repeat twice")->more, 2);
}

TEST(StackPhrase, AWrongNumberIsOneSentence)
{
    for (const char* text : {"every 0 moe",
                             "every -4th moe",
                             "every n-th block",
                             "last 0 moe",
                             "repeat 0",
                             "repeat -1"}) {
        const auto phrase = stackPhrase(text);
        ASSERT_TRUE(phrase.has_value()) << text;
        EXPECT_FALSE(phrase->problem.empty()) << text;
    }
    EXPECT_EQ(stackPhrase("every 99999999999999 moe")->choice.n, 1'000'000);
}

TEST(StackPhrase, OtherTextsAreNone)
{
    for (const char* text : {"",
                             " ",
                             "every",
                             "every day",
                             "last",
                             "last opened",
                             "first",
                             "repeat",
                             "repeats of the pattern",
                             "repeat 3 bananas",
                             "every 4x",
                             "bf16",
                             "d_model 1024"}) {
        EXPECT_FALSE(stackPhrase(text).has_value()) << text;
    }
}

TEST(StackPhrase, TheChoiceIsReadAsItIsWritten)
{
    for (const BlockChoice& choice : {BlockChoice{Kind::everyNth, 1},
                                      {Kind::everyNth, 2},
                                      {Kind::everyNth, 3},
                                      {Kind::everyNth, 11},
                                      {Kind::everyNth, 21},
                                      {Kind::everyNth, 4, 2},
                                      {Kind::first, 1},
                                      {Kind::first, 3},
                                      {Kind::last, 2}}) {
        EXPECT_EQ(stackPhrase(choiceText(choice))->choice, choice) << choiceText(choice);
    }
    EXPECT_EQ(choiceText({Kind::everyNth, 22}), "Every 22nd block");
    EXPECT_EQ(choiceText({Kind::everyNth, 112}), "Every 112th block");
    EXPECT_EQ(choiceText({Kind::last, 1}), "Last block");
}

TEST(StackPhrase, SeveralReplacementsFollowEachOther)
{
    for (const char* text : {"every 4th block: moe, last 2 blocks: ultra",
                             "every fourth moe and the last two ultra",
                             "every 4 moe; then last 2 ultra"}) {
        const std::vector<StackPhrase> phrases = stackPhrases(text);
        ASSERT_EQ(phrases.size(), 2U) << text;
        EXPECT_EQ(phrases[0].choice, (BlockChoice{Kind::everyNth, 4}));
        EXPECT_EQ(phrases[0].part, "moe");
        EXPECT_EQ(phrases[1].choice, (BlockChoice{Kind::last, 2}));
        EXPECT_EQ(phrases[1].part, "ultra");
    }
    EXPECT_EQ(stackPhrases("every 4th, moe").size(), 1U);
    EXPECT_EQ(stackPhrases("every 4th, moe").front().part, "moe");
    EXPECT_EQ(stackPhrases("repeat 3").size(), 1U);
    EXPECT_TRUE(stackPhrases("undo, redo").empty());
}

TEST(StackPhrase, BlocksAreNamedBriefly)
{
    EXPECT_EQ(blocksText({11}), "block 12");
    EXPECT_EQ(blocksText({10, 11}), "blocks 11, 12");
    EXPECT_EQ(blocksText({3, 7, 11}), "blocks 4, 8, 12");
    EXPECT_EQ(blocksText({6, 7, 8, 9}), "blocks 7 – 10");
    std::vector<int> many;
    for (int block = 1; block < 60; block += 2) {
        many.push_back(block);
    }
    EXPECT_EQ(blocksText(many), "blocks 2, 4, 6 … 60 (30 blocks)");
}

} // namespace
} // namespace flopsmith
