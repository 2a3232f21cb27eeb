// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/share/share_layout.h"

#include <span>
#include <vector>

namespace flopsmith::ui {

/// For the figures in a donut's column: measured ones are bold.
QFont shareFont(const Donut& donut, const ChartStyle& style);

/// A component's title, or its first words if the whole does not fit: "Composed" for "Composed:
/// gates and sums", "UltraEfficient" for "UltraEfficientSparse".
QString legendName(const QString& title, const QFont& font, double width);

/// Plans the table below the donuts: which columns and rows it has, and in how many blocks side by
/// side they run.
class LegendPlanner
{
public:
    /// The arguments must outlive the planner.
    LegendPlanner(std::span<const Donut> donuts,
                  std::span<const LegendRow> rows,
                  const QRectF& area,
                  const ChartStyle& style);

    /// All columns and whole names if the donuts have enough space; otherwise fewer columns,
    /// shorter names, and finally only the largest components.
    LegendPlace plan(double usualHeight, double maxHeight) const;

    double heightOf(const LegendPlace& place) const;

private:
    LegendPlace withColumns(const std::vector<std::size_t>& donuts, double longestName) const;
    void fitWidth(LegendPlace& place) const;
    void spread(LegendPlace& place) const;
    void limit(LegendPlace& place, double maxHeight) const;
    double weight(const LegendPlace& place, std::size_t row) const;

    std::span<const Donut> m_donuts;
    std::span<const LegendRow> m_rows;
    QRectF m_area;
    const ChartStyle& m_style;
};

} // namespace flopsmith::ui
