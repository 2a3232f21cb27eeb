// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/figure.h"

#include "ui/theme/reading_order.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

constexpr double kCardPadding = 9.0;
constexpr double kCardGap = 12.0; ///< between anchor and card
constexpr double kCardSwatch = 9.0;

struct CardSize
{
    double labelWidth = 0.0;
    double width = 0.0;
    double height = 0.0;
};

CardSize sizeOf(const Hotspot& hotspot, const ChartStyle& style, double maxWidth)
{
    const QFont plain = style.font(0.92);
    const QFont bold = style.font(0.92, QFont::DemiBold);
    CardSize size;
    double valueWidth = 0.0;
    for (const Hotspot::Line& line : hotspot.lines) {
        const double swatch = line.colour.isValid() ? kCardSwatch + 6.0 : 0.0;
        size.labelWidth = std::max(size.labelWidth, swatch + textWidth(plain, line.label));
        valueWidth = std::max(valueWidth, textWidth(bold, line.value));
    }
    const double table = size.labelWidth + (valueWidth > 0.0 ? 14.0 + valueWidth : 0.0);
    size.width = std::max(textWidth(bold, hotspot.title), table) + 2 * kCardPadding;
    size.width = std::min(size.width, maxWidth);
    size.labelWidth = std::min(size.labelWidth, size.width - 2 * kCardPadding);
    const auto lines =
        static_cast<double>(hotspot.lines.size() + (hotspot.title.isEmpty() ? 0 : 1));
    size.height = lines * style.lineHeight() + 2 * kCardPadding - 4.0;
    return size;
}

// Right of the anchor, left of it, below or above: the first place that is free; never outside.
QRectF placed(const CardSize& size, const Hotspot& hotspot, const QRectF& area)
{
    const QSizeF card(size.width, size.height);
    const QRectF clear = hotspot.keepClear.united({hotspot.anchor, QSizeF(0.1, 0.1)});
    const auto inside = [&](double left, double top) {
        const double right = std::max(area.left(), area.right() - card.width());
        const double bottom = std::max(area.top(), area.bottom() - card.height());
        return QRectF(
            QPointF(std::clamp(left, area.left(), right), std::clamp(top, area.top(), bottom)),
            card);
    };
    const double middle = hotspot.anchor.y() - card.height() / 2;
    const double centred = hotspot.anchor.x() - card.width() / 2;
    const std::array<QRectF, 4> places{
        inside(hotspot.anchor.x() + kCardGap, middle),
        inside(hotspot.anchor.x() - kCardGap - card.width(), middle),
        inside(centred, clear.bottom() + kCardGap / 2),
        inside(centred, clear.top() - kCardGap / 2 - card.height()),
    };
    const auto free = std::find_if(places.begin(), places.end(), [&clear](const QRectF& place) {
        return !place.intersects(clear);
    });
    return free == places.end() ? places.front() : *free;
}

} // namespace

QString Provenance::text() const
{
    const QString ownVersion = version.isEmpty() ? QCoreApplication::applicationVersion() : version;
    const QString program = QStringLiteral("Flopsmith");
    QStringList parts{model, workload, lens.isEmpty() ? lens : Charts::tr("lens %1").arg(lens)};
    parts << device << (ownVersion.isEmpty() ? program : program + QLatin1Char(' ') + ownVersion);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" \u00B7 "));
}

QString Hotspot::accessibleText() const
{
    QStringList parts;
    if (!title.isEmpty()) {
        parts << title;
    }
    for (const Line& line : lines) {
        parts << (line.value.isEmpty() ? line.label : line.label + QLatin1Char(' ') + line.value);
    }
    return parts.join(QStringLiteral(", "));
}

void Figure::paint(QPainter& painter, const QRectF& area, const ChartStyle& style) const
{
    const QString reason = emptyText();
    if (reason.isEmpty()) {
        paintContent(painter, area, style);
    } else {
        paintSentence(painter, area, reason, style);
    }
}

Drawing Figure::drawing(const QRectF& area, const ChartStyle& style) const
{
    return emptyText().isEmpty() ? contentDrawing(area, style) : Drawing();
}

std::vector<Hotspot> Figure::hotspots(const QRectF& area, const ChartStyle& style) const
{
    return emptyText().isEmpty() ? contentHotspots(area, style) : std::vector<Hotspot>();
}

int Figure::hotspotAt(QPointF place, const QRectF& area, const ChartStyle& style) const
{
    return emptyText().isEmpty() ? contentHotspotAt(place, area, style) : -1;
}

TickMeaning Figure::tickMeaning(const AxisTick& /*tick*/) const
{
    return {.axis = title()};
}

std::optional<Label> Figure::tickAt(QPointF place,
                                    const QRectF& area,
                                    const ChartStyle& style) const
{
    const Drawing drawn = drawing(area, style);
    const auto found = std::ranges::find_if(drawn.labels, [place](const Label& label) {
        return label.tick && label.rect.contains(place);
    });
    return found == drawn.labels.end() ? std::nullopt : std::optional(*found);
}

std::vector<ChartPlace> Figure::places(const QRectF& area, const ChartStyle& style) const
{
    return emptyText().isEmpty() ? contentPlaces(area, style) : std::vector<ChartPlace>();
}

std::vector<ChartPlace> Figure::contentPlaces(const QRectF& /*area*/,
                                              const ChartStyle& /*style*/) const
{
    return {};
}

void Figure::paintHighlight(QPainter& painter,
                            int hotspot,
                            const QRectF& area,
                            const ChartStyle& style) const
{
    if (hotspot >= 0 && hotspot < static_cast<int>(hotspots(area, style).size())) {
        highlight(hotspot, area, style).paint(painter, style);
    }
}

int Figure::contentHotspotAt(QPointF place, const QRectF& area, const ChartStyle& style) const
{
    const std::vector<Hotspot> all = contentHotspots(area, style);
    const auto hit = std::find_if(all.begin(), all.end(), [place](const Hotspot& hotspot) {
        return hotspot.keepClear.contains(place);
    });
    return hit == all.end() ? -1 : static_cast<int>(hit - all.begin());
}

Drawing Figure::highlight(int hotspot, const QRectF& area, const ChartStyle& style) const
{
    const QRectF row = contentHotspots(area, style).at(static_cast<std::size_t>(hotspot)).keepClear;
    Drawing drawing;
    drawing.outline(row.adjusted(-4.0, 0.5, 4.0, -0.5), 5.0, QPen(style.theme.accent, 1.0));
    return drawing;
}

void Figure::paintContent(QPainter& painter, const QRectF& area, const ChartStyle& style) const
{
    drawing(area, style).paint(painter, style);
}

void paintSentence(QPainter& painter,
                   const QRectF& area,
                   const QString& sentence,
                   const ChartStyle& style)
{
    painter.setFont(style.font());
    painter.setPen(style.theme.mutedText);
    const double margin = std::min(24.0, area.width() / 10);
    painter.drawText(area.adjusted(margin, 0, -margin, 0),
                     textFlags(Qt::AlignCenter, sentence, Qt::LeftToRight) | Qt::TextWordWrap,
                     sentence);
}

void paintCard(QPainter& painter,
               const QRectF& area,
               const Hotspot& hotspot,
               const ChartStyle& style)
{
    const CardSize size = sizeOf(hotspot, style, area.width());
    const QRectF card = placed(size, hotspot, area);
    const Theme& theme = style.theme;
    Drawing drawing;
    drawing.fill(card, 6.0, theme.dark ? theme.fieldHover : theme.panel);
    drawing.outline(card.adjusted(0.5, 0.5, -0.5, -0.5), 6.0, QPen(theme.groove, 1.0));

    const double step = style.lineHeight();
    QRectF row(card.left() + kCardPadding,
               card.top() + kCardPadding - 2.0,
               card.width() - 2 * kCardPadding,
               step);
    if (!hotspot.title.isEmpty()) {
        drawing.write(row, hotspot.title, style.font(0.92, QFont::DemiBold), theme.text);
        row.translate(0, step);
    }
    for (const Hotspot::Line& line : hotspot.lines) {
        QRectF label = row;
        label.setWidth(line.value.isEmpty() ? row.width() : size.labelWidth);
        if (line.colour.isValid()) {
            const QRectF swatch(
                row.left(), row.center().y() - kCardSwatch / 2, kCardSwatch, kCardSwatch);
            drawing.fill(swatch, 2.0, line.colour);
            label.setLeft(row.left() + kCardSwatch + 6.0);
        }
        drawing.write(label, line.label, style.font(0.92), theme.mutedText);
        QRectF value = row;
        value.setLeft(std::min(row.right(), row.left() + size.labelWidth + 8.0));
        drawing.write(value,
                      line.value,
                      style.font(0.92, QFont::DemiBold),
                      theme.text,
                      Qt::AlignRight | Qt::AlignVCenter);
        row.translate(0, step);
    }
    drawing.paint(painter, style);
}

} // namespace flopsmith::ui
