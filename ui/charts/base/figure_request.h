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
#include "core/study/variation/part_scope.h"
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

/// All inputs of a figure, for every caller.
struct FigureRequest
{
    ChartId kind = ChartId::share;
    Scenario scenario{};
    LensId lens = LensId::exact; ///< of a waterfall: where it ends
    LensId from = LensId::matmul; ///< where a waterfall starts
    std::optional<PairsRule>
        pairs{}; ///< empty: the lens's; a waterfall has the pairs of both its lenses
    /// Of the scenario under the request's pairs rule, if the caller has it: not owned, and
    /// computed if missing.
    const CostTree<Count>* tree = nullptr;
    std::span<const MeasuredPart> parts{}; ///< not owned; without any, measuredParts(scenario)
    std::vector<PartTime> times{}; ///< parallel to the parts; may be empty
    RoofConditions measuredAs{}; ///< how the times were measured
    std::string device = "this CPU"; ///< on which the times were measured
    std::string processor{}; ///< the device's own description; empty while unknown
    std::int64_t now = 0; ///< seconds since 1970: when times that are not stored were measured
    /// Several devices of a run-time chart, which then ignores times and device.
    std::vector<DeviceTimes> sideBySide{};
    std::optional<Hardware> hardware{}; ///< of a roofline, which needs it, of a memory chart,
        ///< and of metrics that need it
    MetricId metric = MetricId::flops; ///< of a scaling chart
    std::optional<Axis> axis{}; ///< of a scaling chart; otherwise usualAxis() of the sequence
    /// For a heat map and a front: the combined parameters; otherwise usualStudyKeys().
    std::vector<Axis> axes{};
    std::vector<Tie> ties{}; ///< of curves, a heat map and a front: parameters that follow others
    ParetoGoals goals = usualGoals(); ///< of a front
    std::optional<MeasuredCurves> curves{}; ///< of a scaling chart: its measured points
    std::optional<MachineRoofs> machine{}; ///< the machine whose roofs were measured with the times
    ClaimSizes claimSizes{}; ///< of a claims chart, which has no model
    std::vector<MeasuredClaim> measuredClaims{}; ///< parallel to claims(claimSizes); may be empty
    /// For a claims chart: the lab with the learned results; null: the program's.
    std::shared_ptr<const LabLog> lab{};
    /// Further designs, for every kind of chart that can draw them; their trees, if any, are under
    /// the request's pairs rule.
    std::vector<ComparedDesign> others{};
    /// For a run-time chart: the measured times of the others, parallel to them; may be empty.
    std::vector<DesignTimes> otherTimes{};
    std::string name{}; ///< of the scenario when several designs are shown; empty: its model's
    std::string letter{}; ///< short form of that name for narrow places; empty: the name
    PartScope scope{}; ///< of a chart that can be of a part of the model
    KeptCurves* keptCurves = nullptr; ///< of the others, for repeated drawing: not owned
};

/// The request's rule of pairs.
PairsRule pairsOf(const FigureRequest& request);

/// The scenario and the other designs.
std::vector<ComparedDesign> designsOf(const FigureRequest& request);

/// A figure, or the reason why the request has none.
using FigureResult = Result<std::unique_ptr<Figure>>;

/// A figure of that class with its content.
template <class Kind, class Content>
FigureResult made(Content content)
{
    return std::unique_ptr<Figure>(std::make_unique<Kind>(std::move(content)));
}

/// Calls `use` with the request's tree, or with one that is computed here.
template <class Use>
auto withTree(const FigureRequest& request, const Use& use)
{
    return request.tree != nullptr ? use(*request.tree)
                                   : use(costTree(request.scenario, pairsOf(request)));
}

/// The parts of the request's times: the caller's, or the scenario's. They live as long as this and the
/// request.
class RequestParts
{
public:
    explicit RequestParts(const FigureRequest& request);

    // Not explicit, so that a chart's function takes them as they are.
    // NOLINTNEXTLINE(google-explicit-constructor)
    operator std::span<const MeasuredPart>() const { return m_parts; }

private:
    std::vector<MeasuredPart> m_own; ///< empty if the caller has them
    std::span<const MeasuredPart> m_parts;
};

/// The axis of a scaling chart: the requested one, or usualAxis() of the sequence.
Result<Axis> scalingAxis(const FigureRequest& request);

/// The axes of a heat map or a front: the requested ones, or studyAxis() of two parameters.
Result<std::vector<Axis>> studyAxes(const FigureRequest& request);

/// The request's hardware for metrics that need it.
std::optional<MetricHardware> metricHardware(const FigureRequest& request);

} // namespace flopsmith::ui
