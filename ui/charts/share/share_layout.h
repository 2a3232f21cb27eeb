// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/time/share.h"
#include "ui/charts/base/drawing.h"

#include <QPointF>
#include <QRectF>

#include <span>
#include <vector>

namespace flopsmith::ui {

/// Where a donut and its captions stand.
struct DonutPlace
{
    QPointF centre{};
    double radius = 0.0;
    double hole = 0.0; ///< radius of the empty middle
    QRectF caption{};
    QRectF subCaption{}; ///< second line of titles that are too long for one; else empty
    QRectF unit{}; ///< second caption: the unit, if it does not fit into the hole; else empty
    QRectF note{}; ///< empty where there is no space for one
};

/// A column of the legend: which donut's shares it has.
struct LegendColumn
{
    std::size_t donut = 0;
    QString header{};
    double width = 0.0;
};

/// Where the legend's parts stand: its rows run down through `blocks` columns of text.
struct LegendPlace
{
    std::vector<std::size_t> rows{}; ///< of legendRows(), those that there is space for
    std::size_t hidden = 0; ///< rows that are not shown
    std::vector<LegendColumn> columns{};
    std::size_t rowsPerBlock = 0;
    double blockWidth = 0.0;
    double blockGap = 0.0;
    double nameWidth = 0.0;
    double rowHeight = 0.0;
    double columnGap = 0.0;
    QRectF area{};
};

struct ShareLayout
{
    std::vector<DonutPlace> donuts{};
    LegendPlace legend{};
};

ShareLayout shareLayout(std::span<const Donut> donuts,
                        std::span<const LegendRow> rows,
                        const QRectF& area,
                        const ChartStyle& style);

inline constexpr double kLegendSwatch = 9.0;
inline constexpr double kTightLines = 14.0; ///< of text; what is lower saves height

} // namespace flopsmith::ui
