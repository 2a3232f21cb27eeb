// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/stack/minimap.h"
#include "ui/canvas/base/stack_surface.h"

#include <QWidget>

#include <vector>

QT_BEGIN_NAMESPACE
class QAction;
QT_END_NAMESPACE

namespace flopsmith::ui {

struct Theme;

/// An overview of a tall stack in a narrow strip: a bar for each part, a frame around what is in
/// view. A click brings its place into the middle of the view, a drag pans.
class Minimap : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kGap = 4; // to its left

    /// It is hidden while `shown` is not checked.
    Minimap(StackSurface& surface, const QAction& shown);

    /// In the margin, with the gap; 0 if it is hidden or the stack is not tall.
    int widthInMargin() const;

    /// Shows what is in view now, of the stack as it is laid out now.
    void follow();

    /// A row of the picture is marked if its place in the list is true.
    void setSelected(std::vector<bool> rows);

    /// In the strip.
    MinimapSpan frame() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    MinimapScale scale() const;
    void paintRowAt(QPainter& painter, std::size_t row, const Theme& theme) const;
    void scrollTo(int scroll);

    StackSurface& m_surface;
    const QAction& m_shown;
    std::vector<bool> m_selected;
};

} // namespace flopsmith::ui
