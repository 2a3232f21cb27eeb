// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/base/ticks.h"
#include "core/present/lab/lab_chart.h"
#include "ui/charts/base/drawing.h"

#include <QRectF>
#include <QString>
#include <QStringList>

#include <vector>

namespace flopsmith::ui {

/// The positions of the parts of a lab's chart, and its axes as they fit there.
struct LabLayout
{
    struct Name
    {
        QRectF rect{};
        double y = 0.0; ///< of the named item: the end of a curve, or the middle of a row
    };

    QRectF plot{};
    QRectF yTitle{};
    QRectF xTitle{};
    TickAxis xAxis{};
    TickAxis yAxis{};
    std::vector<Name> names{}; ///< parallel to the series
    std::vector<QRectF> values{}; ///< of bars, parallel to the series
    std::vector<QRectF> captionLines{};
    QStringList caption{};

    double xOf(double value) const { return plot.left() + xAxis.share(value) * plot.width(); }
    double yOf(double value) const { return plot.bottom() - yAxis.share(value) * plot.height(); }
};

LabLayout labLayout(const LabChart& chart, const QRectF& area, const ChartStyle& style);

/// Space between a curve's end and its name.
inline constexpr double kLabNameGap = 22.0;

} // namespace flopsmith::ui
