// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/lab/lab_chart.h"

#include "core/ffn/dense.h"
#include "core/ffn/spectral.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

// Arms dense, none and linear with two seeds, at steps 0 and 10: a score of seed + step.
LabLog someLog(bool tunes = false)
{
    const LabPlan plan{.task = FactsTask{},
                       .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                       .seeds = 2,
                       .tunes = tunes};
    LabLog log{.plan = plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 8}}}).value(),
               .machine = "a machine",
               .runs = {}};
    for (const char* arm : {"dense", "none"}) {
        const double better = std::string(arm) == "dense" ? 0.5 : 0.0;
        for (const int seed : {1, 2}) {
            LoggedRun run{.key = {.arm = arm, .seed = seed, .rate = plan.baseRate},
                          .steps = 10,
                          .end = RunEnd::finished};
            for (const int step : {0, 10}) {
                run.points.push_back({.step = step,
                                      .flops = 100.0 * step,
                                      .seconds = 0.1 * step,
                                      .loss = 1.0,
                                      .score = better + 0.1 * seed + 0.01 * step});
            }
            log.runs.push_back(std::move(run));
        }
    }
    return log;
}

TEST(LabCharts, DrawMediansAndBandsOfFinishedRuns)
{
    LabLog log = someLog();
    const LabChart chart = labChart(log, LabChartKind::curves, LabView::steps);

    ASSERT_EQ(chart.series.size(), 2U); // linear has not run
    EXPECT_EQ(chart.series[0].name, "dense");
    ASSERT_EQ(chart.series[0].points.size(), 2U);
    EXPECT_NEAR(chart.series[0].points[1].low, 0.7, 1e-12);
    EXPECT_NEAR(chart.series[0].points[1].high, 0.8, 1e-12);
    EXPECT_NEAR(chart.series[0].points[1].y, 0.75, 1e-12);
    EXPECT_EQ(chart.machine, "");

    log.runs[1].end = RunEnd::open;
    const LabChart one = labChart(log, LabChartKind::curves, LabView::steps);
    EXPECT_EQ(one.series[0].points[1].low, one.series[0].points[1].high);
}

// A logarithmic axis has no place for the first evaluation.
TEST(LabCharts, LeaveOutWhatAnAxisCannotShow)
{
    const LabChart flops = labChart(someLog(), LabChartKind::curves, LabView::flops);
    ASSERT_FALSE(flops.series.empty());
    for (const LabSeries& series : flops.series) {
        for (const LabChartPoint& point : series.points) {
            EXPECT_GT(point.x, 0.0);
        }
    }
    EXPECT_EQ(labChart(someLog(), LabChartKind::curves, LabView::seconds).machine, "a machine");
}

TEST(LabCharts, OrderResultsFromTheBest)
{
    const LabChart chart = labChart(someLog(), LabChartKind::bars, LabView::steps);

    ASSERT_EQ(chart.series.size(), 2U);
    EXPECT_EQ(chart.series[0].name, "dense");
    EXPECT_EQ(chart.series[1].name, "none");
    EXPECT_EQ(chart.series[1].points.front().y, 1.0);
    const LabChartPoint& best = chart.series[0].points.front();
    EXPECT_LT(best.low, best.x);
    EXPECT_NEAR(best.high - best.x, best.x - best.low, 1e-12);
}

TEST(LabCharts, MarkTheRateThatWasFound)
{
    LabLog log = someLog(true);
    for (int i = 0; i < 5; ++i) {
        const double rate = log.plan.baseRate * std::pow(10.0, -1.0 + 0.5 * i);
        LoggedRun run{.key = {.arm = "none", .seed = 0, .rate = rate, .tuning = true},
                      .end = i == 4 ? RunEnd::diverged : RunEnd::finished};
        run.points.push_back({.step = 3, .loss = std::abs(i - 1) + 0.5});
        log.runs.push_back(std::move(run));
    }
    const LabChart chart = labChart(log, LabChartKind::rates, LabView::steps);

    ASSERT_EQ(chart.series.size(), 1U);
    EXPECT_EQ(chart.series[0].points.size(), 4U); // without the one that diverged
    EXPECT_EQ(chart.series[0].best, 1U);
}

// Three steps share a place where there are 481.
TEST(LabCharts, DrawAllStepsBeforeARunDiverged)
{
    LabLog log = someLog();
    LoggedRun run{.key = {.arm = "dense", .seed = 1, .rate = 1.0}, .end = RunEnd::diverged};
    run.curves.losses.assign(481, 2.0);
    run.curves.losses[4] = NAN;
    log.runs = {run};

    const LabChart chart = labChart(log, LabChartKind::training, LabView::steps);

    ASSERT_EQ(chart.series.size(), 1U);
    ASSERT_EQ(chart.series[0].points.size(), 2U);
    EXPECT_EQ(chart.series[0].points[1].x, 4.0);
}

TEST(LabCharts, SayWhyThereIsNothingToDraw)
{
    LabLog log = someLog();
    EXPECT_NE(labChart(log, LabChartKind::rates, LabView::steps).emptyText.find("same rate"),
              std::string::npos);
    const auto barsSay = [&log] {
        return labChart(log, LabChartKind::bars, LabView::steps).emptyText;
    };
    for (LoggedRun& run : log.runs) {
        run.end = RunEnd::diverged;
    }
    EXPECT_NE(barsSay().find("diverged"), std::string::npos);
    log.runs.clear();
    EXPECT_NE(barsSay().find("No run has finished yet"), std::string::npos);
}

TEST(LabCharts, DrawRunsUnderWayStepByStep)
{
    LabLog log{.plan = someLog().plan, .machine = "m", .runs = {}};
    for (const char* arm : {"dense", "none"}) {
        log.runs.push_back({.key = {.arm = arm, .seed = 1, .rate = 0.003},
                            .steps = 2,
                            .end = RunEnd::finished,
                            .curves = {.losses = {2.0, 1.0}, .gradientNorms = {0.5, 0.25}},
                            .points = {}});
    }
    log.runs[1].end = RunEnd::open;
    for (const LabChartKind kind : {LabChartKind::training, LabChartKind::norms}) {
        const LabChart chart = labChart(log, kind, LabView::flops);
        ASSERT_EQ(chart.series.size(), 2U);
        ASSERT_EQ(chart.series[1].points.size(), 2U);
        EXPECT_EQ(chart.series[1].points[1].x, 2.0);
        EXPECT_EQ(chart.series[1].text, "seed 1, learning rate 0.003");
        EXPECT_FALSE(chart.isLogX);
    }
    const LabChart losses = labChart(log, LabChartKind::training, LabView::steps);
    EXPECT_DOUBLE_EQ(losses.series[0].points[1].y, 0.95 * 2.0 + 0.05 * 1.0);
}

TEST(LabCharts, TellRunsOfOneComponentApart)
{
    const LabPlan plan = plannedLab({.sizes = {.dModel = 8, .layers = 1, .heads = 1}},
                                    {{.name = "a", .ffn = SpectralFfn{.kFreq = 2}},
                                     {.name = "b", .ffn = SpectralFfn{.kFreq = 3}}})
                             .value();
    EXPECT_EQ(labSeriesOf(plan, *plan.arm("a")).likeness, 0);
    EXPECT_EQ(labSeriesOf(plan, *plan.arm("b")).likeness, 1);
    EXPECT_EQ(labSeriesOf(plan, *plan.arm("none")).component, nullptr);
}

} // namespace
} // namespace flopsmith
