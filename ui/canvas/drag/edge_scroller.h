// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

QT_BEGIN_NAMESPACE
class QAbstractScrollArea;
class QPoint;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Scrolls a view up and down while something is dragged at its edges.
class EdgeScroller : public QObject
{
    Q_OBJECT

public:
    explicit EdgeScroller(QAbstractScrollArea& area);

    /// Scrolls for as long as the pointer is at this place of the viewport.
    void follow(const QPoint& place);
    void stop();

private:
    void scroll();

    QAbstractScrollArea& m_area;
    QTimer m_timer;
    int m_step = 0;
};

} // namespace flopsmith::ui
