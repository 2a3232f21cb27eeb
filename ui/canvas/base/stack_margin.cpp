// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/base/stack_margin.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace flopsmith::ui {

StackMargin::StackMargin(StackSurface& surface)
    : m_surface(surface)
{}

void StackMargin::add(QWidget& widget, std::function<int()> width, int gap)
{
    m_neighbours.push_back({&widget, std::move(width), gap});
}

void StackMargin::place()
{
    std::vector<int> widths;
    for (const Neighbour& neighbour : m_neighbours) {
        widths.push_back(neighbour.width());
        neighbour.widget->setVisible(widths.back() > 0);
    }
    m_surface.setRightMargin(std::accumulate(widths.begin(), widths.end(), 0));
    const QRect beside = m_surface.viewport()->geometry();
    int left = beside.right() + 1;
    for (std::size_t i = 0; i < m_neighbours.size(); ++i) {
        const int gap = m_neighbours[i].gap;
        m_neighbours[i].widget->setGeometry(
            left + gap, beside.top(), std::max(0, widths[i] - gap), beside.height());
        left += widths[i];
    }
}

int StackMargin::widthBefore(const QWidget& widget) const
{
    int width = 0;
    for (const Neighbour& neighbour : m_neighbours) {
        if (neighbour.widget == &widget) {
            break;
        }
        width += neighbour.width();
    }
    return width;
}

} // namespace flopsmith::ui
