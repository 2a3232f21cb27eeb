// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/reports/claims_table.h"

#include "core/io/table/table_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace flopsmith {
namespace {

constexpr ClaimSizes kSizes{.dModel = 256, .dFf = 1024, .tokens = 16};

std::size_t columnOf(const Table& table, std::string_view key)
{
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].key == key) {
            return i;
        }
    }
    return table.columns.size();
}

TEST(ClaimsTable, HasARowPerClaimWithItsOwnNumbers)
{
    const auto all = claims(kSizes);
    std::vector<MeasuredClaim> measured(all.size());
    measured[0] = {.speedUp = 12.5, .quantity = 12.5};
    const Table table = claimsTable(all, measured);

    ASSERT_EQ(table.rows.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(table.rows[i].size(), table.columns.size());
        EXPECT_EQ(table.rows[i][columnOf(table, "flops")].value,
                  Cell::Value(all[i].subject.flops()));
        EXPECT_EQ(table.rows[i][columnOf(table, "fixed_params")].value,
                  Cell::Value(all[i].subject.cost.parameters.fixed));
    }
    EXPECT_EQ(table.rows[0][columnOf(table, "speed_up")].value, Cell::Value(12.5));
    EXPECT_EQ(table.rows[1][columnOf(table, "speed_up")].value, Cell::Value());
}

TEST(ClaimsTable, SaysWhatALabFoundAndNothingOfOthers)
{
    const auto all = claims(kSizes);
    std::vector<LearnedClaim> learned(all.size());
    learned[1] = {.verdict = LearnedVerdict::worse,
                  .gain = -0.07,
                  .halfWidth = 0.03,
                  .text = "no, 0.070",
                  .sentence = "a: worse than no FFN; alike b.",
                  .run = "text, 5 seeds"};
    const Table table = claimsTable(all, {}, learned);

    EXPECT_EQ(table.rows[1][columnOf(table, "learned_gain")].value, Cell::Value(-0.07));
    EXPECT_EQ(table.rows[1][columnOf(table, "learns")].value, Cell::Value("no, 0.070"));
    EXPECT_EQ(table.rows[1][columnOf(table, "learned_run")].value, Cell::Value("text, 5 seeds"));
    EXPECT_EQ(table.rows[0][columnOf(table, "learned_gain")].value, Cell::Value());
    const std::string text = plainText(claimsTableForPeople(all, {}, learned));
    EXPECT_NE(text.find("Trained as a: worse than no FFN\n"), std::string::npos) << text;
    EXPECT_NE(text.find("alike b.\n"), std::string::npos);
}

// The findings run below the figures: no line is wider than the rule under the titles.
TEST(ClaimsTable, ForPeopleIsAsWideAsItsFigures)
{
    const Table table = claimsTableForPeople(claims(kSizes), {});
    std::istringstream text(plainText(table));
    std::string line;
    std::getline(text, line);
    std::getline(text, line);
    const auto width = [](const std::string& utf8) {
        return std::count_if(
            utf8.begin(), utf8.end(), [](char c) { return (c & '\xC0') != '\x80'; });
    };
    const auto most = width(line);
    EXPECT_LT(most, 130);
    int lines = 0;
    while (std::getline(text, line)) {
        EXPECT_LE(width(line), most) << line;
        ++lines;
    }
    EXPECT_GE(lines, 3 * std::ssize(claims(kSizes)));
}

} // namespace
} // namespace flopsmith
