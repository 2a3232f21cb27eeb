// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/window_options.h"

QT_BEGIN_NAMESPACE
class QApplication;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Opens the window and runs the application until it is closed or the requested screenshot is
/// saved. Returns the exit code: 0, or 1 if the file or the screenshot failed (with one line on
/// standard error if there is no window to show it).
int runWindow(QApplication& application, const WindowOptions& options);

} // namespace flopsmith::ui
