// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panels/panel_area.h"

#include <QCoreApplication>
#include <QScrollArea>

namespace flopsmith::ui {

void showInArea(QScrollArea& area, const QString& name, QWidget& panels)
{
    const QString accessibleName = QCoreApplication::translate("PanelArea", "Panels");
    area.setObjectName(name);
    area.setAccessibleName(accessibleName);
    area.setFrameShape(QFrame::NoFrame);
    area.setFocusPolicy(Qt::NoFocus);
    area.setWidgetResizable(true);
    area.setWidget(&panels);
    area.viewport()->setObjectName(name + QStringLiteral(".viewport"));
    area.viewport()->setAccessibleName(accessibleName);
    area.viewport()->setAutoFillBackground(false);
    panels.setAutoFillBackground(false); // transparent over the window's background
}

} // namespace flopsmith::ui
