// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/bar_rows.h"

#include "ui/charts/base/axis_ticks.h"

#include <cmath>
#include <numeric>

namespace flopsmith::ui {
namespace {

constexpr double kMaxLabels = 0.36; ///< of the width
constexpr double kMinWidthWithNotes = 130.0; ///< pixels: below it the notes give way
constexpr double kMinBarsWidth = 20.0;
constexpr int kMaxTicks = 7;
constexpr double kAboveGhost = 1.0; ///< above a ghost
constexpr double kBelowGap = 8.0; ///< above the legend, and above the notes

double widestLabel(const std::vector<BarTexts>& texts, const ChartStyle& style)
{
    double widest = 0.0;
    for (const BarTexts& row : texts) {
        widest = std::max(widest, textWidth(style.font(kRowTextSize, row.labelWeight), row.label));
    }
    return widest;
}

bool tickLabelsTouch(const BarRows& bars, const QFont& font)
{
    double end = -1e9;
    for (const Tick& tick : bars.axis.ticks) {
        const double half = textWidth(font, toQt(tick.label)) / 2;
        const double centre = bars.xOf(tick.value);
        if (centre - half < end + 8.0) {
            return true;
        }
        end = centre + half;
    }
    return false;
}

// The most ticks whose labels keep a distance.
void chooseAxis(BarRows& bars, const AxisOfTicks& axis, const ChartStyle& style)
{
    int ticks = kMaxTicks;
    do {
        bars.axis = axis(ticks);
    } while (tickLabelsTouch(bars, style.font(kSmallTextSize)) && --ticks >= 2);
}

} // namespace

BarRows barRows(const std::vector<BarTexts>& texts,
                QPointF topLeft,
                double width,
                double rowHeight,
                const AxisOfTicks& axis,
                const ChartStyle& style)
{
    const QFont bold = style.font(kRowTextSize, QFont::DemiBold);
    const QFont small = style.font(kSmallTextSize);
    const double labels = std::min(widestLabel(texts, style), kMaxLabels * width);
    const double values = widestText(texts, bold, [](const BarTexts& row) { return row.value; });
    double notes = widestText(texts, small, [](const BarTexts& row) { return row.note; });
    notes += notes > 0.0 ? kCellGap : 0.0;
    const double left = topLeft.x() + labels + kCellGap;
    double end = topLeft.x() + width - notes; // of the values
    if (notes > 0.0 && end - values - kCellGap - left < kMinWidthWithNotes) {
        end += notes;
        notes = 0.0;
    }
    const double bottom = topLeft.y() + rowHeight * static_cast<double>(texts.size());
    const double plot = std::max(kMinBarsWidth, end - values - kCellGap - left);
    BarRows bars{.plot = {left, topLeft.y(), plot, bottom - topLeft.y()}};
    bars.ticks = QRectF(left, bottom, plot, style.lineHeight(kSmallTextSize));
    chooseAxis(bars, axis, style);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const double y = topLeft.y() + rowHeight * static_cast<double>(i);
        BarRow row{.texts = texts[i], .rect = {topLeft.x(), y, width, rowHeight}};
        row.label = QRectF(topLeft.x(), y, labels, rowHeight);
        row.value = QRectF(end - values, y, values, rowHeight);
        if (notes > 0.0) {
            row.note = QRectF(end + kCellGap, y, notes - kCellGap, rowHeight);
        }
        bars.rows.push_back(std::move(row));
    }
    return bars;
}

double minBarRow(const ChartStyle& style)
{
    return style.lineHeight(kRowTextSize);
}

std::size_t fittingRows(double height, double rowHeight)
{
    return static_cast<std::size_t>(std::max(1.0, std::floor(height / rowHeight)));
}

std::vector<std::size_t> longestRows(const std::vector<double>& lengths, std::size_t count)
{
    std::vector<std::size_t> rows(lengths.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (count < rows.size()) {
        std::stable_sort(rows.begin(), rows.end(), [&lengths](std::size_t a, std::size_t b) {
            return lengths[a] > lengths[b];
        });
        rows.resize(count);
        std::sort(rows.begin(), rows.end());
    }
    return rows;
}

BarBand barBand(const QRectF& row, double usualThickness, std::size_t ghosts)
{
    const double ghost = std::clamp(0.14 * row.height(), 2.0, 5.0);
    const double step = kAboveGhost + ghost;
    const double below = step * static_cast<double>(ghosts);
    const double thickness = std::clamp(row.height() - 2.0 - below, 4.0, usualThickness);
    const double top = row.center().y() - (thickness + below) / 2;
    return {.top = top,
            .thickness = thickness,
            .ghostTop = top + thickness + kAboveGhost,
            .ghostThickness = ghost,
            .ghostStep = step};
}

void BelowBars::translate(double dx, double dy)
{
    legend.translate(dx, dy);
    for (PlacedLine& line : notes) {
        line.rect.translate(dx, dy);
    }
}

BelowBars belowBars(const std::vector<FlowEntry>& entries,
                    const QString& note,
                    std::size_t rows,
                    QSizeF space,
                    const ChartStyle& style)
{
    constexpr double kAir = 0.25; // of the least height of a row, which a note leaves beside it
    const double bars = static_cast<double>(rows) * minBarRow(style);
    const double spare = space.height() - bars;
    BelowBars below{.legend = flowLegend(entries, space.width(), spare - kBelowGap, style)};
    if (below.legend.height > 0.0) {
        below.legend.translate(0.0, kBelowGap);
        below.height = kBelowGap + below.legend.height;
    }
    const double line = style.lineHeight(kSmallTextSize);
    const QStringList lines =
        packedLines(note.split(QStringLiteral("; ")), style.font(kSmallTextSize), space.width());
    const double notes = kBelowGap + line * static_cast<double>(lines.size());
    if (note.isEmpty() || below.height + notes + kAir * bars > spare) {
        return below;
    }
    double y = below.height + kBelowGap;
    for (const QString& text : lines) {
        below.notes.push_back({QRectF(0.0, y, space.width(), line), text});
        y += line;
    }
    below.height = y;
    return below;
}

BarChartLayout barChartLayout(BarChartTexts texts,
                              const QRectF& area,
                              double maxRowHeight,
                              const AxisOfTicks& axis,
                              const ChartStyle& style)
{
    const double min = minBarRow(style);
    const double height = area.height() - style.lineHeight(kSmallTextSize); // of ticks
    BelowBars below =
        belowBars(texts.legend, texts.note, texts.rows.size(), {area.width(), height}, style);
    const double rowSpace = height - below.height;
    texts.rows.resize(std::min(fittingRows(rowSpace, min), texts.rows.size()));
    const double row = std::clamp(
        rowSpace / static_cast<double>(texts.rows.size()), min, std::max(min, maxRowHeight));
    BarChartLayout layout{barRows(texts.rows, area.topLeft(), area.width(), row, axis, style),
                          std::move(below)};
    layout.below.translate(area.left(), layout.ticks.bottom());
    return layout;
}

void drawTicks(Drawing& drawing, const BarRows& bars, const ChartStyle& style)
{
    drawXTicks(drawing, drawing, {.plot = bars.plot, .gap = 0.0}, bars.axis, style);
}

void drawTexts(Drawing& drawing, const BarRow& row, const ChartStyle& style)
{
    constexpr Qt::Alignment kRight = Qt::AlignRight | Qt::AlignVCenter;
    const Theme& theme = style.theme;
    const QFont label = style.font(kRowTextSize, row.texts.labelWeight);
    const QFont value = style.font(kRowTextSize, QFont::DemiBold);
    drawing.write(row.label, row.texts.label, label, theme.text, kRight);
    drawing.write(row.value, row.texts.value, value, theme.text, kRight);
    if (!row.note.isEmpty()) {
        drawing.write(
            row.note, row.texts.note, style.font(kSmallTextSize), theme.mutedText, kRight);
    }
}

void drawPieces(Drawing& drawing, const BarRow& row, const ChartStyle& style)
{
    constexpr double kMinWidth = 4.0; // of a piece beside a line
    for (const BarPiece& piece : row.pieces) {
        drawing.fill(piece.rect, 0.0, *piece.component, piece.hatch);
    }
    for (std::size_t i = 1; i < row.pieces.size(); ++i) {
        const QRectF& piece = row.pieces[i].rect;
        if (row.pieces[i - 1].rect.width() > kMinWidth && piece.width() > kMinWidth) {
            drawing.line(piece.topLeft(),
                         piece.bottomLeft(),
                         QPen(style.theme.panel, 1.2, Qt::SolidLine, Qt::FlatCap));
        }
    }
    for (const BarPiece& ghost : row.ghosts) {
        drawing.fill(ghost.rect, 0.0, *ghost.component);
    }
}

void drawRows(Drawing& drawing, const BarRows& bars, const ChartStyle& style)
{
    drawTicks(drawing, bars, style);
    for (const BarRow& row : bars.rows) {
        drawPieces(drawing, row, style);
        drawTexts(drawing, row, style);
    }
}

void drawBelow(Drawing& drawing, const BelowBars& below, const ChartStyle& style)
{
    drawFlowLegend(drawing, below.legend, style);
    drawLines(drawing, below.notes, style);
}

void drawOutlineBar(Drawing& drawing, const QRectF& bar, const QColor& colour)
{
    const QRectF inner = bar.adjusted(0.6, 0.6, -0.6, -0.6);
    drawing.outline(inner.isValid() ? inner : bar,
                    std::max(0.0, std::min(1.8, inner.width() / 2)),
                    QPen(colour, 1.2));
}

void drawLines(Drawing& drawing, const std::vector<PlacedLine>& lines, const ChartStyle& style)
{
    for (const PlacedLine& line : lines) {
        drawing.write(line.rect, line.text, style.font(kSmallTextSize), style.theme.mutedText);
    }
}

} // namespace flopsmith::ui
