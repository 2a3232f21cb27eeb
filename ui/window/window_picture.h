// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/window_options.h"

#include <QList>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class MainWindow;

/// The visible windows that belong to this one, in the order in which they were created.
QList<QWidget*> shownDialogs(const QWidget& window);

/// Shows the window, triggers the actions that the options name, one after the other, and saves a
/// picture once all charts are painted. Returns the exit code: 1 with a line on standard error if
/// an action is unknown or cannot run, or the file cannot be written.
int takePicture(MainWindow& window, const WindowOptions& options);

/// Writes one line to standard error, because nobody watches the window of a screenshot. Returns 1.
int complain(const QString& sentence);

} // namespace flopsmith::ui
