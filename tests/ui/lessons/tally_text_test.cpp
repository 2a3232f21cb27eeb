// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/questions/tally_text.h"

#include <gtest/gtest.h>

namespace flopsmith::ui {
namespace {

TEST(ParsedTally, ReadsWhatALecturerTypes)
{
    EXPECT_EQ(parsedTally(QStringLiteral("A 12 B 30 C 4"), 3).value(), Tally({12, 30, 4}));
    EXPECT_EQ(parsedTally(QStringLiteral("a12,c4"), 3).value(), Tally({12, 0, 4}));
    EXPECT_EQ(parsedTally(QStringLiteral(" 12 30 4 "), 4).value(), Tally({12, 30, 4, 0}));
    EXPECT_EQ(parsedTally(QStringLiteral("B: 7"), 2).value(), Tally({0, 7}));
    EXPECT_EQ(parsedTally(QString(), 3).value(), Tally());
}

TEST(ParsedTally, RefusesTheRestInOneSentence)
{
    for (const char* text : {"A", "D 3", "A 3 B", "1 2 3 4", "A -1", "A 999999", "zwölf"}) {
        const Result<Tally> tally = parsedTally(QString::fromUtf8(text), 3);
        ASSERT_FALSE(tally.ok()) << text;
        EXPECT_FALSE(tally.error().message.empty());
    }
}

TEST(TallyText, IsReadAsItWasWritten)
{
    for (const Tally& tally : {Tally({12, 30, 4}), Tally({0, 1}), Tally({5})}) {
        EXPECT_EQ(parsedTally(tallyText(tally), static_cast<int>(tally.size())).value(), tally);
    }
    EXPECT_TRUE(tallyText({}).isEmpty());
}

} // namespace
} // namespace flopsmith::ui
