// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/reports/cost_differences.h"

#include "core/io/reports/cost_report.h"
#include "core/io/table/table_text.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

constexpr std::size_t kAgainst = 4; ///< the column behind the shares

Scenario pricedScenario(std::string_view preset)
{
    return {.model = *presetNamed(preset), .workload = {.sequence = 64}};
}

Table compared(const Scenario& live, const Scenario& other, LensId lens = LensId::exact)
{
    Table table = costTable(costReport(live, lens));
    const std::vector<ComparedDesign> designs{{.name = "A", .scenario = other, .letter = "A"}};
    addDifferences(table, lens, designs);
    return table;
}

const Cell& against(const Table& table, const std::string& path)
{
    for (const std::vector<Cell>& row : table.rows) {
        if (exactText(row.front()) == path) {
            return row.at(kAgainst);
        }
    }
    return table.rows.front().at(kAgainst);
}

TEST(CostDifferences, FromADesignToItselfAreNothing)
{
    const Table table = compared(pricedScenario("gpt2"), pricedScenario("gpt2"));

    EXPECT_EQ(table.columns.at(kAgainst).title, "against A");
    for (const std::vector<Cell>& row : table.rows) {
        const auto* change = std::get_if<double>(&row.at(kAgainst).value);
        EXPECT_TRUE(change == nullptr || *change == 0.0) << exactText(row.front());
    }
}

TEST(CostDifferences, ComparePartsOfTheSameBlockWhateverItsRunIs)
{
    const Table table = compared(pricedScenario("gpt2-half-swapped"), pricedScenario("gpt2"));

    EXPECT_EQ(std::get<double>(against(table, "blocks[0]/ffn").value), 0.0);
    EXPECT_EQ(std::get<double>(against(table, "blocks[6]/attention").value), 0.0);
    EXPECT_LT(std::get<double>(against(table, "blocks[6]/ffn").value), -0.9);
    EXPECT_LT(std::get<double>(against(table, "model").value), 0.0);
    EXPECT_EQ(against(table, "blocks[6]/ffn/spectral").shown, "\xE2\x80\x93");
}

TEST(CostDifferences, UnderAFormulaAreOfTheWholeModel)
{
    const Table table =
        compared(pricedScenario("gpt2-half-swapped"), pricedScenario("gpt2"), LensId::kaplan);

    EXPECT_TRUE(std::holds_alternative<double>(table.rows.front().at(kAgainst).value));
    for (std::size_t i = 1; i < table.rows.size(); ++i) {
        EXPECT_EQ(table.rows[i].at(kAgainst).shown, "\xE2\x80\x93");
    }
}

} // namespace
} // namespace flopsmith
