// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace flopsmith::ui {

/// A bar at the window's top or bottom, with a thin line on its inner side.
class Bar : public QWidget
{
    Q_OBJECT

public:
    enum class Place { top, bottom };

    /// Sets the minimum height, which is larger for a large font.
    Bar(Place place, int height, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Place m_place;
};

} // namespace flopsmith::ui
