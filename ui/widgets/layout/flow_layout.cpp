// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layout/flow_layout.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>

namespace flopsmith::ui {

FlowLayout::FlowLayout(int gap, QWidget* parent)
    : QLayout(parent)
    , m_gap(gap)
{
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout()
{
    qDeleteAll(m_items);
}

void FlowLayout::insertWidget(int place, QWidget* widget)
{
    addChildWidget(widget);
    m_items.insert(place, new QWidgetItem(widget));
    invalidate();
}

void FlowLayout::addItem(QLayoutItem* item)
{
    m_items.append(item);
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    return index >= 0 && index < count() ? m_items.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const
{
    return arranged({0, 0, width, 0}, Placing::measure);
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const QLayoutItem* item : m_items) {
        size = size.expandedTo(item->minimumSize());
    }
    return size;
}

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    arranged(rect, Placing::place);
}

// The height that the lines need.
int FlowLayout::arranged(const QRect& rect, Placing placing) const
{
    int x = rect.left();
    int y = rect.top();
    int lineHeight = 0;
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty()) {
            continue; // hidden
        }
        const QSize size = item->sizeHint();
        if (x > rect.left() && x + size.width() > rect.left() + rect.width()) {
            x = rect.left();
            y += lineHeight + m_gap;
            lineHeight = 0;
        }
        if (placing == Placing::place) {
            const QRect place({x, y}, QSize(std::min(size.width(), rect.width()), size.height()));
            const auto direction =
                parentWidget() != nullptr ? parentWidget()->layoutDirection() : Qt::LeftToRight;
            item->setGeometry(QStyle::visualRect(direction, rect, place));
        }
        x += size.width() + m_gap;
        lineHeight = std::max(lineHeight, size.height());
    }
    return y + lineHeight - rect.top();
}

} // namespace flopsmith::ui
