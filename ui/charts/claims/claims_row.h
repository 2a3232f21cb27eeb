// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/claims/claims_layout.h"

namespace flopsmith::ui {

/// Whether a logarithmic axis has a place for it.
bool isRatio(double value);

/// Places the content of a row in its group's plot: the claimed band, the marks, and a value next
/// to each mark.
class ClaimsRowPlacer
{
public:
    /// The arguments must outlive the placer; of the layout it takes the sizes.
    ClaimsRowPlacer(const ClaimsChart& chart,
                    const ClaimsLayout::Group& group,
                    const ClaimsLayout& layout,
                    const ChartStyle& style);

    /// `inset`: between the row's edges and its band.
    void place(ClaimsLayout::Row& row, double inset) const;

private:
    void placeBand(ClaimsLayout::Row& row, double inset) const;
    void placeValues(ClaimsLayout::Row& row) const;
    bool placeValue(const ClaimsLayout::Row& row,
                    const std::optional<QPointF>& mark,
                    double width,
                    QRectF& place) const;
    std::vector<double> besides(const QRectF& beside,
                                const ClaimsLayout::Row& row,
                                double width) const;
    QRectF markRect(const ClaimsLayout::Row& row, const std::optional<QPointF>& mark) const;
    bool fits(const ClaimsLayout::Row& row, double left, double width) const;
    QFont font(QFont::Weight weight = QFont::Normal) const;

    const ClaimsChart& m_chart;
    const ClaimsLayout::Group& m_group;
    const ClaimsLayout& m_layout;
    const ChartStyle& m_style;
};

} // namespace flopsmith::ui
