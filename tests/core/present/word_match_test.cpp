// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/base/word_match.h"

#include "core/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

const std::vector<std::string> kTitles{"Undo",
                                       "Save as",
                                       "Save",
                                       "save Save",
                                       "Full screen",
                                       "Show Roofline",
                                       "Load GPT-2 small",
                                       "Gated (SwiGLU)",
                                       "Duplicate block",
                                       "block Duplicate",
                                       "Replace FFN of block 7 only by",
                                       "\xC3\x84hnlich \xE2\x80\x93 wie d_model",
                                       "Set d_model to 1024"};

int scoreOf(std::string_view query, std::string_view title)
{
    const auto match = wordMatch(query, title);
    return match ? match->score : -1'000'000;
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

bool isInsideCharacter(const std::string& text, std::size_t at)
{
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

// Some letters of titles, so that a part of the queries matches something.
std::vector<std::string> randomWords(Random& random)
{
    std::vector<std::string> words;
    for (auto count = random.integer(1, 3); count > 0; --count) {
        const std::string& title =
            kTitles[static_cast<std::size_t>(random.integer(0, std::ssize(kTitles) - 1))];
        const auto begin = static_cast<std::size_t>(random.integer(0, std::ssize(title) - 1));
        const std::string part =
            title.substr(begin, static_cast<std::size_t>(random.integer(1, 5)));
        words.push_back(part.substr(0, part.find(' ')) + (random.integer(0, 3) == 0 ? "x" : ""));
    }
    return words;
}

TEST(WordMatchTest, EveryTitleIsFoundByItselfAndNothingScoresMore)
{
    for (const std::string& title : kTitles) {
        ASSERT_TRUE(wordMatch(title, title)) << title;
        for (const std::string& other : kTitles) {
            EXPECT_GE(scoreOf(title, title), scoreOf(title, other)) << title << " / " << other;
        }
    }
}

TEST(WordMatchTest, TheOrderOfWordsDoesNotMatter)
{
    Random random(1);
    int matches = 0;
    for (int round = 0; round < 300; ++round) {
        std::vector<std::string> words = randomWords(random);
        const std::string query = joined(words);
        std::reverse(words.begin(), words.end());
        for (const std::string& title : kTitles) {
            EXPECT_EQ(wordMatch(query, title), wordMatch(joined(words), title)) << query;
            matches += wordMatch(query, title) ? 1 : 0;
        }
    }
    EXPECT_GT(matches, 100);
}

TEST(WordMatchTest, MoreLettersNeverMatchMoreTitles)
{
    Random random(2);
    for (int round = 0; round < 300; ++round) {
        const std::string query = joined(randomWords(random));
        for (const std::string& title : kTitles) {
            for (std::size_t length = 1; length <= query.size(); ++length) {
                if (isInsideCharacter(query, length) || isInsideCharacter(query, length - 1)) {
                    continue;
                }
                const bool longer = wordMatch(query.substr(0, length), title).has_value();
                const bool shorter = wordMatch(query.substr(0, length - 1), title).has_value();
                EXPECT_TRUE(shorter || !longer) << query.substr(0, length) << " / " << title;
            }
        }
    }
}

TEST(WordMatchTest, CaseDoesNotMatter)
{
    EXPECT_EQ(wordMatch("UNDO", "undo"), wordMatch("undo", "Undo"));
    EXPECT_TRUE(wordMatch("\xC3\xA4HN", "\xC3\x84hnlich"));
}

TEST(WordMatchTest, AWholeWordBeatsAStartAStartAnInsideAndAnInsideGaps)
{
    EXPECT_GT(scoreOf("heads", "set heads"), scoreOf("heads", "headset"));
    EXPECT_GT(scoreOf("glu", "a glut"), scoreOf("glu", "SwiGLU"));
    EXPECT_GT(scoreOf("glu", "SwiGLU"), scoreOf("glu", "Gated low unit"));
    EXPECT_TRUE(wordMatch("glu", "Gated low unit")->hasGaps);
    EXPECT_FALSE(wordMatch("tlu", "Gated low unit")); // it begins at no word
}

TEST(WordMatchTest, AnEarlierPlaceScoresMore)
{
    EXPECT_GT(scoreOf("theme", "Theme of the system"), scoreOf("theme", "Light theme here"));
}

TEST(WordMatchTest, PlacesAreBytesOfTheTitle)
{
    const auto match = wordMatch("wie \xC3\xA4h", "\xC3\x84hnlich \xE2\x80\x93 wie");

    ASSERT_TRUE(match);
    EXPECT_EQ(match->places, (std::vector<MatchedPlace>{{0, 3}, {13, 3}}));
}

TEST(WordMatchTest, TextThatIsNotUtf8IsComparedByBytes)
{
    EXPECT_TRUE(wordMatch("\xFF", "a \xFF\xC3"));
    EXPECT_FALSE(wordMatch("b", "\xE2\x80"));
}

TEST(RankedTitlesTest, AnEmptyQueryKeepsAllInTheirOrder)
{
    const auto ranked = rankedTitles(" ", {{"b"}, {"a"}});

    ASSERT_EQ(ranked.size(), 2U);
    EXPECT_EQ(ranked[0].index, 0U);
    EXPECT_TRUE(ranked[0].match.places.empty());
}

TEST(RankedTitlesTest, FurtherWordsFindATitleBehindThoseThatMatchByThemselves)
{
    const auto ranked =
        rankedTitles("view", {{"Light theme", "View"}, {"Review"}, {"Undo", "Edit"}});

    ASSERT_EQ(ranked.size(), 2U);
    EXPECT_EQ(ranked[0].index, 1U);
    EXPECT_EQ(ranked[1].index, 0U);
    EXPECT_TRUE(ranked[1].match.places.empty()); // they are in the further words
}

TEST(RankedTitlesTest, AnotherNameIsAsGoodAsATitle)
{
    const std::vector<SearchedTitle> titles{{"Micro-refine"},
                                            {"Arm moe of the lab"},
                                            {"Mixture of experts", "Replace FFN", {"moe"}},
                                            {"Show the moebius"}};
    const auto first = [&titles](const char* query) {
        return rankedTitles(query, titles).front().index;
    };
    EXPECT_EQ(first("moe"), 2U);
    EXPECT_EQ(first("replace moe"), 2U);
    EXPECT_EQ(first("micro"), 0U);
    EXPECT_TRUE(rankedTitles("moe", titles).front().match.places.empty());
}

TEST(RankedTitlesTest, AFavouredTitleComesBeforeThoseThatMatchAboutAsWell)
{
    const std::vector<SearchedTitle> titles{
        {"Show blocks"}, {"Delete blocks", {}, {}, true}, {"Duplicated", {}, {}, true}};
    EXPECT_EQ(rankedTitles("blocks", titles).front().index, 1U);
    EXPECT_EQ(rankedTitles("show", titles).front().index, 0U);
    EXPECT_EQ(rankedTitles("", titles).front().index, 0U) << "nothing is typed yet";
}

} // namespace
} // namespace flopsmith
