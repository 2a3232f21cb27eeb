// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/printable.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

TEST(Printable, LeavesTextAsItIs)
{
    const std::string text = "GPT-2 \xC3\xA4\xC2\xB5 \xE2\x80\xA6 \xF0\x9F\x98\x80 |\\\"";

    EXPECT_EQ(printable(text), text);
    EXPECT_TRUE(isPrintable(text));
    EXPECT_EQ(printable(""), "");
}

TEST(Printable, TakesTerminalSequencesTheirEscape)
{
    EXPECT_EQ(printable("G\x1B]0;owned\x07!"), "G ]0;owned !");
    EXPECT_EQ(printable("a\nb\r\x7F"), "a b  ");
    EXPECT_EQ(printable("\xC2\x9B"
                        "2J"),
              " 2J"); // U+009B, the C1 control sequence introducer
}

TEST(Printable, DoesNotTurnTheWritingDirection)
{
    EXPECT_EQ(printable("a\xE2\x80\xAE"
                        "b"),
              "a b"); // U+202E
    EXPECT_EQ(printable("a\xE2\x81\xA6"
                        "b\xE2\x80\xA8"),
              "a b "); // U+2066, U+2028
    EXPECT_FALSE(isPrintable("a\xE2\x80\x8F")); // U+200F
}

TEST(Printable, ReplacesBytesThatAreNoText)
{
    const std::string bad = "\xEF\xBF\xBD";

    EXPECT_EQ(printable("a\x9B"
                        "b"),
              "a" + bad + "b"); // C1 as a single byte
    EXPECT_EQ(printable("\xC3"), bad); // cut short
    EXPECT_EQ(printable("\xC0\xAF"), bad + bad); // overlong
    EXPECT_EQ(printable("\xED\xA0\x80"), bad + bad + bad); // a surrogate
    EXPECT_EQ(printable("\xF5\x80\x80\x80"), bad + bad + bad + bad); // beyond Unicode
}

TEST(Printable, CountsTheBytesBeforeOnesThatAreNotUtf8)
{
    for (const std::string text : {"", "plain\n", "\xC3\xA4\xF0\x9F\x98\x80"}) {
        EXPECT_EQ(validUtf8Bytes(text), text.size());
        for (const char* broken :
             {"\xE4", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80"}) {
            EXPECT_EQ(validUtf8Bytes(text + broken + "abc"), text.size());
        }
    }
}

TEST(Printable, KeepsLinesApartWhereTheyAreWanted)
{
    EXPECT_EQ(printableLines("a\x1B\n\nb"), "a \n\nb");
}

TEST(Printable, ElidesTheMiddle)
{
    EXPECT_EQ(elided("abcdefg", 7), "abcdefg");
    EXPECT_EQ(elided("abcdefg", 6),
              "ab\xE2\x80\xA6"
              "efg");
    EXPECT_EQ(elided("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F", 3), "\xC3\xA4\xE2\x80\xA6\xC3\x9F");
    EXPECT_EQ(excerpt(std::string(100'000, 'x')).size(), 199 + 3U);
}

} // namespace
} // namespace flopsmith
