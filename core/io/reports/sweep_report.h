// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/table/table.h"
#include "core/study/search/pareto.h"
#include "core/study/sweep/sweep.h"

#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// A metric's value for people: "497.8 MB", "1.43 ms", "37.0 %", "218.7 G".
std::string metricText(MetricId id, double value);

/// The same together with the exact value.
Cell metricCell(MetricId id, const MetricValue& value);

/// A column per axis and per metric, the device if something is measured, and the problem.
std::vector<Column> sweepColumns(const SweepPlan& plan);

/// The cells of one point; an impossible one has no values.
std::vector<Cell> sweepRow(const SweepPlan& plan, const SweepPoint& point);

/// A quantity of a Pareto front.
struct Objective
{
    std::size_t column = 0; ///< of the plan's metrics
    Better better = Better::smaller;
};

/// A row per point, with the front of the objectives marked if there are some. Problems have a
/// column only if there are any.
Table sweepTable(const SweepPlan& plan,
                 std::span<const SweepPoint> points,
                 std::span<const Objective> objectives = {});

/// "flops grows as seq^1.023 ± 0.004 (33 points)", a sentence per metric; over the first axis.
std::vector<std::string> fitSentences(const SweepPlan& plan, std::span<const SweepPoint> points);

} // namespace flopsmith
