// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/stack/minimap.h"
#include "ui/canvas/base/stack_geometry.h"

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

    /// Picture and geometry live longer than the minimap; update() after they have changed.
    Minimap(const StackPicture& picture, const StackGeometry& geometry, QWidget* parent);

    /// What is in view: the scroll position and the height.
    void setView(int scroll, int height);

    /// A row of the picture is marked if its place in the list is true.
    void setSelected(std::vector<bool> rows);

    /// In the strip.
    MinimapSpan frame() const;

Q_SIGNALS:
    void scrollWanted(int scroll);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    MinimapScale scale() const;
    void paintRowAt(QPainter& painter, std::size_t row, const Theme& theme) const;
    void tellView();

    const StackPicture& m_picture;
    const StackGeometry& m_geometry;
    std::vector<bool> m_selected;
    int m_scroll = 0;
    int m_height = 0;
};

} // namespace flopsmith::ui
