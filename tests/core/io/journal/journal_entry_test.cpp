// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/journal/journal_entry.h"

#include "core/base/content_hash.h"
#include "core/base/random.h"
#include "tests/core/io/journal/entries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::entryAt;
using test::linesOf;
using testing::HasSubstr;

std::vector<int> positions(const Result<JournalHistory>& history)
{
    std::vector<int> all;
    for (const JournalEntry& entry : history->entries) {
        all.push_back(entry.position);
    }
    return all;
}

TEST(ContentHash, IsThePublishedFnv1a)
{
    EXPECT_EQ(hashText(contentHash("")), "cbf29ce484222325");
    EXPECT_EQ(hashText(contentHash("foobar")), "85944171f73967e8");
}

TEST(JournalLine, ReadsBackAsItWas)
{
    for (const std::optional<int> clean : {std::optional<int>(), std::optional<int>(7)}) {
        JournalEntry entry = entryAt(3, clean);
        entry.project.lens = LensId::mac;
        entry.project.view = R"({"page":"scaling"})";
        const std::string line = journalLine(entry);

        const Result<JournalEntry> read = parsedJournalLine(line.substr(0, line.size() - 1));

        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_EQ(*read, entry);
        EXPECT_EQ(line.find('\n'), line.size() - 1);
    }
}

TEST(JournalLine, OfATextThatNoStepHasIsRefused)
{
    JournalEntry entry = entryAt(3);
    entry.step = std::string(1'000'000, 'a');
    const std::string line = journalLine(entry);

    const Result<JournalEntry> read = parsedJournalLine(line.substr(0, line.size() - 1));

    ASSERT_FALSE(read.ok());
    EXPECT_THAT(read.error().message, HasSubstr("step: expected a text of at most 65536 bytes"));
}

TEST(JournalLine, OfANewerFormatIsRefusedAsSuch)
{
    std::string json = journalLine(entryAt(1)).substr(17);
    json.pop_back();
    json.replace(json.find(":1"), 2, ":2");

    const Result<JournalEntry> read = parsedJournalLine(hashText(contentHash(json)) + " " + json);

    ASSERT_FALSE(read.ok());
    EXPECT_THAT(read.error().message, HasSubstr("newer"));
}

TEST(Journal, IsItsLastEntryAndTheStepsThatLedThere)
{
    const Result<JournalHistory> history = parsedJournal(linesOf({0, 1, 2, 3}));

    ASSERT_TRUE(history.ok());
    EXPECT_EQ(positions(history), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(history->last(), entryAt(3));
    EXPECT_EQ(history->unsavedSteps(), 3);
    EXPECT_EQ(history->damagedLines, 0U);
}

TEST(Journal, FollowsUndoAndANewBranch)
{
    std::string text = linesOf({0, 1, 2, 3, 2, 1});
    JournalEntry other = entryAt(2);
    other.step = "another step";
    text += journalLine(other);

    const Result<JournalHistory> history = parsedJournal(text);

    EXPECT_EQ(positions(history), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(history->last(), other);
    EXPECT_EQ(positions(parsedJournal(linesOf({0, 1, 2, 3, 2, 1}))), (std::vector<int>{0, 1}));
}

TEST(Journal, BeginsAfterAGap)
{
    EXPECT_EQ(positions(parsedJournal(linesOf({0, 1, 3, 4}))), (std::vector<int>{3, 4}));
    // 2 belongs to the branch before the undo.
    EXPECT_EQ(positions(parsedJournal(linesOf({0, 1, 2, 0, 1, 3}))), (std::vector<int>{2, 3}));
}

TEST(Journal, CountsStepsFromTheFileInBothDirections)
{
    EXPECT_EQ(parsedJournal(linesOf({1, 2}, 5))->unsavedSteps(), 3);
    EXPECT_EQ(parsedJournal(linesOf({1, 2}, std::nullopt))->unsavedSteps(), 2);
}

TEST(Journal, CutShortAnywhereHasTheWholeLinesBefore)
{
    const std::string two = linesOf({0, 1});
    const std::string text = two + journalLine(entryAt(2));
    const std::size_t first = linesOf({0}).size();
    for (std::size_t length = 0; length < text.size(); length += 7) {
        const Result<JournalHistory> history = parsedJournal(text.substr(0, length));

        ASSERT_EQ(history.ok(), length + 1 >= first) << length;
        if (history) {
            EXPECT_EQ(history->last().position, length + 1 >= two.size() ? 1 : 0) << length;
        }
    }
}

TEST(Journal, AChangedByteCostsItsLineAlone)
{
    const std::string text = linesOf({0, 1, 2});
    Random random(1);
    for (int i = 0; i < 500; ++i) {
        std::string changed = text;
        const auto place =
            static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(text.size()) - 1));
        changed[place] = static_cast<char>(changed[place] ^ (1 << random.integer(0, 7)));

        const Result<JournalHistory> history = parsedJournal(changed);

        ASSERT_TRUE(history.ok());
        EXPECT_GE(history->damagedLines, 1U);
        const JournalEntry& last = history->last();
        EXPECT_EQ(last, entryAt(last.position));
        EXPECT_GE(last.position, 1);
    }
}

TEST(Journal, WithoutAWholeLineIsAnError)
{
    EXPECT_FALSE(parsedJournal("").ok());
    EXPECT_FALSE(parsedJournal("\n\n\n").ok());
    EXPECT_FALSE(parsedJournal("{\"flopsmith_journal\":1}").ok());
}

TEST(Journal, ShortenedKeepsTheNewestSteps)
{
    const Result<JournalHistory> history = parsedJournal(linesOf({0, 1, 2, 3, 4}));
    const std::size_t line = journalLine(entryAt(4)).size();

    EXPECT_EQ(positions(parsedJournal(shortenedJournal(*history, 2 * line + 1))),
              (std::vector<int>{3, 4}));
    EXPECT_EQ(positions(parsedJournal(shortenedJournal(*history, 0))), (std::vector<int>{4}));
}

} // namespace
} // namespace flopsmith
