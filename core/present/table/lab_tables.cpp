// SPDX-License-Identifier: MIT
#include "core/present/table/lab_tables.h"

#include "core/base/text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace flopsmith {
namespace {

// Four significant digits, as the chart's cards have.
Cell scoreCell(double value)
{
    Cell cell = Cell::number(value);
    if (std::isfinite(value)) {
        std::array<char, 40> buffer{};
        const auto end = std::to_chars(
            buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 4);
        cell.shown.assign(buffer.data(), end.ptr);
    }
    return cell;
}

Cell stepsCell(double value)
{
    Cell cell = Cell::number(value);
    cell.shown = value >= 1e6 ? siText(value) : cell.shown;
    return cell;
}

} // namespace

ChartTable labTable(const LabChart& chart)
{
    const bool areBars = chart.kind == LabChartKind::bars;
    ChartTable made{.table = {.columns = {wordColumn("arm", "arm"),
                                          figureColumn("x", chart.xTitle),
                                          figureColumn("y", areBars ? "rank" : chart.yTitle),
                                          figureColumn("low", "from"),
                                          figureColumn("high", "to")}}};
    for (const LabSeries& series : chart.series) {
        for (const LabChartPoint& point : series.points) {
            made.add(series.component,
                     {nameCell(series.name),
                      areBars || chart.kind == LabChartKind::rates ? scoreCell(point.x)
                                                                   : stepsCell(point.x),
                      areBars ? Cell::number(point.y + 1.0) : scoreCell(point.y),
                      scoreCell(point.low),
                      scoreCell(point.high)});
        }
    }
    return made;
}

} // namespace flopsmith
