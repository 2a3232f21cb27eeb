// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/claims/claims_painter.h"

#include "ui/charts/claims/claims_plot.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

/// Draws everything around the bands and marks. Counted values are bold and in the accent colour;
/// the legend has a sample of each.
class ClaimsPainter
{
public:
    ClaimsPainter(Drawing& drawing,
                  const ClaimsChart& chart,
                  const ClaimsLayout& layout,
                  const ChartStyle& style)
        : m_drawing(drawing)
        , m_chart(chart)
        , m_layout(layout)
        , m_style(style)
        , m_theme(style.theme)
    {}

    void paint()
    {
        for (const ClaimsLayout::Group& group : m_layout.groups) {
            addFrame(group);
            for (const ClaimsLayout::Row& row : group.rows) {
                addRow(row);
            }
        }
        addFoot();
    }

private:
    void addFrame(const ClaimsLayout::Group& group)
    {
        const QFont bold = m_style.font(0.92, QFont::DemiBold);
        m_drawing.write(group.heading, group.title, bold, m_theme.text);
        QRectF rest = group.heading;
        rest.setLeft(rest.left() + textWidth(bold, group.title) + 10.0);
        if (rest.width() > 60.0) {
            m_drawing.write(rest, group.remark, m_style.font(0.85), m_theme.mutedText);
        }
        if (!group.learnedHeading.isEmpty()) {
            m_drawing.write(group.learnedHeading, Charts::tr("learns?"), bold, m_theme.text);
        }
        constexpr double kHalf = 40.0; // more than any tick's name needs
        for (const RatioAxis::Tick& tick : group.axis.ticks) {
            const double x = group.xOf(tick.value);
            const bool isOne = tick.value == 1.0;
            m_drawing.line({x, group.plot.top()},
                           {x, group.plot.bottom()},
                           QPen(isOne ? m_theme.mutedText : m_theme.grid, 1.0));
            m_drawing.write({x - kHalf, group.ticks.top(), 2 * kHalf, group.ticks.height()},
                            tick.label,
                            m_style.font(0.82),
                            m_theme.mutedText,
                            Qt::AlignCenter,
                            AxisTick{AxisSide::x, AxisScale::log10, tick.value});
        }
    }

    void addRow(const ClaimsLayout::Row& row)
    {
        const Claim& claim = m_chart.claim(row.claim);
        const MeasuredClaim found = m_chart.measuredOf(row.claim);
        m_drawing.fill(row.edge, 1.5, *claim.component);
        m_drawing.write(
            row.title, toQt(claim.title), m_style.font(m_layout.textSize), m_theme.text);
        clearGround(row, row.countedText);
        clearGround(row, row.measuredText);
        addValues(row, claim, found);
        if (!row.verdict.isEmpty()) {
            m_drawing.write(row.verdict,
                            verdictText(claim, found),
                            m_style.font(m_layout.textSize, QFont::Medium),
                            verdictColour(claim, found));
        }
        if (!row.learned.isEmpty()) {
            const LearnedClaim learned = m_chart.learnedOf(row.claim);
            m_drawing.write(row.learned,
                            toQt(learned.text),
                            m_style.font(m_layout.textSize, QFont::Medium),
                            learnedColour(learned.verdict));
        }
    }

    // No line of the grid runs through a value.
    void clearGround(const ClaimsLayout::Row& row, const QRectF& text)
    {
        if (!text.isEmpty() && !text.intersects(row.band)) {
            const double spare = text.height() - m_style.lineHeight(m_layout.textSize);
            const double inset = spare > 6.0 ? spare / 2 : 0.0; // no crumbs of a line are left
            m_drawing.fill(text.adjusted(-1.0, inset, 1.0, -inset), 0.0, m_theme.panel);
        }
    }

    void addValues(const ClaimsLayout::Row& row, const Claim& claim, const MeasuredClaim& found)
    {
        if (!row.countedText.isEmpty()) {
            const QString counted = countedText(claim);
            const bool isCounted = !counted.isEmpty();
            m_drawing.write(
                row.countedText,
                isCounted ? counted : claimedText(claim),
                m_style.font(m_layout.textSize, isCounted ? QFont::DemiBold : QFont::Normal),
                isCounted ? m_theme.accent : m_theme.mutedText);
        }
        if (!row.measuredText.isEmpty()) {
            m_drawing.write(row.measuredText,
                            measuredMarkText(claim, found),
                            m_style.font(m_layout.textSize),
                            m_theme.text);
        }
    }

    QColor verdictColour(const Claim& claim, const MeasuredClaim& found) const
    {
        const QString word = verdictText(claim, found);
        if (word == Charts::tr("holds")) {
            return m_theme.positive;
        }
        return claim.verdict == ClaimVerdict::fallsShort                     ? m_theme.negative
            : claim.verdict == ClaimVerdict::onlyMeasured && !found.quantity ? m_theme.mutedText
                                                                             : m_theme.text;
    }

    QColor learnedColour(LearnedVerdict verdict) const
    {
        switch (verdict) {
        case LearnedVerdict::better: return m_theme.positive;
        case LearnedVerdict::worse: return m_theme.negative;
        case LearnedVerdict::lessThanDense:
        case LearnedVerdict::little:
        case LearnedVerdict::alike:
        case LearnedVerdict::notTried: break;
        }
        return m_theme.text;
    }

    void addDisc(QPointF centre, double radius)
    {
        QPainterPath disc;
        disc.addEllipse(centre, radius, radius);
        m_drawing.shapes.push_back({disc, QPen(m_theme.panel, 1.0), m_theme.accent});
    }

    void addDiamond(QPointF centre, double radius)
    {
        const double reach = kClaimDiamondReach * radius;
        QPainterPath diamond;
        diamond.moveTo(centre.x(), centre.y() - reach);
        diamond.lineTo(centre.x() + reach, centre.y());
        diamond.lineTo(centre.x(), centre.y() + reach);
        diamond.lineTo(centre.x() - reach, centre.y());
        diamond.closeSubpath();
        m_drawing.shapes.push_back({diamond, QPen(m_theme.text, 1.6), Qt::NoBrush});
    }

    void addFoot()
    {
        using Sign = ClaimsLayout::LegendEntry::Sign;
        const double radius = std::min(m_layout.markRadius, 4.5);
        for (const ClaimsLayout::LegendEntry& entry : m_layout.legend) {
            switch (entry.sign) {
            case Sign::claimed:
                m_drawing.fill(entry.swatch.adjusted(0, 3.5, 0, -3.5),
                               2.0,
                               claimBandFill(m_theme.mutedText, m_theme));
                break;
            case Sign::counted: addDisc(entry.swatch.center(), radius); break;
            case Sign::measured: addDiamond(entry.swatch.center(), radius); break;
            }
            m_drawing.write(
                entry.text, entry.name, m_style.font(kLegendTextSize), m_theme.mutedText);
        }
        if (!m_layout.learnedNote.isEmpty()) {
            m_drawing.write(m_layout.learnedNote,
                            m_chart.learnedNote(),
                            m_style.font(kLegendTextSize),
                            m_theme.mutedText);
        }
        if (!m_layout.hiddenText.isEmpty()) {
            m_drawing.write(m_layout.hiddenText,
                            Charts::tr("+ %1 more").arg(m_layout.hidden),
                            m_style.font(kLegendTextSize),
                            m_theme.mutedText,
                            Qt::AlignRight | Qt::AlignVCenter);
        }
    }

    Drawing& m_drawing;
    const ClaimsChart& m_chart;
    const ClaimsLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

} // namespace

void drawClaims(Drawing& drawing,
                const ClaimsChart& chart,
                const ClaimsLayout& layout,
                const ChartStyle& style)
{
    ClaimsPainter(drawing, chart, layout, style).paint();
}

} // namespace flopsmith::ui
