// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/claims/claims_row.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kTextGap = 6.0; ///< between a mark and its value

} // namespace

bool isRatio(double value)
{
    return std::isfinite(value) && value > 0.0;
}

ClaimsRowPlacer::ClaimsRowPlacer(const ClaimsChart& chart,
                                 const ClaimsLayout::Group& group,
                                 const ClaimsLayout& layout,
                                 const ChartStyle& style)
    : m_chart(chart)
    , m_group(group)
    , m_layout(layout)
    , m_style(style)
{}

QFont ClaimsRowPlacer::font(QFont::Weight weight) const
{
    return m_style.font(m_layout.textSize, weight);
}

void ClaimsRowPlacer::place(ClaimsLayout::Row& row, double inset) const
{
    placeBand(row, inset);
    const auto markAt = [&](double ratio) {
        return isRatio(ratio) ? std::optional(QPointF(m_group.xOf(ratio), row.rect.center().y()))
                              : std::nullopt;
    };
    row.counted = markAt(m_chart.claim(row.claim).counted);
    row.measured = markAt(m_chart.measuredOf(row.claim).quantity.value_or(0.0));
    placeValues(row);
}

void ClaimsRowPlacer::placeBand(ClaimsLayout::Row& row, double inset) const
{
    const Claim& claim = m_chart.claim(row.claim);
    const double minWidth = 3.0 * m_layout.markRadius; // of one value: visible behind its mark
    row.isOpen = std::isinf(claim.range.high);
    const double left = m_group.xOf(claim.range.low);
    const double right = row.isOpen ? m_group.plot.right() : m_group.xOf(claim.range.high);
    row.band = QRectF(left, row.rect.top() + inset, right - left, row.rect.height() - 2 * inset);
    if (row.band.width() < minWidth) {
        row.band.setLeft(row.band.center().x() - minWidth / 2);
        row.band.setWidth(minWidth);
    }
}

// Left edges for a value of that width next to its mark: clear of the band if possible, even behind
// the other value, otherwise on it. `beside` is the mark, or without one the other value.
std::vector<double> ClaimsRowPlacer::besides(const QRectF& beside,
                                             const ClaimsLayout::Row& row,
                                             double width) const
{
    const QRectF& band = row.band;
    constexpr double kStillBeside = 60.0;
    const double right = beside.right() + kTextGap;
    const double left = beside.left() - kTextGap - width;
    const auto touchesBand = [&](double from) {
        return from < band.right() + 2.0 && from + width > band.left() - 2.0;
    };
    const double behind = row.countedText.right() + 1.5 * kTextGap; // of the other value
    const bool sharesPlace = !row.countedText.isEmpty() && behind > right
        && row.countedText.left() - beside.right() < kStillBeside;
    std::vector<double> found;
    const auto addIf = [&found](bool good, double from) {
        if (good) {
            found.push_back(from);
        }
    };
    addIf(!touchesBand(right), right);
    addIf(!touchesBand(left), left);
    addIf(sharesPlace && !touchesBand(behind), behind);
    const double pastBand = band.right() + kTextGap;
    const double beforeBand = band.left() - kTextGap - width;
    addIf(touchesBand(right) && pastBand - right < kStillBeside, pastBand);
    addIf(touchesBand(left) && left - beforeBand < kStillBeside, beforeBand);
    addIf(touchesBand(right), right);
    addIf(touchesBand(left), left);
    return found;
}

// Each value is next to its own mark; the measured one is left out before the other.
void ClaimsRowPlacer::placeValues(ClaimsLayout::Row& row) const
{
    const Claim& claim = m_chart.claim(row.claim);
    const QString measured = measuredMarkText(claim, m_chart.measuredOf(row.claim));
    const QString counted = countedText(claim);
    const QString first = counted.isEmpty() && measured.isEmpty() ? claimedText(claim) : counted;
    if (first.isEmpty()) {
        placeValue(row, row.measured, textWidth(font(), measured), row.measuredText);
        return;
    }
    const double wide = textWidth(font(QFont::DemiBold), first);
    for (const double left : besides(markRect(row, row.counted), row, wide)) {
        ClaimsLayout::Row candidate = row;
        if (!fits(candidate, left, wide)) {
            continue;
        }
        candidate.countedText = QRectF(left, row.rect.top(), wide, row.rect.height());
        if (row.countedText.isEmpty()) {
            row.countedText = candidate.countedText; // the best place if there is only one
        }
        if (measured.isEmpty()
            || placeValue(
                candidate, row.measured, textWidth(font(), measured), candidate.measuredText)) {
            row = candidate;
            return;
        }
    }
}

QRectF ClaimsRowPlacer::markRect(const ClaimsLayout::Row& row,
                                 const std::optional<QPointF>& mark) const
{
    const double reach = 1.5 * m_layout.markRadius;
    return mark ? QRectF(mark->x() - reach, row.rect.top(), 2 * reach, row.rect.height())
        : row.countedText.isEmpty() ? row.band
                                    : row.countedText;
}

bool ClaimsRowPlacer::placeValue(const ClaimsLayout::Row& row,
                                 const std::optional<QPointF>& mark,
                                 double width,
                                 QRectF& place) const
{
    for (const double left : besides(markRect(row, mark), row, width)) {
        if (fits(row, left, width)) {
            place = QRectF(left, row.rect.top(), width, row.rect.height());
            return true;
        }
    }
    return false;
}

// Whether a text there stays in the plot and does not overlap the marks and the other value.
bool ClaimsRowPlacer::fits(const ClaimsLayout::Row& row, double left, double width) const
{
    const QRectF text(left, row.rect.top(), width, row.rect.height());
    const bool inside =
        left >= m_group.plot.left() + 2.0 && text.right() <= m_group.plot.right() + kTextGap;
    return inside && !(row.counted && text.intersects(markRect(row, row.counted)))
        && !(row.measured && text.intersects(markRect(row, row.measured)))
        && !text.intersects(row.countedText.adjusted(-kTextGap, 0, kTextGap, 0));
}

} // namespace flopsmith::ui
