// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/run_time/run_time_figure.h"

#include "core/base/text.h"
#include "core/present/table/time_tables.h"
#include "ui/charts/base/bar_rows.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

QString stateName(PartState state)
{
    switch (state) {
    case PartState::pending: return QStringLiteral("pending");
    case PartState::queued: return QStringLiteral("queued");
    case PartState::running: return QStringLiteral("running");
    case PartState::settled: return QStringLiteral("settled");
    case PartState::notSettled: return QStringLiteral("not_settled");
    case PartState::failed: return QStringLiteral("failed");
    }
    return {};
}

QString bindingName(Binding binding)
{
    switch (binding) {
    case Binding::unknown: return {};
    case Binding::compute: return QStringLiteral("compute");
    case Binding::memory: return QStringLiteral("memory");
    }
    return {};
}

// Numbers in files: empty if unknown.
QString known(double value)
{
    return value > 0.0 ? toQt(numberText(value)) : QString();
}

/// Draws the rows of a run-time chart.
class RunTimePainter
{
public:
    RunTimePainter(Drawing& drawing,
                   const RunTimeTable& table,
                   const RunTimeLayout& layout,
                   const ChartStyle& style)
        : m_drawing(drawing)
        , m_table(table)
        , m_layout(layout)
        , m_style(style)
        , m_theme(style.theme)
    {}

    void paint()
    {
        addTotal();
        for (const RunTimeLayout::Row& place : m_layout.rows) {
            addRow(place, m_table.rows[place.row]);
        }
        drawFlowLegend(m_drawing, m_layout.legend, m_style);
        drawLines(m_drawing, {m_layout.hiddenText}, m_style);
        drawLines(m_drawing, m_layout.notes, m_style);
    }

private:
    void addTotal()
    {
        const QFont bold = m_style.font(1.0, QFont::DemiBold);
        QRectF rest = m_layout.total;
        const QString headline = toQt(m_table.headline());
        m_drawing.write(rest, headline, bold, m_theme.text);
        rest.setLeft(rest.left() + textWidth(bold, headline) + 10.0);
        const QFont font = m_style.font(0.92);
        const QString facts = factsLine(runTimeFacts(m_table), font, rest.width());
        if (textWidth(font, facts) <= rest.width()) {
            m_drawing.write(rest, facts, font, m_theme.mutedText);
        }
    }

    void addRow(const RunTimeLayout::Row& place, const RunTimeRow& row)
    {
        m_drawing.write(place.label,
                        place.title,
                        m_style.font(0.92),
                        row.isStage ? m_theme.mutedText : m_theme.text,
                        Qt::AlignRight | Qt::AlignVCenter);
        if (!place.measured.isEmpty()) {
            m_drawing.fill(
                place.measured, std::min(2.5, place.measured.width() / 2), *row.component);
        }
        if (!place.bound.isEmpty()) {
            drawOutlineBar(m_drawing, place.bound, lineColour(*row.component, m_theme));
        }
        for (std::size_t i = 0; i < place.ghosts.size(); ++i) {
            if (!place.ghosts[i].isEmpty()) {
                m_drawing.fill(place.ghosts[i], 0.0, *m_table.others[i].mark);
            }
        }
        addSpread(place, row);
        addValue(place, row);
        if (!place.rate.isEmpty()) {
            m_drawing.write(place.rate,
                            toQt(row.rateText),
                            m_style.font(0.85),
                            m_theme.mutedText,
                            Qt::AlignRight | Qt::AlignVCenter);
        }
    }

    // The median absolute deviation as a whisker, where it is long enough to be seen.
    void addSpread(const RunTimeLayout::Row& place, const RunTimeRow& row)
    {
        const double half = row.madSeconds * m_layout.pixelsPerSecond;
        if (place.measured.isEmpty() || half < 1.5) {
            return;
        }
        const double y = place.measured.center().y();
        const double end = place.measured.right();
        const double from = std::max(place.measured.left(), end - half);
        const double to = std::min(end + half, place.value.left() - 2.0);
        m_drawing.line({from, y}, {std::max(from, to), y}, QPen(m_theme.text, 1.2));
    }

    void addValue(const RunTimeLayout::Row& place, const RunTimeRow& row)
    {
        const bool measured = row.seconds > 0.0;
        const bool fresh = measured && row.storedText.empty() && !row.isStage;
        const QColor ink = row.state == PartState::failed ? m_theme.negative
            : row.state == PartState::running             ? m_theme.accent
            : fresh                                       ? m_theme.text
                                                          : m_theme.mutedText;
        m_drawing.write(place.value,
                        toQt(row.timeText),
                        m_style.font(0.92, fresh ? QFont::DemiBold : QFont::Normal),
                        ink);
    }

    Drawing& m_drawing;
    const RunTimeTable& m_table;
    const RunTimeLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

} // namespace

QStringList runTimeFacts(const RunTimeTable& table)
{
    const RunTimeRow& total = table.total;
    const bool isKnown = table.isTotalKnown();
    QStringList facts;
    if (isKnown && !total.rangeText.empty()) {
        facts << toQt(total.rangeText);
    }
    if (!isKnown && total.seconds > 0.0) {
        facts << Charts::tr("%1 so far").arg(toQt(total.timeText));
    }
    facts << toQt(total.boundText) << (isKnown ? toQt(total.rateText) : QString());
    facts.removeAll(QString());
    return facts;
}

Hotspot runTimeHotspot(const RunTimeRow& row, const std::vector<RunTimeDesign>& others)
{
    Hotspot hotspot{.title = toQt(row.titleText)};
    const auto add = [&hotspot](const QString& label, const std::string& value) {
        if (!value.empty()) {
            hotspot.lines.push_back({{}, label, toQt(value)});
        }
    };
    const bool measured = row.seconds > 0.0;
    add(measured ? Charts::tr("measured") : Charts::tr("state"),
        row.timeText + (row.spreadText.empty() ? "" : " " + row.spreadText));
    if (measured && row.uses > 1) {
        add(Charts::tr("one use"), durationText(row.seconds / row.uses));
    }
    add(Charts::tr("repeated"), row.rangeText);
    add(Charts::tr("stored"), row.storedText);
    add(Charts::tr("roofline"), row.boundText);
    add(Charts::tr("achieved"), row.rateText);
    add(Charts::tr("executes"), shortNumber(row.flops).text() + "FLOP");
    add(Charts::tr("moves"), bytesText(row.bytes));
    add(Charts::tr("against reference"), row.errorText);
    for (std::size_t i = 0; i < std::min(row.ghosts.size(), others.size()); ++i) {
        hotspot.lines.push_back(
            {colour(*others[i].mark), toQt(others[i].title), toQt(row.ghosts[i].text)});
    }
    if (!row.sentence.empty()) {
        hotspot.lines.push_back({{}, toQt(row.sentence), {}});
    }
    return hotspot;
}

QString RunTimeFigure::title() const
{
    return Charts::tr("Run time by part");
}

QString RunTimeFigure::summary() const
{
    if (!emptyText().isEmpty()) {
        return emptyText();
    }
    QStringList parts;
    for (const RunTimeRow& row : m_table.rows) {
        parts << toQt((row.isStage ? "of which " : "") + row.titleText + " " + row.timeText);
    }
    QString text =
        toQt(m_table.headline()) + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
    for (const RunTimeDesign& other : m_table.others) {
        text += QStringLiteral("; ") + toQt(other.title + " " + other.totalText);
    }
    return text;
}

QString RunTimeFigure::emptyText() const
{
    if (m_table.rows.empty()) {
        return m_table.emptyText.empty() ? Charts::tr("There is nothing to measure.")
                                         : toQt(m_table.emptyText);
    }
    return m_table.peaksKnown ? QString()
                              : toQt(m_table.emptyText); // bounds alone are worth a look
}

FigureTable RunTimeFigure::table() const
{
    FigureTable table;
    for (const char* name : {"part",
                             "path",
                             "uses",
                             "stage",
                             "state",
                             "seconds",
                             "mad_seconds",
                             "lower_bound_seconds",
                             "bound_by",
                             "flops",
                             "bytes",
                             "flops_per_second",
                             "relative_error",
                             "stored",
                             "note"}) {
        table.header << QLatin1String(name);
    }
    for (const RunTimeDesign& other : m_table.others) {
        table.header << toQt(other.title);
    }
    for (const RunTimeRow& row : m_table.rows) {
        QStringList cells{toQt(row.title),
                          toQt(row.path),
                          QString::number(row.uses),
                          row.isStage ? QStringLiteral("true") : QStringLiteral("false"),
                          stateName(row.state),
                          known(row.seconds),
                          row.seconds > 0.0 ? toQt(numberText(row.madSeconds)) : QString(),
                          known(row.lowerBoundSeconds),
                          bindingName(row.binding),
                          toQt(numberText(row.flops)),
                          toQt(numberText(row.bytes)),
                          known(row.flopsPerSecond),
                          row.relativeError ? toQt(numberText(*row.relativeError)) : QString(),
                          toQt(row.storedText),
                          toQt(row.sentence)};
        for (std::size_t i = 0; i < m_table.others.size(); ++i) {
            cells << (i < row.ghosts.size() ? known(row.ghosts[i].seconds) : QString());
        }
        table.rows.push_back(cells);
    }
    return table;
}

ChartTable RunTimeFigure::shownTable() const
{
    return runTimesTable(m_table);
}

PgfPlot RunTimeFigure::plot() const
{
    PgfPlot plot{.x = {.label = "milliseconds"}};
    PgfSeries measured{.kind = PgfSeries::Kind::bars, .name = "measured"};
    PgfSeries bound{.kind = PgfSeries::Kind::bars, .name = "lower bound", .rgb = 0xC9D1D9};
    for (const RunTimeRow& row : m_table.rows) {
        const auto place = static_cast<double>(plot.y.names.size());
        plot.y.names.push_back((row.isStage ? "  " : "") + row.titleText);
        measured.points.push_back({1e3 * row.seconds, place});
        bound.points.push_back({1e3 * row.lowerBoundSeconds, place});
    }
    plot.series = {measured};
    if (m_table.peaksKnown) {
        plot.series.push_back(bound);
    }
    for (std::size_t i = 0; i < m_table.others.size(); ++i) {
        const RunTimeDesign& other = m_table.others[i];
        PgfSeries ghost{.kind = PgfSeries::Kind::bars, .name = other.title, .rgb = other.mark->rgb};
        for (std::size_t row = 0; row < m_table.rows.size(); ++row) {
            const std::vector<RunTimeGhost>& ghosts = m_table.rows[row].ghosts;
            ghost.points.push_back(
                {i < ghosts.size() ? 1e3 * ghosts[i].seconds : 0.0, static_cast<double>(row)});
        }
        plot.series.push_back(std::move(ghost));
    }
    return plot;
}

std::optional<FigureKind> RunTimeFigure::kindOf(int /*hotspot*/) const
{
    return FigureKind::measuredTime;
}

Drawing RunTimeFigure::contentDrawing(const QRectF& area, const ChartStyle& style) const
{
    Drawing drawing;
    const RunTimeLayout layout = runTimeLayout(m_table, area, style);
    RunTimePainter(drawing, m_table, layout, style).paint();
    return drawing;
}

std::vector<Hotspot> RunTimeFigure::contentHotspots(const QRectF& area,
                                                    const ChartStyle& style) const
{
    const RunTimeLayout layout = runTimeLayout(m_table, area, style);
    std::vector<Hotspot> hotspots;
    for (const RunTimeLayout::Row& place : layout.rows) {
        hotspots.push_back(runTimeHotspot(m_table.rows[place.row], m_table.others));
        hotspots.back().anchor = {place.value.left(), place.rect.center().y()};
        hotspots.back().keepClear = place.rect;
    }
    return hotspots;
}

std::vector<ChartPlace> RunTimeFigure::contentPlaces(const QRectF& area,
                                                     const ChartStyle& style) const
{
    const RunTimeLayout layout = runTimeLayout(m_table, area, style);
    std::vector<ChartPlace> places;
    for (const RunTimeLayout::Row& place : layout.rows) {
        const RunTimeRow& row = m_table.rows[place.row];
        places.push_back(
            rowPlace(place.rect, row.component, row.path, row.elsewhere, places.size()));
    }
    return places;
}

} // namespace flopsmith::ui
