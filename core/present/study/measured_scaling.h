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
    std::vector<std::string> failures{}; ///< why parts have none, each once
    std::string device{};
    MetricId metric = MetricId::time; ///< that is drawn: time or flopsPerSecond
    bool running = false; ///< more may come

    /// The result of a part, or null.
    const Measured* result(std::size_t part) const;
};

/// What to measure for a chart: its variants at a few values of its axis, with the first one's ties.
CurvePlan curvePlan(std::span<const ScalingVariant> variants, const Axis& axis);

/// Puts what is measured beside the computed curves of a chart of the same variants and axis. The
/// slopes are those of power laws, with their standard errors; the crossover is the one of the first
/// two curves, in whichever direction there is one.
void addMeasured(ScalingChart& chart, const MeasuredCurves& measured);

} // namespace flopsmith
