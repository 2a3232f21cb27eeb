// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/cost/comparison_bars.h"
#include "core/present/cost/memory_bars.h"
#include "core/present/cost/waterfall.h"
#include "core/present/table/chart_table.h"
#include "core/present/time/share.h"

#include <span>

namespace flopsmith {

/// A row per component with its figure and share in each donut, then a row of the whole; designs
/// beside the first one with how that differs from them.
ChartTable shareTable(std::span<const Donut> donuts);

/// Everything, then each kind of memory with its components below it.
ChartTable memoryTable(const MemoryChart& chart);

/// The lens at the start, the steps, the lens at the end.
ChartTable waterfallTable(const WaterfallChart& chart);

/// A row per component with the operations of every design, then a row of the whole.
ChartTable comparisonBarsTable(const ComparisonChart& chart);

} // namespace flopsmith
