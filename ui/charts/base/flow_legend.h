// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/drawing.h"

#include <span>
#include <vector>

namespace flopsmith::ui {

inline constexpr double kFlowSwatch = 10.0; ///< of an entry, before its title
inline constexpr double kFlowSwatchGap = 6.0;
inline constexpr double kDesignWeight = 1e300; ///< so that components are dropped first

/// A component in a legend whose entries run in lines below a plot.
struct FlowEntry
{
    const Component* component = nullptr;
    QString title{};
    QString value{}; ///< muted, after the title; may be empty
    double weight = 0.0; ///< where there is no space for all, the heaviest stay
};

/// The entries with their places.
struct FlowLegend
{
    struct Place
    {
        FlowEntry entry{};
        QRectF rect{};
        HatchUse hatch = HatchUse::onRequest;
    };

    std::vector<Place> places{};
    QString rest{}; ///< "+ 3 smaller"
    QRectF restRect{};
    double height = 0.0;

    void translate(double dx, double dy);
};

/// The legend with its corner at (0, 0): in as few lines as the width allows, in columns. If the
/// height is too small, values are dropped first, then the lightest entries. If two entries have
/// the same colour, both show their patterns.
FlowLegend flowLegend(std::span<const FlowEntry> entries,
                      double width,
                      double maxHeight,
                      const ChartStyle& style);

void drawFlowLegend(Drawing& drawing, const FlowLegend& legend, const ChartStyle& style);

} // namespace flopsmith::ui
