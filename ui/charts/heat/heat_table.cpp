// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/study/chart_texts.h"
#include "core/present/table/study_tables.h"
#include "ui/charts/heat/heat_figure.h"
#include "ui/theme/colour_scale.h"

#include <algorithm>

// A heat map's numbers, for files.
namespace flopsmith::ui {
namespace {

constexpr std::size_t kColourClasses = 6; ///< in LaTeX, which draws a series in one colour

double plottedValue(const HeatAxis& axis, std::size_t index)
{
    const auto* whole = std::get_if<std::int64_t>(&axis.values[index]);
    const auto* real = std::get_if<double>(&axis.values[index]);
    return whole != nullptr ? static_cast<double>(*whole)
        : real != nullptr   ? *real
                            : static_cast<double>(index);
}

PgfAxis plottedAxis(const HeatAxis& axis)
{
    return {.label = axis.title, .logBase = axis.scale == AxisScale::log2 ? 2 : 0};
}

} // namespace

FigureTable HeatFigure::table() const
{
    FigureTable table{.header = {toQt(m_map.x.key),
                                 toQt(m_map.y.key),
                                 toQt(metric(m_map.metric).name),
                                 QStringLiteral("problem")}};
    for (const HeatCell& cell : m_map.cells) {
        table.rows.push_back({toQt(m_map.x.texts[cell.column]),
                              toQt(m_map.y.texts[cell.row]),
                              cell.value ? toQt(plainMetricText(*cell.value)) : QString(),
                              toQt(cell.problem)});
    }
    return table;
}

ChartTable HeatFigure::shownTable() const
{
    return heatTable(m_map);
}

PgfPlot HeatFigure::plot() const
{
    PgfPlot plot{.x = plottedAxis(m_map.x), .y = plottedAxis(m_map.y)};
    const TickAxis colours = m_map.colours(2);
    for (std::size_t i = 0; i < kColourClasses; ++i) {
        const double from = static_cast<double>(i) / kColourClasses;
        const double to = static_cast<double>(i + 1) / kColourClasses;
        PgfSeries series{.kind = PgfSeries::Kind::marks,
                         .name = m_map.title + " from "
                             + shortMetricText(m_map.metric, colours.valueAt(from)),
                         .rgb = scaleColour((from + to) / 2).rgb() & 0xFFFFFFU};
        for (const HeatCell& cell : m_map.cells) {
            const auto own =
                std::min(static_cast<std::size_t>(cell.share * kColourClasses), kColourClasses - 1);
            if (cell.value && own == i) {
                series.points.push_back(
                    {plottedValue(m_map.x, cell.column), plottedValue(m_map.y, cell.row)});
            }
        }
        if (!series.points.empty()) {
            plot.series.push_back(std::move(series));
        }
    }
    return plot;
}

} // namespace flopsmith::ui
