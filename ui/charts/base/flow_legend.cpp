// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/flow_legend.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr double kValueGap = 7.0;
constexpr double kFlowColumnGap = 20.0;
constexpr double kTextSize = 0.88;

/// Finds the number of columns, and the entries to leave out.
class FlowPlanner
{
public:
    FlowPlanner(std::vector<FlowEntry> entries, double width, const ChartStyle& style)
        : m_entries(std::move(entries))
        , m_width(width)
        , m_style(style)
    {}

    FlowLegend plan(double maxHeight)
    {
        chooseColumns();
        if (height() > maxHeight) {
            for (FlowEntry& entry : m_entries) {
                entry.value.clear();
            }
            chooseColumns();
        }
        std::size_t left = 0;
        while (height() > maxHeight && !m_entries.empty()) {
            removeLightest();
            ++left;
            m_rest = Charts::tr("+ %1 smaller").arg(left);
            chooseColumns();
        }
        return maxHeight < line() ? FlowLegend{} : placed();
    }

private:
    double line() const { return m_style.lineHeight(kTextSize) + 2.0; }
    std::size_t cells() const { return m_entries.size() + (m_rest.isEmpty() ? 0 : 1); }

    double height() const
    {
        const std::size_t columns = std::max<std::size_t>(1, m_columns.size());
        return static_cast<double>((cells() + columns - 1) / columns) * line();
    }

    double widthOf(std::size_t cell) const
    {
        if (cell >= m_entries.size()) {
            return textWidth(m_style.font(kTextSize), m_rest);
        }
        const FlowEntry& entry = m_entries[cell];
        const double value = entry.value.isEmpty()
            ? 0.0
            : kValueGap + textWidth(m_style.font(kTextSize), entry.value);
        return kFlowSwatch + kFlowSwatchGap + textWidth(m_style.font(kTextSize), entry.title)
            + value;
    }

    // The most columns that fit side by side; never more than leave no line half empty.
    void chooseColumns()
    {
        for (std::size_t count = std::max<std::size_t>(1, cells()); count >= 1; --count) {
            m_columns.assign(count, 0.0);
            for (std::size_t cell = 0; cell < cells(); ++cell) {
                double& column = m_columns[cell % count];
                column = std::max(column, widthOf(cell));
            }
            double used = kFlowColumnGap * static_cast<double>(count - 1);
            for (const double column : m_columns) {
                used += column;
            }
            if (used <= m_width || count == 1) {
                break;
            }
        }
        const std::size_t lines = (cells() + m_columns.size() - 1) / m_columns.size();
        const std::size_t even = lines == 0 ? 1 : (cells() + lines - 1) / lines;
        if (even < m_columns.size()) {
            m_columns.assign(even, 0.0);
            for (std::size_t cell = 0; cell < cells(); ++cell) {
                m_columns[cell % even] = std::max(m_columns[cell % even], widthOf(cell));
            }
        }
    }

    void removeLightest()
    {
        m_entries.erase(std::min_element(
            m_entries.begin(), m_entries.end(), [](const FlowEntry& a, const FlowEntry& b) {
                return a.weight < b.weight;
            }));
    }

    QRectF rectOf(std::size_t cell) const
    {
        double x = 0.0;
        for (std::size_t column = 0; column < cell % m_columns.size(); ++column) {
            x += m_columns[column] + kFlowColumnGap;
        }
        const double y = static_cast<double>(cell / m_columns.size()) * line();
        return {x, y, std::min(m_columns[cell % m_columns.size()], m_width), line()};
    }

    FlowLegend placed() const
    {
        FlowLegend legend{.rest = m_rest, .height = height()};
        for (std::size_t cell = 0; cell < m_entries.size(); ++cell) {
            legend.places.push_back({m_entries[cell], rectOf(cell)});
        }
        if (!m_rest.isEmpty()) {
            legend.restRect = rectOf(m_entries.size());
        }
        return legend;
    }

    std::vector<FlowEntry> m_entries;
    double m_width;
    const ChartStyle& m_style;
    QString m_rest;
    std::vector<double> m_columns;
};

} // namespace

void FlowLegend::translate(double dx, double dy)
{
    for (Place& place : places) {
        place.rect.translate(dx, dy);
    }
    restRect.translate(dx, dy);
}

FlowLegend flowLegend(std::span<const FlowEntry> entries,
                      double width,
                      double maxHeight,
                      const ChartStyle& style)
{
    FlowPlanner planner({entries.begin(), entries.end()}, width, style);
    FlowLegend legend = planner.plan(maxHeight);
    for (FlowLegend::Place& place : legend.places) {
        place.hatch = hatchUse(*place.entry.component, entries);
    }
    return legend;
}

void drawFlowLegend(Drawing& drawing, const FlowLegend& legend, const ChartStyle& style)
{
    const QFont font = style.font(kTextSize);
    for (const FlowLegend::Place& place : legend.places) {
        const QRectF swatch(
            place.rect.left(), place.rect.center().y() - kFlowSwatch / 2, kFlowSwatch, kFlowSwatch);
        drawing.fill(swatch, 2.0, *place.entry.component, place.hatch);
        QRectF rest = place.rect.adjusted(kFlowSwatch + kFlowSwatchGap, 0, 0, 0);
        drawing.write(rest, place.entry.title, font, style.theme.text);
        rest.setLeft(rest.left() + textWidth(font, place.entry.title) + kValueGap);
        if (rest.width() > 0.0) {
            drawing.write(rest, place.entry.value, font, style.theme.mutedText);
        }
    }
    drawing.write(legend.restRect, legend.rest, font, style.theme.mutedText);
}

} // namespace flopsmith::ui
