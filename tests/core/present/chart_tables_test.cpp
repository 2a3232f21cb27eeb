// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/table/common_units.h"
#include "core/io/table/table_text.h"
#include "core/model/presets.h"
#include "core/present/study/study_axis.h"
#include "core/present/table/cost_tables.h"
#include "core/present/table/study_tables.h"
#include "core/present/table/time_tables.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

Scenario tabledScenario(std::string_view preset)
{
    return {.model = *presetNamed(preset), .workload = {.sequence = 1024}};
}

std::vector<ComparedDesign> withBaseline(const Scenario& scenario)
{
    return {{.name = "live design", .scenario = scenario, .letter = "live"},
            {.name = "A gpt2", .scenario = tabledScenario("gpt2"), .letter = "A"}};
}

double figureIn(const Cell& cell)
{
    const auto* count = std::get_if<Count>(&cell.value);
    const auto* real = std::get_if<double>(&cell.value);
    return count != nullptr ? toDouble(*count) : real != nullptr ? *real : 0.0;
}

// Rows of equal length, a mark for each, and no programmers' keys on the screen.
void expectReadable(const ChartTable& made)
{
    ASSERT_FALSE(made.table.rows.empty());
    EXPECT_EQ(made.marks.size(), made.table.rows.size());
    for (const Column& column : made.table.columns) {
        EXPECT_EQ(column.title.find('_'), std::string::npos) << column.title;
        EXPECT_FALSE(column.title.empty());
    }
    for (const std::vector<Cell>& row : made.table.rows) {
        ASSERT_EQ(row.size(), made.table.columns.size());
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool isLong =
                made.table.columns[i].align == Align::right && row[i].quantity != Quantity::none;
            EXPECT_TRUE(!isLong || row[i].shown.size() < 14) << row[i].shown;
        }
    }
}

TEST(ShareTable, SumsToTheWholeModel)
{
    const Scenario scenario = tabledScenario("gpt2-half-swapped");
    const CostTree<Count> tree = costTree(scenario, lens(LensId::exact).pairs);
    const ChartTable made =
        shareTable(usualDonuts(scenario, tree, LensId::exact, {}, {}, "this CPU"));
    expectReadable(made);

    const auto& rows = made.table.rows;
    for (std::size_t column = 1; column < made.table.columns.size(); ++column) {
        double sum = 0.0;
        for (std::size_t row = 0; row + 1 < rows.size(); ++row) {
            sum += figureIn(rows[row][column]);
        }
        EXPECT_NEAR(sum, figureIn(rows.back()[column]), 1e-9 * sum);
    }
    EXPECT_EQ(headText(made.table.columns[1]), "FLOPs, G");
    EXPECT_EQ(rows.back().front().shown, "whole model");
}

TEST(ShareTable, TellsDesignsByTheirLettersAndDifferences)
{
    const Scenario scenario = tabledScenario("gpt2-half-swapped");
    const ChartTable made = shareTable(
        comparedDonuts(withBaseline(scenario), LensId::exact, lens(LensId::exact).pairs));
    expectReadable(made);

    EXPECT_EQ(headText(made.table.columns[1]), "live, GFLOPs");
    EXPECT_EQ(headText(made.table.columns[3]), "A, GFLOPs");
    EXPECT_EQ(headText(made.table.columns[4]), "against A, %");
    EXPECT_LT(figureIn(made.table.rows.back()[4]), 0.0);
}

TEST(MemoryTable, SumsKindsToEverything)
{
    Scenario scenario = tabledScenario("gpt2");
    scenario.workload.phase = Phase::train;
    const ChartTable made = memoryTable(memoryChart(scenario, nullptr, withBaseline(scenario)));
    expectReadable(made);

    double kinds = 0.0;
    double parts = 0.0;
    for (std::size_t i = 1; i < made.table.rows.size(); ++i) {
        const std::vector<Cell>& row = made.table.rows[i];
        (row.front().indent == 0 ? kinds : parts) += figureIn(row[1]);
    }
    EXPECT_EQ(kinds, figureIn(made.table.rows.front()[1]));
    EXPECT_EQ(parts, kinds);
}

TEST(WaterfallTable, StepsLeadFromTheFirstLensToTheLast)
{
    const ChartTable made =
        waterfallTable(waterfallChart(tabledScenario("gpt2"), LensId::matmul, LensId::exact));
    expectReadable(made);

    double running = 0.0;
    for (std::size_t i = 0; i + 1 < made.table.rows.size(); ++i) {
        running += figureIn(made.table.rows[i][1]);
    }
    EXPECT_EQ(running, figureIn(made.table.rows.back()[1]));
}

TEST(ComparisonTable, SumsToEachDesign)
{
    const std::vector<ComparedDesign> designs = withBaseline(tabledScenario("gpt2-half-swapped"));
    const ChartTable made = comparisonBarsTable(
        comparisonChart(comparison(designs, LensId::exact, lens(LensId::exact).pairs)));
    expectReadable(made);

    for (const std::size_t column : {1U, 2U}) {
        double sum = 0.0;
        for (std::size_t row = 0; row + 1 < made.table.rows.size(); ++row) {
            sum += figureIn(made.table.rows[row][column]);
        }
        EXPECT_EQ(sum, figureIn(made.table.rows.back()[column]));
    }
}

TEST(RunTimesTable, HasTimesInOneUnitAndSaysWhatIsMissing)
{
    const Scenario scenario = tabledScenario("gpt2");
    const std::vector<MeasuredPart> parts = measuredParts(scenario);
    std::vector<PartTime> times(parts.size());
    times.front() = {.state = PartState::settled, .medianSeconds = 0.25, .madSeconds = 0.01};
    const ChartTable made = runTimesTable(runTimeTable(parts, times, {}, std::nullopt));
    expectReadable(made);

    EXPECT_EQ(headText(made.table.columns[1]).substr(0, 6), "time, ");
    EXPECT_EQ(made.table.rows[1][1].shown, "not measured");
    EXPECT_EQ(made.table.rows.back().front().shown, "all parts");
    EXPECT_NE(made.table.rows.back()[1].shown.find(" of "), std::string::npos);
}

TEST(ScalingTable, HasARowPerValueAndAColumnPerCurve)
{
    const Scenario scenario = tabledScenario("gpt2-half-swapped");
    ScalingRequest request;
    request.axis = *usualAxis(scenario, "seq");
    const std::vector<ScalingVariant> variants = usualVariants(scenario);
    const ScalingChart chart = scalingChart(variants, request);

    const ChartTable made = scalingTable(chart);

    expectReadable(made);
    EXPECT_EQ(made.table.rows.size(), chart.curves.front().points.size());
    EXPECT_EQ(made.table.columns.size(), 1 + chart.curves.size());
    EXPECT_EQ(headText(made.table.columns[0]), "sequence S, tokens");
}

TEST(ScalingTable, HasADifferenceToEveryComparedDesign)
{
    const Scenario scenario = tabledScenario("gpt2-half-swapped");
    ScalingRequest request;
    request.axis = *usualAxis(scenario, "seq");
    const std::vector<ScalingVariant> designs = designVariants(withBaseline(scenario));

    const ChartTable made = scalingTable(scalingChart(designs, request));

    expectReadable(made);
    ASSERT_EQ(made.table.columns.size(), 4U);
    EXPECT_EQ(headText(made.table.columns[3]), "against A, %");
    for (const std::vector<Cell>& row : made.table.rows) {
        EXPECT_LT(figureIn(row[3]), 0.0);
    }
}

TEST(HeatTable, IsTheMapWithItsIllegalCellsSaid)
{
    const Scenario scenario = tabledScenario("gpt2");
    const Result<HeatMap> map = heatMap(
        scenario, {.x = *studyAxis(scenario, "d_model"), .y = *studyAxis(scenario, "layers")});
    ASSERT_TRUE(map.ok());

    const ChartTable made = heatTable(*map);

    ASSERT_EQ(made.table.rows.size(), map->y.values.size());
    EXPECT_EQ(made.table.columns.size(), map->x.values.size() + 1);
    for (const HeatCell& cell : map->cells) {
        const Cell& shown = made.table.rows[map->y.values.size() - 1 - cell.row][1 + cell.column];
        EXPECT_EQ(cell.value ? toDouble(*cell.value) : 0.0, figureIn(shown));
        EXPECT_TRUE(cell.value || exactText(shown) == cell.problem);
    }
}

TEST(ParetoTable, ListsTheWinnersFirst)
{
    const Scenario scenario = tabledScenario("gpt2");
    const Result<ParetoChart> chart = paretoChart(
        scenario, {.axes = {*studyAxis(scenario, "d_model"), *studyAxis(scenario, "layers")}});
    ASSERT_TRUE(chart.ok());

    const ChartTable made = paretoTable(*chart);

    ASSERT_EQ(made.table.rows.size(), chart->points.size());
    for (std::size_t i = 0; i < made.table.rows.size(); ++i) {
        EXPECT_EQ(made.table.rows[i].back().shown, i < chart->front.size() ? "none" : "another");
    }
}

} // namespace
} // namespace flopsmith
