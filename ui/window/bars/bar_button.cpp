// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/bar_button.h"

#include <QToolButton>

namespace flopsmith::ui {

QToolButton* barButton(const QString& name, const QString& accessibleName, QWidget& bar)
{
    auto* button = new QToolButton(&bar);
    button->setObjectName(QStringLiteral("bar.") + name);
    button->setAccessibleName(accessibleName);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace flopsmith::ui
