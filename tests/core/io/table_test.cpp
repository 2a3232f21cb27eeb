// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/table/table_text.h"
#include "core/json/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <map>
#include <sstream>

namespace flopsmith {
namespace {

Table sample()
{
    Table table{.caption = "A & B",
                .columns = {{"part", "part", Align::left}, {"flops", "FLOPs"}, {"share", "share"}}};
    Cell child = Cell::text("a|b_c");
    child.indent = 1;
    table.rows = {{Cell::text("whole"), Cell::count(1'234'567), Cell::share(1.0)},
                  {child, Cell::count(1000), Cell::share(0.00081)}};
    return table;
}

TEST(TableText, PlainTextIsAlignedAndIndented)
{
    EXPECT_EQ(plainText(sample()),
              "A & B\n\n"
              "part      FLOPs    share\n"
              "───────  ──────  ───────\n"
              "whole    1.23 M  100.0 %\n"
              "  a|b_c     1 k   0.08 %\n");
}

TEST(TableText, ATerminalThatIsTooNarrowWrapsWordsAndLosesNone)
{
    Table table{.columns = {{"name", "name", Align::left},
                            {"what", "meaning", Align::left},
                            {"flops", "FLOPs"},
                            {"rule", "the rule", Align::left}}};
    const std::string words = "every operation counts however small and wherever it stands";
    table.rows = {
        {Cell::text("a"), Cell::text(words), Cell::count(1'234'567), Cell::text(words)},
        {Cell::text("/a/path/that/stays/whole"), Cell::text("b"), Cell{}, Cell::text("c")}};

    std::istringstream lines(plainText(table, 80));
    std::map<std::string, int> seen;
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(displayWidth(line), 80U) << line;
        std::istringstream parts(line);
        for (std::string word; parts >> word;) {
            ++seen[word];
        }
    }
    std::istringstream parts(words);
    for (std::string word; parts >> word;) {
        EXPECT_EQ(seen[word], 2) << word;
    }
    EXPECT_EQ(seen["/a/path/that/stays/whole"], 1);
    EXPECT_EQ(plainText(table, 1000), plainText(table));
    EXPECT_NE(plainText(table, 80).find("\n  every operation"), std::string::npos)
        << "a sentence with little room stands below its row";
    EXPECT_EQ(plainText(table, 1), plainText(table, 2)) << "no narrower than its words";
}

TEST(TableText, WidthIsCountedInCharactersNotBytes)
{
    EXPECT_EQ(displayWidth("µs – ×"), 6U);
}

TEST(TableText, CsvHoldsExactValues)
{
    EXPECT_EQ(csvText(sample()),
              "part,flops,share\r\n"
              "whole,1234567,1\r\n"
              "a|b_c,1000,0.00081\r\n");
}

TEST(TableText, CsvQuotesWhatNeedsIt)
{
    Table table{.columns = {{"a", "a"}, {"b", "b"}}};
    table.rows = {{Cell::text("x,y"), Cell::text("say \"hi\"\n")}};

    EXPECT_EQ(csvText(table), "a,b\r\n\"x,y\",\"say \"\"hi\"\"\n\"\r\n");
}

TEST(TableText, NoLocaleChangesAFile)
{
    const std::string before = csvText(sample()) + jsonText(tableJson(sample()));
    const std::string old = std::setlocale(LC_ALL, nullptr);
    for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
        std::setlocale(LC_ALL, locale);
        EXPECT_EQ(csvText(sample()) + jsonText(tableJson(sample())), before) << locale;
    }
    std::setlocale(LC_ALL, old.c_str());
}

TEST(TableText, JsonKeepsLargeCountsExact)
{
    Table table{.columns = {{"n", "n"}, {"x", "x"}, {"ok", "ok"}, {"none", "none"}}};
    table.rows = {{Cell::count(Count{kLargestExactDouble} - 1), Cell::number(0.25), {}, {}},
                  {Cell::count(Count{kLargestExactDouble}), Cell::number(1.0 / 0.0), {}, {}}};
    table.rows[0][2].value = true;

    EXPECT_EQ(jsonText(tableJson(table)),
              R"([{"n":9007199254740991,"x":0.25,"ok":true,"none":null},)"
              R"({"n":"9007199254740992","x":null,"ok":null,"none":null}])");
}

TEST(TableText, MarkdownEscapesItsOwnSigns)
{
    EXPECT_EQ(markdownText(sample()),
              "A & B\n\n"
              "| part | FLOPs | share |\n"
              "| :--- | ---: | ---: |\n"
              "| whole | 1.23 M | 100.0 % |\n"
              "| &nbsp;&nbsp;a\\|b\\_c | 1 k | 0.08 % |\n");
}

TEST(TableText, LatexHasRulesAndEscapes)
{
    const std::string text = latexText(sample());

    EXPECT_THAT(text, testing::HasSubstr("\\caption{A \\& B}"));
    EXPECT_THAT(text, testing::HasSubstr("\\begin{tabular}{lrr}\n  \\toprule\n"));
    EXPECT_THAT(text, testing::HasSubstr("\\quad a|b\\_c & 1 k & 0.08 \\% \\\\\n"));
    EXPECT_THAT(text, testing::HasSubstr("\\bottomrule"));
}

TEST(TableText, WhatStrangersWriteReachesNoTerminalAsACommand)
{
    const std::string escape = "G\x1B]0;owned\x07\nB\xC2\x9B\xE2\x80\xAE";
    Table table{.caption = escape,
                .columns = {{"a", escape, Align::left}, {"b", "b", Align::left}},
                .rows = {{Cell::text(escape), Cell::text("x")}}};

    for (const std::string& text :
         {plainText(table), plainText(table, 80), markdownText(table), latexText(table)}) {
        for (const char* sign : {"\x1B", "\x07", "\xC2\x9B", "\xE2\x80\xAE"}) {
            EXPECT_EQ(text.find(sign), std::string::npos) << text;
        }
        EXPECT_THAT(text, testing::HasSubstr("owned  B")); // the row is one line
    }
    EXPECT_EQ(tableJson(table)[0]["a"], escape);
}

TEST(TableText, OneLongTextMakesNoWideTable)
{
    const std::string path = "/" + std::string(500, 'p') + "/flopsmith-bench";
    Cell remark = Cell::text("command " + path);
    remark.spans = true;
    const Table table{
        .columns = {{"a", "a", Align::left}, {"b", "b", Align::left}},
        .rows = {{Cell::text(std::string(1'000'000, 'x')), Cell::text("y")}, {remark, Cell{}}}};

    for (const std::size_t columns : {0, 80}) {
        std::istringstream lines(plainText(table, columns));
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(displayWidth(line), columns == 0 ? 120U : 80U) << line;
        }
    }
    EXPECT_THAT(plainText(table), testing::HasSubstr("p/flopsmith-bench")); // its end is telling
}

} // namespace
} // namespace flopsmith
