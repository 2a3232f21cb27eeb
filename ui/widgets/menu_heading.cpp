// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/menu_heading.h"

namespace flopsmith::ui {

void addHeading(QMenu& menu, const QString& text)
{
    const bool first = menu.isEmpty();
    if (!first && menu.actions().front()->isEnabled()) {
        menu.addSeparator();
    }
    QAction* heading = menu.addAction(text);
    heading->setEnabled(false);
    heading->setProperty("heading", true);
}

} // namespace flopsmith::ui
