// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

namespace flopsmith::ui {

inline constexpr int kPanelGap = 10; ///< between panels, and to the window's edge

/// A splitter of panels, horizontal or vertical, whose sizes are saved for the next start.
QSplitter* panelSplitter(const QString& name, Qt::Orientation orientation, QWidget* parent);

} // namespace flopsmith::ui
