// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/roofline/roofline_points.h"
#include "core/present/table/chart_table.h"
#include "core/present/time/mislead.h"
#include "core/present/time/run_time.h"
#include "core/present/time/run_time_comparison.h"

namespace flopsmith {

/// A row per part with its time and the least that the device allows, then a row of all parts.
/// Compared designs have a time of the same part and how this design's differs from it.
ChartTable runTimesTable(const RunTimeTable& times);

/// A row per part with its time on each device, and how those of the others differ from the first.
ChartTable deviceTimesTable(const RunTimeComparison& comparison);

/// A row per part with its shares of FLOPs and time, and the reason why they differ.
ChartTable misleadingTable(const MisleadTable& shares);

/// A row per operation, measured part, or design.
ChartTable rooflineTable(const RooflineChart& chart);

} // namespace flopsmith
