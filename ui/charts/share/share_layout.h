// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/time/share.h"
#include "ui/charts/base/drawing.h"

#include <QPointF>
#include <QRectF>

#include <span>
#include <vector>

namespace flopsmith::ui {

/// The positions of a donut and its captions.
struct DonutPlace
{
    QPointF centre{};
    double radius = 0.0;
    double hole = 0.0; ///< radius of the empty middle
    QRectF caption{};
    QRectF subCaption{}; ///< second line of long titles; otherwise empty
    QRectF unit{}; ///< second caption: the unit, if it does not fit into the hole; otherwise empty
    QRectF note{}; ///< empty where there is no space for one
};

/// A column of the legend, with the shares of one donut.
struct LegendColumn
{
    std::size_t donut = 0;
    QString header{};
    double width = 0.0;
};

/// The positions of the legend's parts: its rows run down through `blocks` columns of text.
struct LegendPlace
{
    std::vector<std::size_t> rows{}; ///< the part of legendRows() that fits
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
inline constexpr double kTightLines = 14.0; ///< of text; lower charts save height

} // namespace flopsmith::ui
