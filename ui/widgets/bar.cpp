// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/bar.h"

#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace flopsmith::ui {

namespace {

constexpr int kAroundText = 13;

} // namespace

Bar::Bar(Place place, int height, QWidget* parent)
    : QWidget(parent)
    , m_place(place)
{
    setFixedHeight(std::max(height, fontMetrics().height() + kAroundText));
}

void Bar::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.toolBar);
    const int line = m_place == Place::top ? height() - 1 : 0;
    painter.fillRect(0, line, width(), 1, theme.panelBorder);
}

} // namespace flopsmith::ui

#include "moc_bar.cpp"
