// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/mislead/mislead_figure.h"

#include "core/base/field.h"
#include "core/base/text.h"
#include "core/present/table/time_tables.h"
#include "ui/charts/base/bar_rows.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

/// Draws headline, rows and key.
class MisleadPainter
{
public:
    MisleadPainter(Drawing& drawing,
                   const MisleadTable& table,
                   const MisleadLayout& layout,
                   const ChartStyle& style)
        : m_drawing(drawing)
        , m_table(table)
        , m_layout(layout)
        , m_style(style)
        , m_theme(style.theme)
    {}

    void paint()
    {
        m_drawing.write(m_layout.headline,
                        toQt(m_table.headline),
                        m_style.font(kRowTextSize, QFont::DemiBold),
                        m_theme.text);
        drawLines(m_drawing, m_layout.leftOut, m_style);
        for (const MisleadLayout::Row& place : m_layout.rows) {
            addRow(place, m_table.rows[place.row]);
        }
        if (m_layout.hidden > 0) {
            m_drawing.write(m_layout.hiddenText,
                            Charts::tr("+ %1 that differ less").arg(m_layout.hidden),
                            m_style.font(kSmallTextSize),
                            m_theme.mutedText);
        }
        addKey();
    }

private:
    void addRow(const MisleadLayout::Row& place, const MisleadRow& row)
    {
        const Component& component = *row.part.component;
        m_drawing.write(place.label, toQt(row.titleText), m_style.font(kRowTextSize), m_theme.text);
        drawOutlineBar(m_drawing, place.flops, lineColour(component, m_theme));
        m_drawing.fill(place.time, std::min(2.0, place.time.width() / 2), component);
        m_drawing.write(place.shares,
                        toQt(row.flopText + " \u2192 " + row.timeText),
                        m_style.font(kSmallTextSize),
                        m_theme.mutedText,
                        Qt::AlignRight | Qt::AlignVCenter);
        m_drawing.write(place.difference,
                        toQt(row.differenceText),
                        m_style.font(kRowTextSize, QFont::DemiBold),
                        inkOf(row.part),
                        Qt::AlignRight | Qt::AlignVCenter);
        const QFont small = m_style.font(kSmallTextSize);
        const QStringList reason =
            clauseLines(toQt(row.reasonText), QStringLiteral(", "), small, place.reason.width(), 1);
        m_drawing.write(place.reason, reason.value(0), small, m_theme.mutedText);
    }

    // Highlights parts that take longer than their share of FLOPs.
    QColor inkOf(const PartShare& part) const
    {
        if (part.reason == ShareReason::asCounted) {
            return m_theme.mutedText;
        }
        return part.difference() > 0.0 ? m_theme.warning : m_theme.text;
    }

    void addKey()
    {
        if (m_layout.key.isEmpty()) {
            return;
        }
        const QFont font = m_style.font(kSmallTextSize);
        QRectF rest = m_layout.key;
        for (const bool measured : {false, true}) {
            const QString text = measured ? Charts::tr("of the time, measured")
                                          : Charts::tr("of the FLOPs, exact lens");
            const QRectF bar(rest.left(), rest.center().y() - 3.0, 16.0, 6.0);
            if (measured) {
                m_drawing.fill(bar, 2.0, m_theme.mutedText);
            } else {
                drawOutlineBar(m_drawing, bar, m_theme.mutedText);
            }
            rest.setLeft(bar.right() + 6.0);
            m_drawing.write(rest, text, font, m_theme.mutedText);
            rest.setLeft(std::min(rest.right(), rest.left() + textWidth(font, text) + 16.0));
        }
    }

    Drawing& m_drawing;
    const MisleadTable& m_table;
    const MisleadLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

Hotspot hotspotOf(const MisleadRow& row)
{
    const PartShare& part = row.part;
    Hotspot hotspot{.title = toQt(row.titleText)};
    hotspot.lines = {
        {{}, Charts::tr("of the FLOPs"), toQt(row.flopText)},
        {{}, Charts::tr("of the time"), toQt(row.timeText)},
        {{}, Charts::tr("measured"), toQt(durationText(part.seconds))},
        {{}, Charts::tr("at least"), toQt(durationText(part.lowerBoundSeconds))},
        {{}, Charts::tr("executes"), toQt(siText(part.flops) + "FLOP")},
        {{}, Charts::tr("moves"), toQt(bytesText(part.bytes))},
        {{}, toQt(row.reasonText), {}},
    };
    return hotspot;
}

} // namespace

QString MisleadFigure::title() const
{
    return Charts::tr("Where FLOPs mislead");
}

QString MisleadFigure::summary() const
{
    if (m_table.empty()) {
        return emptyText();
    }
    QStringList parts;
    for (const MisleadRow& row : m_table.rows) {
        parts << toQt(row.titleText + " " + row.differenceText);
    }
    if (!m_table.leftOut.empty()) {
        parts << toQt(m_table.leftOut);
    }
    return toQt(m_table.headline) + QStringLiteral("; ") + parts.join(QStringLiteral(", "));
}

QString MisleadFigure::emptyText() const
{
    return m_table.empty() ? toQt(m_table.emptyText) : QString();
}

FigureTable MisleadFigure::table() const
{
    FigureTable table;
    for (const char* name : {"part",
                             "path",
                             "uses",
                             "flop_share",
                             "time_share",
                             "difference",
                             "seconds",
                             "lower_bound_seconds",
                             "flops",
                             "bytes",
                             "reason",
                             "why"}) {
        table.header << QLatin1String(name);
    }
    for (const MisleadRow& row : m_table.rows) {
        const PartShare& part = row.part;
        table.rows.push_back({toQt(part.title),
                              toQt(part.path),
                              QString::number(part.uses),
                              toQt(numberText(part.flopShare)),
                              toQt(numberText(part.timeShare)),
                              toQt(numberText(part.difference())),
                              toQt(numberText(part.seconds)),
                              toQt(numberText(part.lowerBoundSeconds)),
                              toQt(numberText(part.flops)),
                              toQt(numberText(part.bytes)),
                              toQt(enumName(part.reason)),
                              toQt(part.sentence)});
    }
    return table;
}

ChartTable MisleadFigure::shownTable() const
{
    return misleadingTable(m_table);
}

PgfPlot MisleadFigure::plot() const
{
    PgfPlot plot{.x = {.label = "share in %"}};
    PgfSeries time{.kind = PgfSeries::Kind::bars, .name = "of the time, measured"};
    PgfSeries flops{.kind = PgfSeries::Kind::bars, .name = "of the FLOPs", .rgb = 0xC9D1D9};
    for (const MisleadRow& row : m_table.rows) {
        const auto place = static_cast<double>(plot.y.names.size());
        plot.y.names.push_back(row.titleText);
        time.points.push_back({100.0 * row.part.timeShare, place});
        flops.points.push_back({100.0 * row.part.flopShare, place});
    }
    plot.series = {time, flops};
    return plot;
}

std::optional<FigureKind> MisleadFigure::kindOf(int /*hotspot*/) const
{
    return FigureKind::measuredTime;
}

Drawing MisleadFigure::contentDrawing(const QRectF& area, const ChartStyle& style) const
{
    Drawing drawing;
    const MisleadLayout layout = misleadLayout(m_table, area, style);
    MisleadPainter(drawing, m_table, layout, style).paint();
    return drawing;
}

std::vector<Hotspot> MisleadFigure::contentHotspots(const QRectF& area,
                                                    const ChartStyle& style) const
{
    std::vector<Hotspot> hotspots;
    for (const MisleadLayout::Row& place : misleadLayout(m_table, area, style).rows) {
        hotspots.push_back(hotspotOf(m_table.rows[place.row]));
        hotspots.back().anchor = {place.difference.left(), place.rect.center().y()};
        hotspots.back().keepClear = place.rect;
    }
    return hotspots;
}

std::vector<ChartPlace> MisleadFigure::contentPlaces(const QRectF& area,
                                                     const ChartStyle& style) const
{
    std::vector<ChartPlace> places;
    for (const MisleadLayout::Row& place : misleadLayout(m_table, area, style).rows) {
        const PartShare& part = m_table.rows[place.row].part;
        places.push_back(
            rowPlace(place.rect, part.component, part.path, part.elsewhere, places.size()));
    }
    return places;
}

FigureResult misleadFigure(const FigureRequest& request)
{
    return made<MisleadFigure>(
        misleadTable(RequestParts(request), request.times, request.machine, request.measuredAs));
}

} // namespace flopsmith::ui
