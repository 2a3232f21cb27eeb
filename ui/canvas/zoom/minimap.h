// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/stack/minimap.h"
#include "ui/canvas/base/stack_surface.h"

#include <QWidget>

#include <vector>

namespace flopsmith::ui {

struct Theme;

/// An overview of a tall stack in a narrow strip: a bar for each part, a frame around what is in
/// view. A click brings its place into the middle of the view, a drag pans.
class Minimap : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kWidth = 16;

    explicit Minimap(StackSurface& surface);

    /// Whether the stack is so tall that it does not fit into the view.
    bool isNeeded() const;

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
    std::vector<bool> m_selected;
};

} // namespace flopsmith::ui
