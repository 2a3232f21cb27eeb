// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/study/heat_map.h"
#include "ui/charts/base/drawing.h"
#include "ui/charts/base/text_lines.h"

#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

namespace flopsmith::ui {

/// The positions of the parts of a heat map.
struct HeatLayout
{
    QRectF plot{};
    QRectF title{}; ///< of the colours, right above their bar
    QRectF yTitle{};
    QRectF xTitle{};
    std::vector<PlacedLine> xTicks{}; ///< as many of the values as do not touch
    std::vector<PlacedLine> yTicks{};
    QRectF bar{}; ///< of all colours, the largest value on top
    TickAxis colours{};
    bool valuesFit = false; ///< whether there are few cells, and each has space for its value
    std::vector<PlacedLine> caption{};

    QRectF cell(const HeatMap& map, const HeatCell& cell) const;

    /// The position of the scenario itself, if that is inside.
    std::optional<QPointF> present(const HeatMap& map) const;

    double barY(double value) const { return bar.bottom() - colours.share(value) * bar.height(); }
};

HeatLayout heatLayout(const HeatMap& map, const QRectF& area, const ChartStyle& style);

} // namespace flopsmith::ui
