// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/axis_ticks.h"

namespace flopsmith::ui {
namespace {

constexpr double kBeside = 7.0; ///< pixels between the plot and the texts on its sides

/// A tick's text and how large it is.
struct TickText
{
    TickText(const Tick& tick, const TickPlaces& places, const ChartStyle& style)
        : text(toQt(tick.label))
        , font(style.font(places.textSize))
        , size(textWidth(font, text), style.lineHeight(places.textSize))
    {}

    QString text;
    QFont font;
    QSizeF size;
};

// From the low end, 0, to the high end, 1. The values of a second axis have positions of the first.
double share(const Tick& tick, const TickAxis& axis)
{
    return (tick.position - axis.low) / (axis.high - axis.low);
}

} // namespace

void drawXTicks(Drawing& grid,
                Drawing& texts,
                const TickPlaces& places,
                const TickAxis& axis,
                const ChartStyle& style)
{
    const QRectF& plot = places.plot;
    for (const Tick& tick : axis.ticks) {
        const TickText text(tick, places, style);
        const double x = plot.left() + share(tick, axis) * plot.width();
        grid.line({x, plot.top()}, {x, plot.bottom()}, QPen(style.theme.grid, 1.0));
        texts.write({QPointF(x - text.size.width() / 2, plot.bottom() + places.gap), text.size},
                    text.text,
                    text.font,
                    style.theme.mutedText,
                    Qt::AlignCenter,
                    AxisTick{AxisSide::x, axis.scale, tick.value});
    }
}

void drawYTicks(Drawing& grid,
                Drawing& texts,
                const TickPlaces& places,
                const TickAxis& axis,
                const ChartStyle& style)
{
    const QRectF& plot = places.plot;
    for (const Tick& tick : axis.ticks) {
        const TickText text(tick, places, style);
        const double y = plot.bottom() - share(tick, axis) * plot.height();
        grid.line({plot.left(), y}, {plot.right(), y}, QPen(style.theme.grid, 1.0));
        texts.write({QPointF(plot.left() - kBeside - text.size.width(), y - text.size.height() / 2),
                     text.size},
                    text.text,
                    text.font,
                    style.theme.mutedText,
                    Qt::AlignRight | Qt::AlignVCenter,
                    AxisTick{AxisSide::y, axis.scale, tick.value});
    }
}

void drawRightTicks(Drawing& drawing,
                    const TickPlaces& places,
                    const TickAxis& axis,
                    const QColor& ink,
                    const ChartStyle& style)
{
    constexpr double kLength = 4.0; // pixels
    const QRectF& plot = places.plot;
    for (const Tick& tick : axis.ticks) {
        const TickText text(tick, places, style);
        const double y = plot.bottom() - share(tick, axis) * plot.height();
        drawing.line(
            {plot.right(), y}, {plot.right() + kLength, y}, QPen(style.theme.mutedText, 1.0));
        drawing.write({QPointF(plot.right() + kBeside, y - text.size.height() / 2), text.size},
                      text.text,
                      text.font,
                      ink,
                      Qt::AlignLeft | Qt::AlignVCenter,
                      AxisTick{AxisSide::right, axis.scale, tick.value});
    }
}

} // namespace flopsmith::ui
