// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/claims/claims_chart.h"

#include <optional>

namespace flopsmith::ui {

/// A logarithmic axis of ratios: to the right of 1 is more.
struct RatioAxis
{
    struct Tick
    {
        double value = 1.0;
        QString label{};
    };

    double low = 0.25; ///< ratio at the left end
    double high = 10'000.0;
    std::vector<Tick> ticks{}; ///< positions of the grid; those without space have no label

    /// 0 at the left end, 1 at the right; values outside are clamped.
    double share(double ratio) const;
};

/// The positions of the parts of a claims figure.
struct ClaimsLayout
{
    struct Row
    {
        std::size_t claim = 0; ///< of the chart
        QRectF rect{}; ///< the whole line
        QRectF edge{}; ///< in the component's colour
        QRectF title{};
        QRectF band{}; ///< the claimed range
        bool isOpen = false; ///< the range has no upper end: the band is an arrow
        std::optional<QPointF> counted{};
        std::optional<QPointF> measured{};
        QRectF countedText{}; ///< empty without space
        QRectF measuredText{};
        QRectF verdict{}; ///< empty without space
        QRectF learned{}; ///< the same
    };

    /// Claims that share one axis.
    struct Group
    {
        QString title{};
        QString remark{}; ///< muted, after the title
        QRectF heading{};
        QRectF learnedHeading{}; ///< over the column of learned results; empty without it
        QRectF plot{};
        QRectF ticks{}; ///< below the plot
        RatioAxis axis{};
        std::vector<Row> rows{};

        double xOf(double ratio) const;
    };

    struct LegendEntry
    {
        enum class Sign { claimed, counted, measured };
        Sign sign = Sign::claimed;
        QRectF swatch{};
        QRectF text{};
        QString name{};
    };

    std::vector<Group> groups{};
    std::vector<LegendEntry> legend{};
    std::size_t hidden = 0; ///< rows without space: the last ones
    QRectF hiddenText{};
    QRectF learnedNote{}; ///< after the legend; empty without space
    double textSize = 0.92; ///< of the rows
    double markRadius = 4.0;
};

ClaimsLayout claimsLayout(const ClaimsChart& chart, const QRectF& area, const ChartStyle& style);

} // namespace flopsmith::ui
