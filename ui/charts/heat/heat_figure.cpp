// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heat/heat_figure.h"

#include "core/present/study/chart_texts.h"
#include "ui/charts/heat/heat_painter.h"

#include <algorithm>

namespace flopsmith::ui {

QString HeatFigure::title() const
{
    return Charts::tr("%1 over %2 and %3")
        .arg(toQt(m_map.title), toQt(m_map.x.label), toQt(m_map.y.label));
}

QString HeatFigure::summary() const
{
    if (!emptyText().isEmpty()) {
        return emptyText();
    }
    QStringList parts{title()};
    parts << Charts::tr("from %1 to %2")
                 .arg(toQt(shortMetricText(m_map.metric, m_map.low)),
                      toQt(shortMetricText(m_map.metric, m_map.high)));
    if (const HeatCell* present = m_map.present(); present != nullptr && present->value) {
        parts << Charts::tr("this design %1").arg(toQt(present->text));
    }
    if (!m_map.caption.empty()) {
        parts << toQt(m_map.caption);
    }
    return parts.join(QStringLiteral(", "));
}

QString HeatFigure::emptyText() const
{
    return toQt(m_map.emptyText);
}

QString HeatFigure::titleOf(const HeatCell& cell) const
{
    return toQt(m_map.x.label + " " + m_map.x.texts[cell.column] + ", " + m_map.y.label + " "
                + m_map.y.texts[cell.row]);
}

TickMeaning HeatFigure::tickMeaning(const AxisTick& tick) const
{
    if (tick.side == AxisSide::right) {
        return {.axis = title(), .sentence = toQt(metric(m_map.metric).help)};
    }
    const HeatAxis& axis = tick.side == AxisSide::x ? m_map.x : m_map.y;
    return {.axis = toQt(axis.title), .sentence = toQt(axis.help)};
}

std::optional<HotspotDesign> HeatFigure::design(int hotspot) const
{
    if (hotspot < 0 || hotspot >= static_cast<int>(m_map.cells.size())) {
        return std::nullopt;
    }
    const HeatCell& cell = m_map.cells[static_cast<std::size_t>(hotspot)];
    return HotspotDesign{.keys = {m_map.x.key, m_map.y.key},
                         .values = {m_map.x.values[cell.column], m_map.y.values[cell.row]},
                         .title = titleOf(cell),
                         .refusal = toQt(cell.problem)};
}

Drawing HeatFigure::contentDrawing(const QRectF& area, const ChartStyle& style) const
{
    Drawing drawing;
    drawHeat(drawing, m_map, heatLayout(m_map, area, style), style);
    return drawing;
}

std::vector<Hotspot> HeatFigure::contentHotspots(const QRectF& area, const ChartStyle& style) const
{
    const HeatLayout layout = heatLayout(m_map, area, style);
    const HeatCell* present = m_map.present();
    std::vector<Hotspot> hotspots;
    for (const HeatCell& cell : m_map.cells) {
        Hotspot hotspot{.title = titleOf(cell)};
        if (cell.value) {
            hotspot.lines.push_back(
                {heatColour(cell, style.theme), toQt(m_map.title), toQt(cell.exactText)});
        } else {
            hotspot.lines.push_back({QColor(), Charts::tr("not possible"), QString()});
            hotspot.lines.push_back({QColor(), toQt(cell.problem), QString()});
        }
        if (&cell == present) {
            hotspot.lines.push_back({QColor(), Charts::tr("this design"), QString()});
        } else if (cell.value) {
            hotspot.lines.push_back(
                {QColor(), Charts::tr("a click or Enter offers it"), QString()});
        }
        hotspot.keepClear = layout.cell(m_map, cell);
        hotspot.anchor = hotspot.keepClear.center();
        hotspots.push_back(std::move(hotspot));
    }
    return hotspots;
}

int HeatFigure::contentHotspotAt(QPointF place, const QRectF& area, const ChartStyle& style) const
{
    const HeatLayout layout = heatLayout(m_map, area, style);
    const auto hit =
        std::find_if(m_map.cells.begin(), m_map.cells.end(), [&](const HeatCell& cell) {
            return layout.cell(m_map, cell).contains(place);
        });
    return hit == m_map.cells.end() ? -1 : static_cast<int>(hit - m_map.cells.begin());
}

Drawing HeatFigure::highlight(int hotspot, const QRectF& area, const ChartStyle& style) const
{
    const HeatLayout layout = heatLayout(m_map, area, style);
    Drawing drawing;
    drawing.outline(layout.cell(m_map, m_map.cells.at(static_cast<std::size_t>(hotspot))),
                    1.0,
                    QPen(style.theme.accent, 2.0));
    return drawing;
}

FigureResult heatFigure(const FigureRequest& request)
{
    FLOPSMITH_TRY(const std::vector<Axis> axes, studyAxes(request));
    if (axes.size() != 2) {
        return Error{"a heat map needs two axes, one for each side"};
    }
    Result<HeatMap> map = heatMap(request.scenario,
                                  {.metric = request.metric,
                                   .lens = request.lens,
                                   .x = axes.front(),
                                   .y = axes.back(),
                                   .ties = request.ties,
                                   .on = metricHardware(request),
                                   .pairs = pairsOf(request),
                                   .scope = request.scope});
    return map ? made<HeatFigure>(std::move(map).value()) : FigureResult(map.error());
}

} // namespace flopsmith::ui
