// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/study/pareto_chart.h"
#include "ui/charts/base/drawing.h"
#include "ui/charts/base/text_lines.h"

#include <QLineF>
#include <QPointF>
#include <QRectF>

#include <cstddef>
#include <vector>

namespace flopsmith::ui {

/// The positions of the parts of a Pareto chart, and its axes as they fit there.
struct ParetoLayout
{
    /// The name of a design of the front next to its point, or at the end of a line from it.
    struct Name
    {
        QRectF rect{};
        QString text{};
        QLineF leader{}; ///< null: no line
    };

    QRectF plot{};
    QRectF yTitle{};
    QRectF xTitle{};
    TickAxis xAxis{};
    TickAxis yAxis{};
    std::vector<Name> names{}; ///< as many as find a free place
    std::vector<PlacedLine> caption{};

    QPointF at(double x, double y) const;
};

ParetoLayout paretoLayout(const ParetoChart& chart, const QRectF& area, const ChartStyle& style);

inline constexpr double kBeatenDot = 5.0; ///< pixels across
inline constexpr double kWinnerDot = 8.0;
inline constexpr double kPresentRing = 13.0;

} // namespace flopsmith::ui
