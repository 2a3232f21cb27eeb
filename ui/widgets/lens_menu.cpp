// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lens_menu.h"

#include "ui/theme/utf8.h"
#include "ui/widgets/menu_heading.h"

#include <QMenu>

namespace flopsmith::ui {

void fillLensMenu(QMenu& menu, const std::function<void(LensId)>& chosen)
{
    for (const Lens& lens : lenses()) {
        QMenu& group = submenuOf(menu, fromUtf8(lensGroupTitle(lens.group)));
        QAction* action =
            group.addAction(fromUtf8(lens.title), &menu, [chosen, id = lens.id] { chosen(id); });
        action->setToolTip(
            QStringLiteral("%1\n%2").arg(fromUtf8(lens.rule), fromUtf8(lens.source)));
    }
}

} // namespace flopsmith::ui
