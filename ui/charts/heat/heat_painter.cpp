// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heat/heat_painter.h"

#include "ui/theme/colour_scale.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace flopsmith::ui {
namespace {

constexpr double kStripes = 6.0; ///< between the lines of illegal combinations
constexpr double kMinGapped = 5.0; ///< pixels: smaller cells have no gap between them
constexpr int kBarSteps = 48; ///< of the colour bar
constexpr double kPlaceRing = 6.0; ///< radius, if the design is between the values

// Slanted lines that end at the rectangle's edge.
void addStripes(QPainterPath& path, const QRectF& rect)
{
    const double width = rect.width();
    const double height = rect.height();
    for (double along = kStripes / 2; along < width + height; along += kStripes) {
        const double down = std::min(along, height);
        const double right = std::min(along, width);
        path.moveTo(rect.left() + along - down, rect.top() + down);
        path.lineTo(rect.left() + right, rect.top() + along - right);
    }
}

/// Puts cells, axes and the bar of colours on the paper.
class HeatPainter
{
public:
    HeatPainter(Drawing& drawing,
                const HeatMap& map,
                const HeatLayout& layout,
                const ChartStyle& style)
        : m_drawing(drawing)
        , m_map(map)
        , m_layout(layout)
        , m_style(style)
        , m_theme(style.theme)
    {}

    void paint()
    {
        addCells();
        addPresent();
        addBar();
        addTitles();
        for (const PlacedLine& tick : m_layout.xTicks) {
            write(tick, m_theme.mutedText, Qt::AlignCenter, nameOn(AxisSide::x));
        }
        for (const PlacedLine& tick : m_layout.yTicks) {
            write(tick, m_theme.mutedText, Qt::AlignRight | Qt::AlignVCenter, nameOn(AxisSide::y));
        }
        for (const PlacedLine& line : m_layout.caption) {
            write(line, m_theme.mutedText, Qt::AlignLeft | Qt::AlignVCenter);
        }
    }

private:
    QFont small() const { return m_style.font(kSmallTextSize); }

    // Of a column or row, whose text is its value.
    static AxisTick nameOn(AxisSide side)
    {
        return {.side = side, .value = std::numeric_limits<double>::quiet_NaN()};
    }

    void write(const PlacedLine& line,
               const QColor& ink,
               Qt::Alignment alignment,
               const std::optional<AxisTick>& tick = std::nullopt)
    {
        m_drawing.write(line.rect, line.text, small(), ink, alignment, tick);
    }

    void addCells()
    {
        QPainterPath stripes;
        for (const HeatCell& cell : m_map.cells) {
            const QRectF whole = m_layout.cell(m_map, cell);
            const bool isLarge = std::min(whole.width(), whole.height()) >= kMinGapped;
            const QRectF rect = isLarge ? whole.adjusted(0.5, 0.5, -0.5, -0.5) : whole;
            const QColor fill = heatColour(cell, m_theme);
            m_drawing.fill(rect, 0.0, fill);
            if (!cell.value) {
                addStripes(stripes, rect);
            } else if (m_layout.valuesFit) {
                m_drawing.labels.push_back(
                    {whole, toQt(cell.text), small(), textOn(fill), Qt::AlignCenter});
            }
        }
        if (!stripes.isEmpty()) {
            m_drawing.shapes.push_back({stripes, QPen(m_theme.mutedText, 1.0), Qt::NoBrush});
        }
    }

    void addPresent()
    {
        if (const HeatCell* cell = m_map.present()) {
            addRing(m_drawing, m_layout.cell(m_map, *cell), 2.0, m_theme);
        } else if (const auto place = m_layout.present(m_map)) {
            const QPointF reach(kPlaceRing, kPlaceRing);
            addRing(m_drawing, QRectF(*place - reach, *place + reach), kPlaceRing, m_theme);
        }
    }

    void addBar()
    {
        const QRectF& bar = m_layout.bar;
        const double height = bar.height() / kBarSteps;
        for (int i = 0; i < kBarSteps; ++i) {
            const QRectF step(bar.left(), bar.bottom() - (i + 1) * height, bar.width(), height);
            m_drawing.fill(step, 0.0, scaleColour((i + 0.5) / kBarSteps));
        }
        const double line = m_style.lineHeight(kSmallTextSize);
        for (const Tick& tick : m_layout.colours.ticks) {
            const double y = m_layout.barY(tick.value);
            const QString text = toQt(tick.label);
            m_drawing.line({bar.right(), y}, {bar.right() + 3.0, y}, QPen(m_theme.mutedText, 1.0));
            m_drawing.write({bar.right() + 5.0, y - line / 2, textWidth(small(), text), line},
                            text,
                            small(),
                            m_theme.mutedText,
                            Qt::AlignLeft | Qt::AlignVCenter,
                            AxisTick{AxisSide::right, m_layout.colours.scale, tick.value});
        }
    }

    void addTitles()
    {
        const auto right = Qt::AlignRight | Qt::AlignVCenter;
        m_drawing.write(m_layout.title, toQt(m_map.title), small(), m_theme.text, right);
        m_drawing.write(m_layout.yTitle, toQt(m_map.y.title), small(), m_theme.mutedText);
        m_drawing.write(
            m_layout.xTitle, toQt(m_map.x.title), small(), m_theme.mutedText, Qt::AlignCenter);
    }

    Drawing& m_drawing;
    const HeatMap& m_map;
    const HeatLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

} // namespace

QColor heatColour(const HeatCell& cell, const Theme& theme)
{
    return cell.value ? scaleColour(cell.share) : theme.field;
}

void drawHeat(Drawing& drawing,
              const HeatMap& map,
              const HeatLayout& layout,
              const ChartStyle& style)
{
    HeatPainter(drawing, map, layout, style).paint();
}

void addRing(Drawing& drawing, const QRectF& rect, double radius, const Theme& theme)
{
    drawing.outline(rect, radius, QPen(theme.panel, 4.0));
    drawing.outline(rect, radius, QPen(theme.text, 2.0));
}

} // namespace flopsmith::ui
