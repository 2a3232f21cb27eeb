// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/budget/hardware.h"
#include "core/budget/machine_roofs.h"
#include "core/present/measured_scaling.h"
#include "core/present/run_time_comparison.h"
#include "core/present/scaling.h"
#include "ui/charts/base/figure.h"
#include "ui/charts/claims/claims_chart.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith::ui {

/// The figures that `flopsmith chart` can draw.
enum class ChartId { share, scaling, runtime, claims, waterfall, memory, roofline, mislead };

std::span<const std::string_view> chartKindNames(); ///< in the order of ChartId
std::optional<ChartId> chartKindNamed(std::string_view name);

/// All that a figure is made of. Drawing it needs a QApplication, which may run on the offscreen
/// platform.
struct FigureRequest
{
    ChartId kind = ChartId::share;
    Scenario scenario;
    LensId lens = LensId::exact; ///< of a waterfall: where it ends
    LensId from = LensId::matmul; ///< where a waterfall starts
    std::vector<PartTime> times; ///< parallel to measuredParts(scenario); may be empty
    RoofConditions measuredAs{}; ///< how the times were measured
    std::string device = "this CPU"; ///< on which the times were measured
    std::string measuredOn{}; ///< the same as a footer names it, with the day; empty: as `device`
    /// Several devices of a run-time chart, which then does not look at times and device.
    std::vector<DeviceTimes> sideBySide{};
    std::optional<Hardware> hardware{}; ///< of a roofline, which needs it, of a memory chart,
        ///< and of metrics that need it
    MetricId metric = MetricId::flops; ///< of a scaling chart
    std::optional<Axis> axis; ///< of a scaling chart; else usualAxis() of the sequence
    std::optional<MeasuredCurves> curves{}; ///< of a scaling chart: its measured points
    std::optional<MachineRoofs> machine{}; ///< whose roofs were measured with the times
    ClaimsChart claims{}; ///< of a claims chart, which has no model
};

/// The axis of a scaling chart: the one that is asked for, or usualAxis() of the sequence.
Result<Axis> scalingAxis(const FigureRequest& request);

/// The figure, with its provenance filled in; exportChart() writes it. An error if the request
/// cannot give one.
Result<std::unique_ptr<Figure>> figureFor(const FigureRequest& request);

/// "prefill, B 1, S 1024, 32-bit weights".
QString workloadText(const Scenario& scenario);

/// The sizes and, if it measured something, the device.
Provenance provenanceOf(const ClaimsChart& chart, const QString& device);

/// Model, workload and lens; the device only if it measured something.
Provenance provenanceOf(const Scenario& scenario, LensId lens, const QString& device = {});

} // namespace flopsmith::ui
