// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/share/legend_painter.h"

#include "ui/charts/share/legend_planner.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

/// Draws the table below the donuts.
class LegendPainter
{
public:
    LegendPainter(Drawing& drawing,
                  std::span<const Donut> donuts,
                  const LegendPlace& place,
                  const ChartStyle& style)
        : m_drawing(drawing)
        , m_donuts(donuts)
        , m_place(place)
        , m_style(style)
    {}

    void paint(std::span<const LegendRow> rows)
    {
        const std::size_t perBlock = std::max<std::size_t>(m_place.rowsPerBlock, 1);
        const std::size_t lines = m_place.rows.size() + (m_place.hidden > 0 ? 1 : 0);
        for (std::size_t i = 0; i < lines; ++i) {
            const std::size_t block = i / perBlock;
            const std::size_t line = i % perBlock;
            QRectF row(m_place.area.left()
                           + static_cast<double>(block) * (m_place.blockWidth + m_place.blockGap),
                       m_place.area.top() + static_cast<double>(line + 1) * m_place.rowHeight,
                       m_place.blockWidth,
                       m_place.rowHeight);
            if (i % perBlock == 0 && !m_place.rows.empty()) {
                addHeader(row.translated(0, -m_place.rowHeight));
            }
            if (i < m_place.rows.size()) {
                addRow(row, rows[m_place.rows[i]], rows);
            } else {
                const QString rest = Charts::tr("+ %1 smaller").arg(m_place.hidden);
                m_drawing.write(row, rest, m_style.font(kLegendTextSize), m_style.theme.mutedText);
            }
        }
    }

private:
    void addHeader(const QRectF& row)
    {
        forEachColumn(row, [this](const LegendColumn& column, const QRectF& cell) {
            m_drawing.write(cell,
                            column.header,
                            m_style.font(0.82),
                            m_style.theme.mutedText,
                            Qt::AlignRight | Qt::AlignVCenter);
        });
    }

    void addRow(const QRectF& row, const LegendRow& content, std::span<const LegendRow> rows)
    {
        const QRectF swatch(
            row.left(), row.center().y() - kLegendSwatch / 2, kLegendSwatch, kLegendSwatch);
        m_drawing.fill(swatch, 2.0, *content.component, hatchUse(*content.component, rows));
        const QRectF name(swatch.right() + 7.0, row.top(), m_place.nameWidth, row.height());
        const QFont font = m_style.font(kLegendTextSize);
        m_drawing.write(
            name, legendName(toQt(content.title), font, name.width()), font, m_style.theme.text);
        forEachColumn(row, [&](const LegendColumn& column, const QRectF& cell) {
            const bool measured = m_donuts[column.donut].origin == Origin::measured;
            m_drawing.write(cell,
                            toQt(content.shares[column.donut]),
                            shareFont(m_donuts[column.donut], m_style),
                            measured ? m_style.theme.text : m_style.theme.mutedText,
                            Qt::AlignRight | Qt::AlignVCenter);
        });
    }

    template <class Visit>
    void forEachColumn(const QRectF& row, Visit visit) const
    {
        double right = row.right();
        for (std::size_t i = m_place.columns.size(); i-- > 0;) {
            const LegendColumn& column = m_place.columns[i];
            visit(column, QRectF(right - column.width, row.top(), column.width, row.height()));
            right -= column.width + m_place.columnGap;
        }
    }

    Drawing& m_drawing;
    std::span<const Donut> m_donuts;
    const LegendPlace& m_place;
    const ChartStyle& m_style;
};

} // namespace

void drawLegend(Drawing& drawing,
                std::span<const Donut> donuts,
                std::span<const LegendRow> rows,
                const LegendPlace& place,
                const ChartStyle& style)
{
    LegendPainter(drawing, donuts, place, style).paint(rows);
}

} // namespace flopsmith::ui
