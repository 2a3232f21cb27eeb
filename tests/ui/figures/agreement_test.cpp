// SPDX-License-Identifier: GPL-3.0-or-later
// The same figure wherever it is shown: every place that states a model's cost has the same digits.
#include "core/base/text.h"
#include "core/io/reports/cost_report.h"
#include "core/io/reports/lens_tables.h"
#include "core/io/reports/sweep_report.h"
#include "core/io/table/table_text.h"
#include "core/json/json_text.h"
#include "core/lens/cost_summary.h"
#include "core/lens/waterfall.h"
#include "core/model/presets.h"
#include "core/present/time/run_time_comparison.h"
#include "core/present/time/share.h"
#include "core/study/sweep/pass_time.h"
#include "tests/ui/charts/samples.h"
#include "ui/charts/run_time/run_time_comparison_figure.h"
#include "ui/charts/scaling/scaling_figure.h"
#include "ui/formulas/cost_tree_model.h"
#include "ui/formulas/formula_page.h"
#include "ui/tables/cost_page.h"

#include <gtest/gtest.h>

#include <QTest>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

namespace flopsmith::ui {
namespace {

struct Case
{
    const char* preset;
    LensId lens;
    Phase phase;
};

Scenario scenarioOf(const Case& one)
{
    return {.model = *presetNamed(one.preset),
            .workload = {.phase = one.phase, .batch = 3, .sequence = 61}};
}

std::string digitsOf(const Json& number)
{
    return number.is_string() ? number.get<std::string>() : jsonText(number);
}

// The first row's value under a key: the whole model's.
std::string wholeInCsv(const Table& table, const std::string& key)
{
    std::istringstream lines(csvText(table));
    std::string head;
    std::string row;
    std::getline(lines, head, '\r');
    std::getline(lines >> std::ws, row, '\r');
    std::istringstream heads(head);
    std::istringstream fields(row);
    std::string name;
    std::string field;
    while (std::getline(heads, name, ',') && std::getline(fields, field, ',')) {
        if (name == key) {
            return field;
        }
    }
    return "no column " + key;
}

std::string wholeInModel(const CostTableModel& model, const std::string& key)
{
    for (int column = 0; column < model.columnCount(); ++column) {
        if (model.table().columns[static_cast<std::size_t>(column)].key == key) {
            return exactText(model.cell(0, column));
        }
    }
    return "no column " + key;
}

const Donut& donut(const std::vector<Donut>& all, std::string_view key)
{
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Donut& each) { return each.key == key; });
    FLOPSMITH_CHECK(found != all.end());
    return *found;
}

// What a sweep says of a pass whose parts took the times that were measured for the curves.
void fillAsMeasured(SweepPoint& point, const Scenario& scenario, const MeasuredCurves& curves)
{
    const std::vector<MeasuredPart> parts = partsOfPass(scenario);
    std::vector<PartResult> results;
    for (const MeasuredPart& part : parts) {
        const auto planned =
            std::find_if(curves.plan.parts.begin(),
                         curves.plan.parts.end(),
                         [&part](const MeasuredPart& p) { return p.operation == part.operation; });
        const bool known = planned != curves.plan.parts.end();
        results.push_back(
            {.stage = PartStage::measured,
             .measured = known
                 ? curves.results[static_cast<std::size_t>(planned - curves.plan.parts.begin())]
                 : Measured{}}); // a stage of a composed FFN adds to no total
    }
    const PassTime time = passTime(parts, results).value();
    point.values.at(1) = time.seconds;
    point.values.at(2) = time.madSeconds;
    point.values.at(3) = time.flopsPerSecond();
    point.device = curves.device;
}

class FiguresAgree : public testing::TestWithParam<Case>
{
protected:
    FiguresAgree()
        : document(scenarioOf(GetParam()))
        , report(costReport(document.scenario(), GetParam().lens))
        , json(costJson(report))
        , page(document)
        , expected(summary(report.tree, report.scenario, report.lens))
    {
        document.setLens(GetParam().lens);
        page.show();
    }

    std::vector<Donut> donuts() const
    {
        return usualDonuts(
            document.scenario(), document.costTree(), document.lens(), {}, {}, "this CPU");
    }

    Document document;
    CostReport report;
    Json json;
    CostPage page;
    CostSummary expected; ///< what the status line shows
};

TEST_P(FiguresAgree, OnFlops)
{
    const std::string flops = digits(*expected.flops);

    EXPECT_EQ(digits(*document.costSummary().flops), flops);
    EXPECT_EQ(digitsOf(json["total"]["flops"]), flops);
    EXPECT_EQ(wholeInCsv(costTable(report), "flops"), flops);
    EXPECT_EQ(wholeInModel(page.model(), "flops"), flops);
    EXPECT_EQ(digits(donuts().front().count), flops);
}

TEST_P(FiguresAgree, OnParametersAndMultiplyAdds)
{
    const std::string parameters = digits(expected.parameters);
    const std::string macs = digits(expected.macs);

    EXPECT_EQ(digitsOf(json["total"]["params"]), parameters);
    EXPECT_EQ(wholeInCsv(costTable(report), "params"), parameters);
    EXPECT_EQ(wholeInModel(page.model(), "params"), parameters);
    EXPECT_EQ(digits(donut(donuts(), "parameters").count), parameters);
    EXPECT_EQ(digitsOf(json["total"]["macs"]), macs);
    EXPECT_EQ(wholeInModel(page.model(), "macs"), macs);
}

TEST_P(FiguresAgree, OnBytes)
{
    const std::string moved = digits(donut(donuts(), "bytes").count);

    EXPECT_EQ(wholeInCsv(costTable(report), "bytes"), moved);
    EXPECT_EQ(wholeInModel(page.model(), "bytes"), moved);
    EXPECT_EQ(digitsOf(json["total"]["saved_activation_bytes"]),
              wholeInModel(page.model(), "saved_activation_bytes"));
}

TEST_P(FiguresAgree, OnTheFormulasValueAndTheTreeBesideIt)
{
    FormulaPage formulas(document);
    formulas.show();
    ASSERT_TRUE(QTest::qWaitFor([&formulas] { return formulas.formula().has_value(); }));

    EXPECT_EQ(digits(formulas.formula()->value), digits(*expected.flops));

    CostTreeModel tree;
    tree.show(document.scenario(), document.costTree(), document.lens());
    EXPECT_TRUE(tree.data(tree.index(0, CostTreeModel::figure), Qt::ToolTipRole)
                    .toString()
                    .startsWith(QString::fromStdString(groupedDigits(*expected.flops))));
}

TEST_P(FiguresAgree, OnBothEndsOfAWaterfall)
{
    const LensId other = GetParam().lens == LensId::matmul ? LensId::exact : LensId::matmul;
    const Waterfall down = waterfall(document.scenario(), GetParam().lens, other);
    const Waterfall up = waterfall(document.scenario(), other, GetParam().lens);

    EXPECT_EQ(digits(down.start), digits(*expected.flops));
    EXPECT_EQ(digits(up.end), digits(*expected.flops));
    const Table table = waterfallTable(up, document.scenario());
    EXPECT_EQ(exactText(table.rows.back().at(2)), digits(*expected.flops));
}

// The column of a figure's table, summed over the parts of a device that are no stage.
double sumInFigure(const FigureTable& table, const QString& device, const char* key)
{
    const auto value = table.header.indexOf(QLatin1String(key));
    const auto stage = table.header.indexOf(QStringLiteral("stage"));
    double sum = 0.0;
    for (const QStringList& row : table.rows) {
        if (row.front() == device && row[stage] == QLatin1String("false")) {
            sum += row[value].toDouble();
        }
    }
    return sum;
}

TEST_P(FiguresAgree, OnTimesAloneAndSideBySide)
{
    const std::vector<MeasuredPart> parts = measuredParts(document.scenario());
    std::vector<DeviceTimes> devices{{"this CPU"}, {"box"}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double seconds = 1e-3 * static_cast<double>(i % 7 + 1);
        devices[0].times.push_back({.state = PartState::settled, .medianSeconds = seconds});
        devices[1].times.push_back({.state = PartState::settled, .medianSeconds = 0.3 * seconds});
    }
    const RunTimeComparison both = runTimeComparison(parts, devices);
    const FigureTable table = RunTimeComparisonFigure(both).table();

    for (std::size_t i = 0; i < devices.size(); ++i) {
        const RunTimeTable alone = runTimeTable(parts, devices[i].times, {}, {});
        EXPECT_EQ(both.columns[i].table.total.seconds, alone.total.seconds);
        EXPECT_EQ(both.columns[i].totalText, alone.total.timeText);
        const QString device = QString::fromStdString(devices[i].device);
        EXPECT_DOUBLE_EQ(sumInFigure(table, device, "seconds"), alone.total.seconds);
        EXPECT_DOUBLE_EQ(sumInFigure(table, device, "flops"), alone.total.flops);
    }
    const std::vector<Donut> measured = usualDonuts(document.scenario(),
                                                    document.costTree(),
                                                    document.lens(),
                                                    parts,
                                                    devices[0].times,
                                                    "this CPU");
    EXPECT_DOUBLE_EQ(donut(measured, "seconds").total, both.columns[0].table.total.seconds);
    EXPECT_DOUBLE_EQ(both.columns[1].ratio,
                     both.columns[1].table.total.seconds / both.columns[0].table.total.seconds);
}

// A point of a scaling chart, of its table and of a sweep: computed, and measured.
TEST(FiguresAgreeOn, PointsOfCurvesAndSweeps)
{
    FigureRequest request{.kind = ChartId::scaling,
                          .scenario = {.model = *presetNamed("gpt2-half-swapped"), .workload = {}}};
    request.curves = curvesOf(request.scenario);
    const auto figure = figureFor(request);
    ASSERT_TRUE(figure.ok());
    const ScalingChart& chart = dynamic_cast<const ScalingFigure&>(**figure).chart();
    SweepPlan plan{.base = request.scenario, .axes = {scalingAxis(request).value()}};
    plan.metrics = {MetricId::flops, MetricId::time, MetricId::timeMad, MetricId::flopsPerSecond};
    const std::vector<SweepPoint> swept = sweepPoints(plan).value();

    std::size_t measuredRows = 0;
    for (const QStringList& row : (*figure)->table().rows) {
        const auto point = std::find_if(swept.begin(), swept.end(), [&row](const SweepPoint& p) {
            return toQt(valueText(p.at.front())) == row.at(1);
        });
        ASSERT_NE(point, swept.end());
        if (row.at(0) != toQt(chart.curves.front().title)) {
            continue; // of another model
        }
        EXPECT_EQ(row.at(2), toQt(numberText(toDouble(point->values.at(0)))));
        if (!row.at(3).isEmpty()) {
            SweepPoint measured = *point;
            fillAsMeasured(measured, scenarioAt(plan, point->at).value(), *request.curves);
            const std::vector<Cell> cells = sweepRow(plan, measured);
            for (int column = 3; column < 6; ++column) {
                EXPECT_EQ(row.at(column).toStdString(),
                          exactText(cells.at(static_cast<std::size_t>(column) - 1)));
            }
            ++measuredRows;
        }
    }
    EXPECT_EQ(measuredRows, chart.measured->curves.front().points.size());
    EXPECT_GT(measuredRows, 2U);
}

std::vector<Case> cases()
{
    std::vector<Case> all;
    for (const char* preset : {"gpt2",
                               "gpt2-half-swapped",
                               "gpt2-ultra-efficient",
                               "llama-3-8b",
                               "vit-base-patch16-224"}) {
        for (const LensId lens :
             {LensId::exact, LensId::matmul, LensId::mac, LensId::fvcore, LensId::kaplan}) {
            all.push_back({preset, lens, Phase::prefill});
        }
    }
    all.push_back({"gpt2", LensId::exact, Phase::decode});
    all.push_back({"llama-3-8b", LensId::matmul, Phase::decode});
    all.push_back({"gpt2", LensId::exact, Phase::train});
    return all;
}

std::string nameOf(const testing::TestParamInfo<Case>& one)
{
    std::string name = std::string(one.param.preset) + "_" + std::string(lens(one.param.lens).name)
        + "_" + std::string(enumName(one.param.phase));
    std::replace_if(
        name.begin(),
        name.end(),
        [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; },
        '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Figures, FiguresAgree, testing::ValuesIn(cases()), nameOf);

} // namespace
} // namespace flopsmith::ui
