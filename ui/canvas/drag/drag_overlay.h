// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <functional>

namespace flopsmith::ui {

/// Covers a viewport while something is dragged over it, lets the mouse through, and paints what is
/// dragged. Its accessible name is what a drop would do; a change of it is announced.
class DragOverlay : public QWidget
{
    Q_OBJECT

public:
    using Paint = std::function<void(QPainter&)>;

    DragOverlay(QWidget& viewport, Paint paint);

    /// Covers the whole viewport, also after it has scrolled or changed its size.
    void cover();

    /// Tells assistive tools what a drop would do now.
    void announce(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget& m_viewport;
    Paint m_paint;
};

} // namespace flopsmith::ui
