// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/study/heat_map.h"
#include "core/present/study/pareto_chart.h"
#include "core/present/study/scaling.h"
#include "core/present/table/chart_table.h"

namespace flopsmith {

/// A row per value of the parameter, a column per curve; of further curves how the first one differs
/// from them, and measured values where there are any.
ChartTable scalingTable(const ScalingChart& chart);

/// The map as it is drawn: a row per value of y, the largest first, and a column per value of x.
ChartTable heatTable(const HeatMap& map);

/// Designs that none beats first, along x, then the others; each with its parameters and both goals.
ChartTable paretoTable(const ParetoChart& chart);

} // namespace flopsmith
