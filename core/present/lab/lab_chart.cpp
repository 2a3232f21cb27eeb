// SPDX-License-Identifier: MIT
#include "core/present/lab/lab_chart.h"

#include "core/base/text.h"
#include "core/ffn/ffn.h"
#include "core/lab/progress/next_run.h"
#include "core/lab/results/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <variant>

namespace flopsmith {
namespace {

const Component* componentOf(const Arm& arm)
{
    return arm.role == ArmRole::control ? nullptr : info(arm.ffn).component;
}

std::string settingOf(const LabLog& log)
{
    const LabPlan& plan = log.plan;
    const bool isFfnAlone = std::holds_alternative<TeacherTask>(plan.task)
        || std::holds_alternative<FactsTask>(plan.task);
    const int layers = plan.sizes.layers;
    return std::string(info(plan.task).title) + ", d_model " + std::to_string(plan.sizes.dModel)
        + (isFfnAlone ? ", one FFN"
                      : ", " + std::to_string(layers) + (layers == 1 ? " layer" : " layers"))
        + ", " + seedsText(plan.seeds);
}

std::string axisTitle(LabView view)
{
    switch (view) {
    case LabView::steps: return "steps";
    case LabView::flops: return "counted training FLOPs";
    case LabView::seconds: return "measured seconds of training";
    }
    return {};
}

bool isDrawable(const LabChartPoint& point, bool isLogX)
{
    return std::isfinite(point.x) && std::isfinite(point.y) && (!isLogX || point.x > 0.0);
}

void addCurves(const LabLog& log, LabChart& chart)
{
    chart.title = "What is learned over " + axisTitle(chart.view);
    chart.xTitle = axisTitle(chart.view);
    chart.yTitle = scoreName(info(log.plan.task).score);
    chart.isLogX = chart.view == LabView::flops;
    chart.caption = "lines: medians of the seeds; bands: from the lowest to the highest; dashed: "
                    "controls and FLOP-matched dense FFNs";
    for (const Arm& arm : log.plan.arms) {
        LabSeries series = labSeriesOf(log.plan, arm);
        for (const LossPoint& at : scoreCurve(log, arm.name, chart.view)) {
            const LabChartPoint point{.x = at.x, .y = at.median, .low = at.low, .high = at.high};
            if (isDrawable(point, chart.isLogX)) {
                series.points.push_back(point);
            }
        }
        if (!series.points.empty()) {
            chart.series.push_back(std::move(series));
        }
    }
}

void addBars(const LabLog& log, LabChart& chart)
{
    const LabResults results = labResults(log, chart.view);
    chart.title = "What is learned at equal " + axisTitle(chart.view);
    chart.xTitle = scoreName(info(log.plan.task).score);
    chart.caption = viewText(log, results)
        + " Whiskers: 95\xC2\xA0% confidence intervals of the mean over seeds.";
    const bool more = isMoreBetter(info(log.plan.task).score);
    std::vector<const ArmResult*> arms;
    for (const ArmResult& arm : results.arms) {
        if (arm.score().count > 0) {
            arms.push_back(&arm);
        }
    }
    std::ranges::stable_sort(arms, [more](const ArmResult* a, const ArmResult* b) {
        return more ? a->score().mean > b->score().mean : a->score().mean < b->score().mean;
    });
    for (std::size_t row = 0; row < arms.size(); ++row) {
        const MeanInterval score = arms[row]->score();
        const double half = score.count > 1 ? score.halfWidth : 0.0;
        LabSeries series = labSeriesOf(log.plan, arms[row]->arm);
        series.text = intervalText(score);
        series.points = {{.x = score.mean,
                          .y = static_cast<double>(row),
                          .low = score.mean - half,
                          .high = score.mean + half}};
        chart.series.push_back(std::move(series));
    }
}

void addRates(const LabLog& log, LabChart& chart)
{
    chart.title = "How each arm depends on its learning rate";
    chart.xTitle = "learning rate";
    chart.yTitle = "final loss of the tuning run";
    chart.isLogX = true;
    chart.caption =
        "each point is a short run with the tuning seed, which is in no result; filled: "
        "the learning rate of all seeds";
    for (const Arm& arm : log.plan.arms) {
        std::map<double, double> losses;
        for (const LoggedRun& run : log.runs) {
            const bool counts = run.key.tuning && run.key.arm == arm.name
                && run.end == RunEnd::finished && !run.points.empty();
            if (counts && std::isfinite(run.points.back().loss)) {
                losses[run.key.rate] = run.points.back().loss;
            }
        }
        const std::optional<double> best = tunedRate(log, arm.name);
        LabSeries series = labSeriesOf(log.plan, arm);
        for (const auto& [rate, loss] : losses) {
            if (best && rate == *best) {
                series.best = series.points.size();
            }
            series.points.push_back({.x = rate, .y = loss, .low = loss, .high = loss});
        }
        if (!series.points.empty()) {
            chart.series.push_back(std::move(series));
        }
    }
}

// Values of each step, smoothed, in at most kMaxBins places; the band is what the steps of a place
// gave.
std::vector<LabChartPoint> smoothedPoints(const std::vector<double>& values)
{
    constexpr std::size_t kMaxBins = 240;
    constexpr double kKept = 0.95; // of the mean so far
    const std::size_t width = std::max<std::size_t>(1, (values.size() + kMaxBins - 1) / kMaxBins);
    std::vector<LabChartPoint> points;
    double smoothed = values.empty() ? 0.0 : values.front();
    LabChartPoint point;
    std::size_t inside = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            break; // it diverged
        }
        smoothed = kKept * smoothed + (1.0 - kKept) * values[i];
        point = {.x = static_cast<double>(i + 1),
                 .y = smoothed,
                 .low = inside == 0 ? values[i] : std::min(point.low, values[i]),
                 .high = inside == 0 ? values[i] : std::max(point.high, values[i])};
        if (++inside == width) {
            points.push_back(point);
            inside = 0;
        }
    }
    if (inside > 0) { // the last place is not full
        points.push_back(point);
    }
    return points;
}

void addSteps(const LabLog& log, LabChart& chart)
{
    const bool isNorms = chart.kind == LabChartKind::norms;
    chart.title = isNorms ? "Gradient norm, step by step" : "Training loss, step by step";
    chart.xTitle = "steps";
    chart.yTitle = isNorms ? "global gradient norm" : "training loss";
    chart.caption =
        "lines: each arm's newest run, smoothed; bands: range of the unsmoothed values; "
        "dashed: controls and FLOP-matched dense FFNs";
    for (const Arm& arm : log.plan.arms) {
        const LoggedRun* run = newestRun(log, arm.name);
        if (run == nullptr) {
            continue;
        }
        LabSeries series = labSeriesOf(log.plan, arm);
        series.points = smoothedPoints(isNorms ? run->curves.gradientNorms : run->curves.losses);
        series.text = keyText(run->key).substr(arm.name.size() + 2);
        if (!series.points.empty()) {
            chart.series.push_back(std::move(series));
        }
    }
}

bool isOfSteps(LabChartKind kind)
{
    return kind == LabChartKind::training || kind == LabChartKind::norms;
}

// Draws the references that lie among the arms: others would squeeze them. A chart of curves names
// those in its caption.
void addReferences(const std::vector<ReferenceScore>& references, LabChart& chart)
{
    constexpr double kMargin = 0.2; ///< of the range of the arms
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    const bool isBars = chart.kind == LabChartKind::bars;
    for (const LabSeries& series : chart.series) {
        for (const LabChartPoint& point : series.points) {
            low = std::min(low, isBars ? point.x : point.y);
            high = std::max(high, isBars ? point.x : point.y);
        }
    }
    std::string beyond;
    for (const ReferenceScore& reference : references) {
        const double margin = kMargin * (high - low);
        if (reference.value >= low - margin && reference.value <= high + margin) {
            chart.references.push_back(reference);
        } else {
            beyond +=
                (beyond.empty() ? "" : ", ") + reference.name + " " + fixedText(reference.value, 2);
        }
    }
    chart.caption += beyond.empty() || isBars ? "" : "; beyond the axis: " + beyond;
}

std::string emptyTextOf(const LabLog& log, LabChartKind kind)
{
    if (kind == LabChartKind::rates) {
        return log.plan.tunes ? "No run that tunes a rate is finished yet."
                              : "This lab gives all arms the same rate.";
    }
    if (isOfSteps(kind)) {
        return "No run has begun yet.";
    }
    const bool hasDiverged = std::ranges::any_of(log.runs, [](const LoggedRun& run) {
        return !run.key.tuning && run.end == RunEnd::diverged;
    });
    return hasDiverged ? "No run has finished: those that have ended diverged."
                       : "No run has finished yet (tuning runs do not count).";
}

} // namespace

template <>
std::vector<std::string_view> enumNames<LabChartKind>()
{
    return {"curves", "bars", "rates", "training", "norms"};
}

LabSeries labSeriesOf(const LabPlan& plan, const Arm& arm)
{
    LabSeries series{
        .name = arm.name, .component = componentOf(arm), .role = arm.role, .points = {}};
    for (const Arm& other : plan.arms) {
        if (other.name == arm.name) {
            break;
        }
        const bool isLike = other.role == ArmRole::chosen && arm.role == ArmRole::chosen
            && componentOf(other) == series.component;
        series.likeness += isLike ? 1 : 0;
    }
    return series;
}

LabChart labChart(const LabLog& log,
                  LabChartKind kind,
                  LabView view,
                  const std::vector<ReferenceScore>& references)
{
    LabChart chart{.kind = kind, .view = view};
    switch (kind) {
    case LabChartKind::curves: addCurves(log, chart); break;
    case LabChartKind::bars: addBars(log, chart); break;
    case LabChartKind::rates: addRates(log, chart); break;
    case LabChartKind::training:
    case LabChartKind::norms: addSteps(log, chart); break;
    }
    if (kind != LabChartKind::rates && !isOfSteps(kind)) {
        addReferences(references, chart);
        chart.machine = view == LabView::seconds ? log.machine : "";
    }
    chart.setting = settingOf(log);
    chart.emptyText = chart.series.empty() ? emptyTextOf(log, kind) : "";
    return chart;
}

const LoggedRun* newestRun(const LabLog& log, std::string_view arm)
{
    const LoggedRun* newest = nullptr;
    for (const LoggedRun& run : log.runs) {
        const bool isOlder =
            newest != nullptr && newest->end == RunEnd::open && run.end != RunEnd::open;
        if (run.key.arm == arm && run.curves.count() > 0 && !isOlder) {
            newest = &run;
        }
    }
    return newest;
}

} // namespace flopsmith
