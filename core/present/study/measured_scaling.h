// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/study/scaling.h"
#include "core/study/sweep/curve_plan.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// Measured results for the curves of a scaling chart.
struct MeasuredCurves
{
    CurvePlan plan{};
    std::vector<std::optional<Measured>> results{}; ///< parallel to the plan's parts
    std::vector<std::string> failures{}; ///< why parts have no time, each reason once
    std::string device{};
    MetricId metric = MetricId::time; ///< that is drawn: time or flopsPerSecond
    bool running = false; ///< more results may come

    /// The result of a part, or null.
    const Measured* result(std::size_t part) const;
};

/// The measurements for a chart: its variants at a few values of its axis, with the first one's
/// ties.
CurvePlan curvePlan(std::span<const ScalingVariant> variants, const Axis& axis);

/// Adds measured points to the computed curves of a chart of the same variants and axis. Slopes are
/// those of fitted power laws, with their standard errors; the crossover is between the first two
/// curves, in either direction.
void addMeasured(ScalingChart& chart, const MeasuredCurves& measured);

} // namespace flopsmith
