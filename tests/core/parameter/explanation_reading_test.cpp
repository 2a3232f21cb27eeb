// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameter/explanation_reading.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

constexpr const char* kEntry = "# A file\n"
                               "with words of its own\n"
                               "## width\n"
                               "How many\n"
                               "features.  \n"
                               "\n"
                               "Formula: d = 2,  3\n"
                               "Source: A paper\n"
                               "of 2017\n";

std::string errorOf(const std::string& text)
{
    const auto entries = parsedExplanations("ffn.md", text);
    return entries ? "" : entries.error().message;
}

TEST(ExplanationReading, JoinsTheLinesOfAParagraph)
{
    const auto entries = parsedExplanations("ffn.md", kEntry);

    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 1);
    const Explanation& entry = entries->front();
    EXPECT_EQ(entry.key, "width");
    EXPECT_EQ(entry.text, "How many features.");
    EXPECT_EQ(entry.formula, "d = 2,  3");
    EXPECT_EQ(entry.source, "A paper of 2017");
    EXPECT_EQ(entry.place, "ffn.md:3");
}

TEST(ExplanationReading, ReadsTheLineEndsOfEverySystem)
{
    std::string text = kEntry;
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
        text.replace(at, 1, "\r\n");
    }

    const auto entries = parsedExplanations("ffn.md", text);

    ASSERT_TRUE(entries);
    EXPECT_EQ(entries->at(0).text, "How many features.");
}

TEST(ExplanationReading, NamesFileAndLineOfABrokenEntry)
{
    const std::string entry = kEntry;

    EXPECT_EQ(errorOf(entry + "\n## depth\nSource: B\n"), "ffn.md:11: \"depth\" has no text");
    EXPECT_EQ(errorOf(entry + "\n## depth\nHow deep.\n"),
              "ffn.md:11: \"depth\" has no paragraph that begins with \"Source: \"");
    EXPECT_EQ(errorOf(entry + "\nMore words.\n"),
              "ffn.md:11: \"width\" has one text, one formula and one source");
    EXPECT_EQ(errorOf(""), "");
}

} // namespace
} // namespace flopsmith
