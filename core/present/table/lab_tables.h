// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/lab/lab_chart.h"
#include "core/present/table/chart_table.h"

namespace flopsmith {

/// A row per point of each arm, or per arm if the chart has bars; with the range of its seeds.
ChartTable labTable(const LabChart& chart);

} // namespace flopsmith
