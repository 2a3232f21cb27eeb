// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/reports/comparison_report.h"

#include "core/io/table/table_text.h"
#include "core/json/json_text.h"
#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string_view>

namespace flopsmith {
namespace {

using testing::HasSubstr;
using testing::Not;

Comparison comparisonOf(const std::vector<std::string>& names, LensId id = LensId::matmul)
{
    std::vector<ComparedDesign> designs;
    for (const std::string& name : names) {
        designs.push_back({name, {*presetNamed(name), {.sequence = 1024}}});
    }
    return comparison(std::move(designs), id, lens(id).pairs);
}

std::size_t widestLine(const std::string& text)
{
    std::size_t widest = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        widest = std::max(widest, displayWidth(line));
    }
    return widest;
}

const std::vector<Cell>& rowOf(const Table& table, std::string_view key)
{
    const auto found =
        std::find_if(table.rows.begin(), table.rows.end(), [&key](const std::vector<Cell>& row) {
            return exactText(row.front()) == key;
        });
    return found == table.rows.end() ? table.rows.at(0) : *found;
}

TEST(ComparisonReport, FitsATerminalWithUpToFourDesigns)
{
    const std::vector<std::string> names{"gpt2", "llama-3-8b", "gpt2-half-swapped", "bert-base"};
    for (std::size_t designs = 2; designs <= names.size(); ++designs) {
        const Comparison all = comparisonOf(
            {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(designs)}, LensId::exact);
        EXPECT_LE(widestLine(plainText(comparedFiguresTable(all))), 100U) << designs;
        EXPECT_LE(widestLine(plainText(alignedStackTable(all, 1))), 120U) << designs;
    }
}

TEST(ComparisonReport, ShowsDifferenceAndRatioOfTwoDesigns)
{
    const Table table = comparedFiguresTable(comparisonOf({"gpt2", "llama-3-8b"}));
    const std::vector<Cell>& row = rowOf(table, "params");

    ASSERT_EQ(row.size(), 5U);
    EXPECT_EQ(row[1].shown, "124.4 M");
    EXPECT_EQ(row[2].shown, "8.03 B");
    EXPECT_EQ(row[3].shown, "+7.91 B");
    EXPECT_EQ(row[4].shown, "64.5\xC3\x97");
    EXPECT_EQ(rowOf(table, "flops")[1].shown, "291.6 G");
    EXPECT_EQ(rowOf(table, "flops").front().indent, 0);
    EXPECT_EQ(rowOf(table, "flops/attention").front().indent, 1);
}

TEST(ComparisonReport, OfEqualDesignsIsAllZeros)
{
    const Comparison same = comparisonOf({"gpt2", "gpt2"});
    for (const std::vector<Cell>& row : comparedFiguresTable(same).rows) {
        EXPECT_EQ(row.at(1), row.at(2)) << row.front().shown;
        EXPECT_EQ(row.at(3).shown, "0") << row.front().shown;
    }
    EXPECT_TRUE(comparedParametersTable(same).rows.empty());
    EXPECT_THAT(alignedStackTable(same, 1).caption, HasSubstr("12 equal"));
}

TEST(ComparisonReport, HasAllDigitsInFiles)
{
    const Comparison both = comparisonOf({"gpt2", "llama-3-8b"});

    EXPECT_THAT(csvText(comparisonTable(both)),
                HasSubstr("key,title,unit,a,b,delta_b,ratio_b\r\n"));
    EXPECT_THAT(csvText(comparisonTable(both)), HasSubstr("flops,operations,FLOPs,291648307200,"));
    EXPECT_THAT(csvText(comparisonTable(both)),
                HasSubstr("\r\nd_model,d_model,features,768,4096,"));
}

TEST(ComparisonReport, JsonHasAValueADifferenceAndARatioPerDesign)
{
    const Comparison three = comparisonOf({"gpt2", "llama-3-8b", "gpt2"});
    const Json json = ownJson(jsonText(comparisonJson(three)));

    EXPECT_EQ(json["designs"].size(), 3U);
    EXPECT_EQ(json["lens"], "matmul");
    ASSERT_EQ(json["figures"].size(), three.figures.size());
    for (const char* list : {"figures", "parameters"}) {
        ASSERT_FALSE(json[list].empty());
        for (const auto& row : json[list]) {
            EXPECT_EQ(row["values"].size(), 3U) << jsonText(row);
            EXPECT_EQ(row["deltas"].size(), 3U) << jsonText(row);
            EXPECT_EQ(row["ratios"].size(), 3U) << jsonText(row);
            EXPECT_EQ(row["values"][0], row["values"][2]) << jsonText(row);
        }
    }
    EXPECT_EQ(json["figures"][0]["key"], "flops");
    EXPECT_EQ(json["figures"][0]["values"][0], 291'648'307'200);
    EXPECT_EQ(json["figures"][0]["ratios"][2], 1.0);
    EXPECT_EQ(json["stacks"].size(), 3U);
    EXPECT_EQ(json["stacks"][1][0]["kind"], "changed");
    EXPECT_EQ(json["stacks"][1][0]["a"]["count"], 12);
    EXPECT_EQ(json["stacks"][1][1]["b"]["first"], 12);
}

TEST(ComparisonReport, NamesEveryDesignInALineOfItsOwnAndInOneLineElsewhere)
{
    const Table table = comparedFiguresTable(comparisonOf({"gpt2", "tiny"}));

    EXPECT_THAT(table.caption, HasSubstr("\nB = "));
    EXPECT_THAT(table.caption, Not(HasSubstr(";\n")));
    EXPECT_THAT(markdownText(table), HasSubstr("; B = "));
    EXPECT_THAT(latexText(table), HasSubstr("; B = "));
}

TEST(ComparisonReport, CallsDesignsByTheirOwnLetters)
{
    Comparison own = comparisonOf({"gpt2", "tiny", "bert-base"});
    own.designs[0].letter = "live";
    own.designs[0].name = "live GPT-2 small";
    own.designs[2].letter = "C";
    own.designs[2].name = "C BERT base";

    const Table table = comparedFiguresTable(own, ComparedColumns::all);

    std::vector<std::string> titles;
    for (const Column& column : table.columns) {
        titles.push_back(column.title);
    }
    const std::string delta = "\xCE\x94";
    EXPECT_EQ(titles,
              (std::vector<std::string>{"figure",
                                        "live GPT-2 small",
                                        "B tiny",
                                        "C BERT base",
                                        delta,
                                        "B/live",
                                        delta,
                                        "C/live"}));
    EXPECT_THAT(alignedStackTable(own, 2).caption, HasSubstr("Blocks of live beside those of C"));
}

TEST(ComparisonReport, MarksWhatHappenedToTheBlocks)
{
    const Comparison both = comparisonOf({"gpt2", "llama-3-8b"});
    const Table stack = alignedStackTable(both, 1);

    ASSERT_EQ(stack.rows.size(), 2U);
    EXPECT_THAT(stack.caption, HasSubstr("12 changed, 20 added"));
    EXPECT_EQ(stack.rows[0][0].shown, "~");
    EXPECT_EQ(stack.rows[0][1].shown,
              "1\xE2\x80\x93"
              "12");
    EXPECT_THAT(stack.rows[0][3].shown, HasSubstr("FFN dense \xE2\x86\x92 gated"));
    EXPECT_EQ(stack.rows[1][0].shown, "+");
    EXPECT_EQ(stack.rows[1][2].shown,
              "13\xE2\x80\x93"
              "32");
    EXPECT_EQ(alignedStackTable(comparisonOf({"llama-3-8b", "gpt2"}), 1).rows[1][0].shown,
              "\xE2\x88\x92");
}

TEST(ComparisonReport, ShowsMeasuredTimesAndSaysWhichAreMissing)
{
    std::vector<ComparedDesign> designs{{"gpt2", {*presetNamed("gpt2"), {.sequence = 128}}},
                                        {"tiny", {*presetNamed("tiny"), {.sequence = 128}}},
                                        {"gpt2", {*presetNamed("gpt2"), {.sequence = 128}}}};
    for (ComparedDesign& design : designs) {
        design.measured = MeasuredPass{.device = "this CPU", .time = PassTime{.seconds = 0.5}};
    }
    designs[1].measured->time->seconds = 0.25;
    designs[2].measured->time.reset();
    const Comparison all = comparison(std::move(designs), LensId::exact, PairsRule::exact);

    const std::string text = plainText(comparedFiguresTable(all, ComparedColumns::all));
    EXPECT_THAT(text, HasSubstr("measured time: not measured on this CPU: gpt2"));
    EXPECT_THAT(text, HasSubstr("500 ms"));
    EXPECT_THAT(text, HasSubstr("250 ms"));
    const Json row = comparisonJson(all)["figures"].back();
    EXPECT_EQ(row["key"], "time");
    EXPECT_EQ(row["deltas"][1], -0.25);
    EXPECT_EQ(row["ratios"][1], 0.5);
    EXPECT_EQ(row["values"][2], nullptr);
    EXPECT_EQ(row["note"], "not measured on this CPU: gpt2");
}

TEST(ComparisonReport, LatexSpellsTheDifference)
{
    const std::string latex = latexText(comparedFiguresTable(comparisonOf({"gpt2", "tiny"})));

    EXPECT_THAT(latex, HasSubstr("$\\Delta$"));
    EXPECT_THAT(latex, HasSubstr("$\\times$"));
    EXPECT_THAT(latex, Not(HasSubstr("\xCE\x94")));
}

} // namespace
} // namespace flopsmith
