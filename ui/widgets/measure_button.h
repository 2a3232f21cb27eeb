// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace flopsmith::ui {

/// Starts measuring and, while it runs, stops it. Both states have the same width, so that the
/// neighbours do not move.
class MeasureButton : public QPushButton
{
    Q_OBJECT

public:
    explicit MeasureButton(QWidget* parent);

    void showRunning(bool running);

    /// In the colours of the theme.
    void updateIcon();

    QSize sizeHint() const override;

private:
    bool m_running = false;
};

} // namespace flopsmith::ui
