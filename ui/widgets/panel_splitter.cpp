// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/panel_splitter.h"

namespace flopsmith::ui {

QSplitter* panelSplitter(const QString& name, Qt::Orientation orientation, QWidget* parent)
{
    auto* made = new QSplitter(orientation, parent);
    made->setObjectName(name);
    made->setAccessibleName(QSplitter::tr("Panels"));
    made->setHandleWidth(kPanelGap);
    made->setChildrenCollapsible(false);
    return made;
}

} // namespace flopsmith::ui
