// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/study/scaling.h"
#include "ui/charts/base/drawing.h"

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <vector>

namespace flopsmith::ui {

inline constexpr double kPointSample = 11.0; ///< width of the point in a legend's entry
inline constexpr double kLineSample = 22.0; ///< length of the line in a legend's entry

/// The positions of the parts of a scaling chart, and its axes as they fit there.
struct ScalingLayout
{
    QRectF plot{};
    QRectF yTitle{};
    QRectF xTitle{};
    QRectF measuredTitle{}; ///< of the axis on the right; empty without measured points
    std::vector<QRectF> captionLines{}; ///< on the measurements, in words
    QStringList caption{}; ///< parallel to its lines
    QRectF notes{}; ///< empty without notes or space
    struct LegendEntry
    {
        QRectF rect{};
        QString title{};
        QString slope{};
        QString measured{}; ///< slope of the measured points; empty without points
        bool hasPoints = false; ///< the sample of the line has a point
    };
    std::vector<LegendEntry> legend{}; ///< parallel to the curves
    TickAxis xAxis{};
    TickAxis yAxis{};
    TickAxis measuredAxis{}; ///< positions of yAxis

    QPointF at(const ScalingPoint& point) const;
};

ScalingLayout scalingLayout(const ScalingChart& chart, const QRectF& area, const ChartStyle& style);

} // namespace flopsmith::ui
