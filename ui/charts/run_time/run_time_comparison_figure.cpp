// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/run_time/run_time_comparison_figure.h"

#include "core/base/text.h"
#include "core/present/table/time_tables.h"
#include "ui/charts/base/bar_rows.h"
#include "ui/charts/run_time/device_fill.h"
#include "ui/charts/run_time/run_time_figure.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

QColor totalInk(const RunTimeColumn& column, const Theme& theme)
{
    if (!column.unavailable.empty()) {
        return theme.negative;
    }
    return column.table.total.seconds > 0.0 ? theme.text : theme.mutedText;
}

QColor valueInk(const RunTimeRow& row, const Theme& theme)
{
    if (row.seconds > 0.0) {
        return theme.text;
    }
    return row.state == PartState::failed ? theme.negative
        : row.state == PartState::running ? theme.accent
                                          : theme.mutedText;
}

/// Draws legend, bars and notes of a comparison.
class ComparisonPainter
{
public:
    ComparisonPainter(Drawing& drawing,
                      const RunTimeComparison& comparison,
                      const RunTimeComparisonLayout& layout,
                      const ChartStyle& style)
        : m_drawing(drawing)
        , m_comparison(comparison)
        , m_layout(layout)
        , m_style(style)
        , m_theme(style.theme)
    {}

    void paint()
    {
        for (const RunTimeComparisonLayout::Device& place : m_layout.devices) {
            addDevice(place, m_comparison.columns[place.column]);
        }
        for (const RunTimeComparisonLayout::Part& place : m_layout.parts) {
            addLabel(place);
        }
        for (const RunTimeComparisonLayout::Bar& place : m_layout.bars) {
            addBar(place, m_comparison.columns[place.column]);
        }
        drawLines(m_drawing, {m_layout.hiddenText}, m_style);
        drawLines(m_drawing, m_layout.notes, m_style);
    }

private:
    void addDevice(const RunTimeComparisonLayout::Device& place, const RunTimeColumn& column)
    {
        fillForDevice(m_drawing, place.swatch, m_theme.mutedText, place.column);
        m_drawing.write(
            place.name, toQt(column.device), m_style.font(0.95, QFont::DemiBold), m_theme.text);
        m_drawing.write(
            place.total, toQt(column.totalText), m_style.font(0.95), totalInk(column, m_theme));
        for (const PlacedLine& line : place.more) {
            m_drawing.write(line.rect, line.text, m_style.font(kLegendTextSize), m_theme.mutedText);
        }
    }

    void addLabel(const RunTimeComparisonLayout::Part& place)
    {
        const RunTimeRow& row = m_comparison.columns.front().table.rows[place.row];
        m_drawing.write(place.label,
                        toQt(row.titleText),
                        m_style.font(0.92),
                        row.isStage ? m_theme.mutedText : m_theme.text,
                        Qt::AlignRight | Qt::AlignVCenter);
    }

    void addBar(const RunTimeComparisonLayout::Bar& place, const RunTimeColumn& column)
    {
        const RunTimeRow& row = column.table.rows[place.row];
        if (!place.measured.isEmpty()) {
            const QColor ink = lineColour(*row.component, m_theme);
            fillForDevice(m_drawing, place.measured, ink, place.column);
        }
        if (!place.bound.isEmpty()) {
            const double x = place.bound.center().x();
            m_drawing.line({x, place.bound.top()},
                           {x, place.bound.bottom()},
                           QPen(m_theme.text, place.bound.width()));
        }
        const bool fresh = row.seconds > 0.0 && row.storedText.empty();
        m_drawing.write(place.value,
                        toQt(row.timeText),
                        m_style.font(kRunTimeValueSize, fresh ? QFont::DemiBold : QFont::Normal),
                        valueInk(row, m_theme));
        if (!place.ratio.isEmpty()) {
            m_drawing.write(place.ratio,
                            toQt(ratioText(column.ratios[place.row])),
                            m_style.font(kRunTimeValueSize),
                            m_theme.mutedText,
                            Qt::AlignRight | Qt::AlignVCenter);
        }
    }

    Drawing& m_drawing;
    const RunTimeComparison& m_comparison;
    const RunTimeComparisonLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

Hotspot deviceHotspot(const RunTimeColumn& column, const std::string& first)
{
    Hotspot hotspot{.title = toQt(column.device)};
    const auto add = [&hotspot](const QString& label, const QString& value) {
        if (!value.isEmpty()) {
            hotspot.lines.push_back({{}, label, value});
        }
    };
    const RunTimeRow& total = column.table.total;
    add(Charts::tr("all parts"), toQt(column.totalText));
    add(Charts::tr("against %1").arg(toQt(first)), toQt(column.ratioText));
    add(Charts::tr("roofline"), toQt(total.boundText));
    add(Charts::tr("achieved"), toQt(total.rateText));
    if (!column.unavailable.empty()) {
        hotspot.lines.push_back({{}, toQt(column.unavailable), {}});
    }
    return hotspot;
}

Hotspot barHotspot(const RunTimeColumn& column, std::size_t row, const std::string& first)
{
    Hotspot hotspot = runTimeHotspot(column.table.rows[row]);
    hotspot.title = Charts::tr("%1 on %2").arg(hotspot.title, toQt(column.device));
    const QString ratio = toQt(ratioText(column.ratios[row]));
    if (!ratio.isEmpty() && column.device != first) {
        const auto second = hotspot.lines.begin() + (hotspot.lines.empty() ? 0 : 1);
        hotspot.lines.insert(second, {{}, Charts::tr("against %1").arg(toQt(first)), ratio});
    }
    return hotspot;
}

} // namespace

QStringList moreFacts(const RunTimeColumn& column)
{
    if (!column.unavailable.empty()) {
        return {toQt(column.unavailable)};
    }
    QStringList facts{toQt(column.ratioText), toQt(column.table.total.boundText)};
    facts.removeAll(QString());
    return facts;
}

QString RunTimeComparisonFigure::title() const
{
    return Charts::tr("Run time by part");
}

QString RunTimeComparisonFigure::summary() const
{
    if (!emptyText().isEmpty()) {
        return emptyText();
    }
    QStringList devices;
    for (const RunTimeColumn& column : m_comparison.columns) {
        const QStringList facts = QStringList{toQt(column.totalText)} + moreFacts(column);
        devices << toQt(column.device) + QStringLiteral(": ") + facts.join(QStringLiteral(", "));
    }
    return devices.join(QStringLiteral("; "));
}

// An unavailable device, and bounds alone, are shown too.
QString RunTimeComparisonFigure::emptyText() const
{
    const std::vector<RunTimeColumn>& columns = m_comparison.columns;
    const bool hasRows = !columns.empty() && !columns.front().table.rows.empty();
    const bool says = std::any_of(columns.begin(), columns.end(), [](const RunTimeColumn& column) {
        return column.table.peaksKnown || !column.unavailable.empty();
    });
    if (hasRows && says) {
        return {};
    }
    return hasRows || !m_comparison.emptyText.empty() ? toQt(m_comparison.emptyText)
                                                      : Charts::tr("There is nothing to measure.");
}

FigureTable RunTimeComparisonFigure::table() const
{
    FigureTable table;
    for (const RunTimeColumn& column : m_comparison.columns) {
        FigureTable own = RunTimeFigure(column.table).table();
        table.header = QStringList{QStringLiteral("device")} + own.header
            + QStringList{QStringLiteral("ratio_to_first"), QStringLiteral("device_note")};
        for (std::size_t i = 0; i < own.rows.size(); ++i) {
            const double ratio = column.ratios[i];
            table.rows.push_back(QStringList{toQt(column.device)} + own.rows[i]
                                 + QStringList{ratio > 0.0 ? toQt(numberText(ratio)) : QString(),
                                               toQt(column.unavailable)});
        }
    }
    return table;
}

ChartTable RunTimeComparisonFigure::shownTable() const
{
    return deviceTimesTable(m_comparison);
}

PgfPlot RunTimeComparisonFigure::plot() const
{
    PgfPlot plot{.x = {.label = "milliseconds"}};
    for (const RunTimeRow& row : m_comparison.columns.front().table.rows) {
        plot.y.names.push_back((row.isStage ? "  " : "") + row.titleText);
    }
    for (std::size_t i = 0; i < m_comparison.columns.size(); ++i) {
        const RunTimeColumn& column = m_comparison.columns[i];
        PgfSeries series{.kind = PgfSeries::Kind::bars,
                         .name = column.device + ": " + column.totalText,
                         .rgb = colourOfDevice(i)};
        for (std::size_t row = 0; column.hasBars() && row < column.table.rows.size(); ++row) {
            series.points.push_back(
                {1e3 * column.table.rows[row].seconds, static_cast<double>(row)});
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

int RunTimeComparisonFigure::minExportHeight() const
{
    constexpr int kAroundPlot = 120; // title, notes and provenance
    constexpr int kBar = 14;
    constexpr int kLegendLine = 19;
    constexpr int kMax = 1200;
    const std::vector<RunTimeColumn>& columns = m_comparison.columns;
    const auto bars = std::count_if(
        columns.begin(), columns.end(), [](const RunTimeColumn& each) { return each.hasBars(); });
    const auto parts = columns.empty() ? 0 : static_cast<int>(columns.front().table.rows.size());
    const int height = kAroundPlot + static_cast<int>(columns.size()) * kLegendLine
        + parts * (static_cast<int>(bars) * kBar + 6);
    return std::min(height, kMax);
}

Drawing RunTimeComparisonFigure::contentDrawing(const QRectF& area, const ChartStyle& style) const
{
    Drawing drawing;
    const RunTimeComparisonLayout layout = runTimeComparisonLayout(m_comparison, area, style);
    ComparisonPainter(drawing, m_comparison, layout, style).paint();
    return drawing;
}

std::vector<ChartPlace> RunTimeComparisonFigure::contentPlaces(const QRectF& area,
                                                               const ChartStyle& style) const
{
    const RunTimeComparisonLayout layout = runTimeComparisonLayout(m_comparison, area, style);
    std::vector<ChartPlace> places;
    for (const RunTimeComparisonLayout::Bar& place : layout.bars) {
        const RunTimeRow& row = m_comparison.columns[place.column].table.rows[place.row];
        const std::size_t hotspot = layout.devices.size() + places.size(); // devices come first
        places.push_back(rowPlace(place.rect, row.component, row.path, row.elsewhere, hotspot));
    }
    return places;
}

std::vector<Hotspot> RunTimeComparisonFigure::contentHotspots(const QRectF& area,
                                                              const ChartStyle& style) const
{
    const RunTimeComparisonLayout layout = runTimeComparisonLayout(m_comparison, area, style);
    const std::string& first = m_comparison.columns.front().device;
    std::vector<Hotspot> hotspots;
    for (const RunTimeComparisonLayout::Device& place : layout.devices) {
        hotspots.push_back(deviceHotspot(m_comparison.columns[place.column], first));
        hotspots.back().anchor = {place.total.left(), place.rect.center().y()};
        hotspots.back().keepClear = place.rect;
    }
    for (const RunTimeComparisonLayout::Bar& place : layout.bars) {
        hotspots.push_back(barHotspot(m_comparison.columns[place.column], place.row, first));
        hotspots.back().anchor = {place.value.left(), place.rect.center().y()};
        hotspots.back().keepClear = place.rect;
    }
    return hotspots;
}

std::unique_ptr<Figure> figureOfRunTimes(RunTimeComparison comparison)
{
    if (comparison.columns.size() == 1) {
        return std::make_unique<RunTimeFigure>(std::move(comparison.columns.front().table));
    }
    return std::make_unique<RunTimeComparisonFigure>(std::move(comparison));
}

// With one device, designs are compared with it; with several devices there is space for one
// design.
FigureResult runTimeFigure(const FigureRequest& request)
{
    const std::vector<DeviceTimes> alone{
        {.device = request.device, .times = request.times, .roofs = request.machine}};
    RunTimeComparison comparison =
        runTimeComparison(RequestParts(request),
                          request.sideBySide.empty() ? alone : request.sideBySide,
                          request.measuredAs);
    if (comparison.columns.size() == 1) {
        RunTimeColumn& column = comparison.columns.front();
        addGhosts(column.table, column.device, request.others, request.otherTimes);
    }
    return figureOfRunTimes(std::move(comparison));
}

} // namespace flopsmith::ui
