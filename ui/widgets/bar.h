// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace flopsmith::ui {

/// A strip across the window's top or bottom, with a thin line towards its middle.
class Bar : public QWidget
{
    Q_OBJECT

public:
    enum class Place { top, bottom };

    /// At least so high; higher where the type is large.
    Bar(Place place, int height, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Place m_place;
};

} // namespace flopsmith::ui
