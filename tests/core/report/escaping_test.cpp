// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/escaping.h"

#include "core/base/markdown.h"
#include "core/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace flopsmith {
namespace {

// What HTML, Markdown and LaTeX read as markup, letters, and characters of two to four bytes.
std::string randomText(Random& random)
{
    static constexpr std::array<std::string_view, 44> kPieces{"\\",
                                                              "{",
                                                              "}",
                                                              "$",
                                                              "&",
                                                              "#",
                                                              "_",
                                                              "^",
                                                              "~",
                                                              "%",
                                                              "<",
                                                              ">",
                                                              "\"",
                                                              "'",
                                                              "`",
                                                              "*",
                                                              "[",
                                                              "]",
                                                              "(",
                                                              ")",
                                                              "!",
                                                              "|",
                                                              "-",
                                                              "+",
                                                              ".",
                                                              ":",
                                                              "/",
                                                              "=",
                                                              "@",
                                                              "\n",
                                                              "\t",
                                                              "0",
                                                              "1",
                                                              "9",
                                                              "a",
                                                              "b",
                                                              "Z",
                                                              " ",
                                                              "\x01",
                                                              "\xC3\xA9",
                                                              "\xC2\xB5",
                                                              "\xE4\xB8\xAD",
                                                              "\xE2\x80\xA6",
                                                              "\xF0\x9F\x98\x80"};
    std::string text;
    const auto pieces = random.integer(0, 30);
    for (int i = 0; i < pieces; ++i) {
        text += kPieces[static_cast<std::size_t>(random.integer(0, 43))];
    }
    return text;
}

// Removes what the escaping may write; of a command that it may not, the backslash stays.
std::string withoutKnown(std::string text)
{
    for (const std::string_view known : {"\\textbackslash{}",
                                         "\\textasciitilde{}",
                                         "\\textasciicircum{}",
                                         "\\dots{}",
                                         "$<$",
                                         "$>$",
                                         "$\\mu$",
                                         "\\&",
                                         "\\%",
                                         "\\$",
                                         "\\#",
                                         "\\_",
                                         "\\{",
                                         "\\}"}) {
        for (std::size_t at = text.find(known); at != std::string::npos;
             at = text.find(known, at)) {
            text.replace(at, known.size(), " "); // a blank, so that the ends do not join
        }
    }
    return text;
}

TEST(Escaping, LeavesNothingThatHtmlReads)
{
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
        const std::string escaped = htmlEscaped(randomText(random));

        EXPECT_EQ(escaped.find_first_of("<>\"'\n"), std::string::npos) << escaped;
        for (std::size_t at = escaped.find('&'); at != std::string::npos;
             at = escaped.find('&', at + 1)) {
            EXPECT_LE(escaped.find(';', at), at + 5) << escaped;
        }
    }
}

TEST(Escaping, LeavesNothingThatLatexReads)
{
    Random random(2);
    for (int i = 0; i < 2000; ++i) {
        const std::string escaped = latexWords(randomText(random));

        EXPECT_EQ(withoutKnown(escaped).find_first_of("\\{}$&#_^~%<>\n"), std::string::npos)
            << escaped;
    }
}

TEST(Escaping, PutsABackslashBeforeWhatMarkdownReads)
{
    Random random(3);
    for (int i = 0; i < 2000; ++i) {
        const std::string escaped = markdownWords(randomText(random));

        for (std::size_t at = 0; at < escaped.size(); ++at) {
            if (escaped[at] == '\\') {
                ++at; // what it escapes
            } else {
                EXPECT_EQ(std::string_view("`*_{}[]<>#|~$&^@\n").find(escaped[at]),
                          std::string_view::npos)
                    << escaped;
            }
        }
    }
}

TEST(Escaping, OfMarkdownBeginsNoListAndLinksNoAddress)
{
    EXPECT_EQ(markdownWords("- a"), "\\- a");
    EXPECT_EQ(markdownWords("12. a"), "12\\. a");
    EXPECT_EQ(markdownWords("GPT-2 has 39.8 %"), "GPT-2 has 39.8 %");
    EXPECT_EQ(markdownWords("http://a"), "http\\://a");
}

TEST(Escaping, OfLatexKnowsWhatItsFontsHold)
{
    EXPECT_EQ(latexWords("caf\xC3\xA9 \xE2\x80\x9Cx\xE2\x80\x9D"), "caf\xC3\xA9 ``x''");
    EXPECT_EQ(latexWords("\xE4\xB8\xAD"), "U+4E2D");
    EXPECT_EQ(latexWords("1\xE2\x80\xAF"
                         "024"),
              "1\\,024");
}

} // namespace
} // namespace flopsmith
