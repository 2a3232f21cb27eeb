// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/count/component.h"
#include "core/lab/results/lab_results.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// What is drawn of a log.
enum class LabChartKind {
    curves, ///< scores of each arm over a view's axis
    bars, ///< what each arm reached at an equal budget, with its interval
    rates, ///< how each arm's loss depends on the learning rate
    training, ///< losses of each arm's newest run, step by step, also while it is under way
    norms, ///< the same of its gradients' norms
};

template <>
std::vector<std::string_view> enumNames<LabChartKind>();

/// A place of a series; `low` and `high` are minimum and maximum of all seeds, or the ends of an
/// interval.
struct LabChartPoint
{
    double x = 0.0;
    double y = 0.0;
    double low = 0.0;
    double high = 0.0;

    bool operator==(const LabChartPoint&) const = default;
};

struct LabSeries
{
    std::string name; ///< of the arm
    const Component* component = nullptr; ///< whose colour it has; of controls null
    ArmRole role = ArmRole::chosen;
    int likeness = 0; ///< how many chosen arms of the same component come before: another dash
    std::vector<LabChartPoint> points; ///< x ascending; of bars one, whose y is the row
    std::optional<std::size_t> best{}; ///< of rates: the one that the seeds have
    std::string text{}; ///< of bars: "0.994 ± 0.004"; of a run: "tuning, learning rate 0.003"
};

/// The series of an arm of a plan, without points.
LabSeries labSeriesOf(const LabPlan& plan, const Arm& arm);

/// Curves or bars, ready for axes that fit them.
struct LabChart
{
    LabChartKind kind = LabChartKind::curves;
    LabView view = LabView::steps;
    std::string title;
    std::string xTitle;
    std::string yTitle; ///< empty for bars
    bool isLogX = false;
    std::vector<LabSeries> series; ///< in the order of the plan; bars from the best to the worst
    std::vector<ReferenceScore> references; ///< of scores
    std::string caption; ///< what was equal, and who reads what
    std::string setting; ///< "text, d_model 64, 2 layers, 5 seeds"
    std::string machine; ///< of a view by seconds, else empty
    std::string emptyText; ///< why there is nothing to draw, else empty
};

/// The chart of a log. Runs that are not finished, and what a curve does not have, are left out but
/// of `training` and `norms`, which are drawn over steps whatever the view.
/// `references`: the task's.
LabChart labChart(const LabLog& log,
                  LabChartKind kind,
                  LabView view,
                  const std::vector<ReferenceScore>& references = {});

/// The newest run of an arm that has steps: one under way before those that are finished; null if
/// there is none.
const LoggedRun* newestRun(const LabLog& log, std::string_view arm);

} // namespace flopsmith
