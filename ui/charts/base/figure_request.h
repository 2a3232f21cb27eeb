// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/budget/hardware.h"
#include "core/budget/machine_roofs.h"
#include "core/claims/claims.h"
#include "core/present/study/measured_scaling.h"
#include "core/present/study/pareto_chart.h"
#include "core/present/study/scaling.h"
#include "core/present/time/run_time_comparison.h"
#include "core/present/time/run_time_ghosts.h"
#include "core/study/compare/comparison.h"
#include "ui/charts/base/figure.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith {
struct LabLog;
}

namespace flopsmith::ui {

/// The charts that the window shows or `flopsmith chart` draws; ui/charts/chart_kinds.h has a row
/// for each.
enum class ChartId {
    share,
    scaling,
    runtime,
    claims,
    waterfall,
    memory,
    roofline,
    mislead,
    compare,
    heat,
    pareto
};

/// All that a figure is made of, whoever asks for it.
struct FigureRequest
{
    ChartId kind = ChartId::share;
    Scenario scenario{};
    LensId lens = LensId::exact; ///< of a waterfall: where it ends
    LensId from = LensId::matmul; ///< where a waterfall starts
    std::optional<PairsRule>
        pairs{}; ///< none: the lens's; a waterfall has those of both its lenses
    /// Of the scenario under the request's pairs rule, if somebody has it: not owned, and counted where
    /// it is missing.
    const CostTree<Count>* tree = nullptr;
    std::span<const MeasuredPart> parts{}; ///< not owned; without any, measuredParts(scenario)
    std::vector<PartTime> times{}; ///< parallel to the parts; may be empty
    RoofConditions measuredAs{}; ///< how the times were measured
    std::string device = "this CPU"; ///< on which the times were measured
    std::string processor{}; ///< what that device says of itself; empty while it has not
    std::int64_t now = 0; ///< seconds since 1970: when times that are not stored were measured
    /// Several devices of a run-time chart, which then does not look at times and device.
    std::vector<DeviceTimes> sideBySide{};
    std::optional<Hardware> hardware{}; ///< of a roofline, which needs it, of a memory chart,
        ///< and of metrics that need it
    MetricId metric = MetricId::flops; ///< of a scaling chart
    std::optional<Axis> axis{}; ///< of a scaling chart; else usualAxis() of the sequence
    /// Of a heat map and a front: the parameters that are combined; else those of usualStudyKeys().
    std::vector<Axis> axes{};
    std::vector<Tie> ties{}; ///< of curves, a heat map and a front: parameters that follow others
    ParetoGoals goals = usualGoals(); ///< of a front
    std::optional<MeasuredCurves> curves{}; ///< of a scaling chart: its measured points
    std::optional<MachineRoofs> machine{}; ///< whose roofs were measured with the times
    ClaimSizes claimSizes{}; ///< of a claims chart, which has no model
    std::vector<MeasuredClaim> measuredClaims{}; ///< parallel to claims(claimSizes); may be empty
    /// Of a claims chart: the lab that says what was learned; null: that of the program.
    std::shared_ptr<const LabLog> lab{};
    /// Beside the scenario, for every kind of chart that can draw them; their trees, if any, are
    /// under the request's pairs rule.
    std::vector<ComparedDesign> others{};
    /// Of a run-time chart: what was measured of the others, parallel to them; may be empty.
    std::vector<DesignTimes> otherTimes{};
    std::string name{}; ///< of the scenario beside others; empty: its model's
    std::string letter{}; ///< what stands for that name where it is narrow; empty: the name
    KeptCurves* keptCurves = nullptr; ///< of the others, if somebody draws them often: not owned
};

/// The rule of pairs under which the request counts.
PairsRule pairsOf(const FigureRequest& request);

/// The scenario and the others beside it.
std::vector<ComparedDesign> designsOf(const FigureRequest& request);

/// A figure, or why the request cannot give one.
using FigureResult = Result<std::unique_ptr<Figure>>;

/// A figure of that class with its content.
template <class Kind, class Content>
FigureResult made(Content content)
{
    return std::unique_ptr<Figure>(std::make_unique<Kind>(std::move(content)));
}

/// What `use` makes of the request's tree, or of one that is counted now.
template <class Use>
auto withTree(const FigureRequest& request, const Use& use)
{
    return request.tree != nullptr ? use(*request.tree)
                                   : use(costTree(request.scenario, pairsOf(request)));
}

/// The parts that the request's times are of.
std::vector<MeasuredPart> partsOf(const FigureRequest& request);

/// The axis of a scaling chart: the one that is asked for, or usualAxis() of the sequence.
Result<Axis> scalingAxis(const FigureRequest& request);

/// The axes of a heat map or a front: those that are asked for, or studyAxis() of two parameters.
Result<std::vector<Axis>> studyAxes(const FigureRequest& request);

/// The request's hardware for metrics that need it.
std::optional<MetricHardware> metricHardware(const FigureRequest& request);

} // namespace flopsmith::ui
