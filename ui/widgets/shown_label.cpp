// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/shown_label.h"

#include <QLabel>

namespace flopsmith::ui {

void showIfAny(QLabel& label, const QString& text)
{
    label.setText(text);
    label.setAccessibleName(text);
    label.setVisible(!text.isEmpty());
}

} // namespace flopsmith::ui
