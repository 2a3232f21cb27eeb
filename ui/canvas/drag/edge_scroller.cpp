// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/edge_scroller.h"

#include "core/present/stack/landing.h"

#include <QAbstractScrollArea>
#include <QScrollBar>

namespace flopsmith::ui {
namespace {

constexpr int kScrollMilliseconds = 30;

} // namespace

EdgeScroller::EdgeScroller(QAbstractScrollArea& area)
    : m_area(area)
{
    m_timer.setInterval(kScrollMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &EdgeScroller::scroll);
}

void EdgeScroller::follow(const QPoint& place)
{
    m_step = edgeScroll(place.y(), m_area.viewport()->height());
    if (m_step == 0) {
        m_timer.stop();
    } else if (!m_timer.isActive()) {
        m_timer.start();
    }
}

void EdgeScroller::stop()
{
    m_timer.stop();
}

void EdgeScroller::scroll()
{
    QScrollBar* bar = m_area.verticalScrollBar();
    bar->setValue(bar->value() + m_step);
}

} // namespace flopsmith::ui

#include "moc_edge_scroller.cpp"
