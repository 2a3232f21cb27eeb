// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

namespace flopsmith::ui {

/// A muted line that says what the entries below it are; with a rule above it if others have no
/// heading. (A section of QMenu shows its text only in styles without a style sheet.)
void addHeading(QMenu& menu, const QString& text);

} // namespace flopsmith::ui
