// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/type_scale.h"

#include <QFontInfo>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {

double typeScale(const QWidget& widget)
{
    constexpr double kUsualType = 13.0; // pixels
    return std::max(1.0, QFontInfo(widget.font()).pixelSize() / kUsualType);
}

int scaledToType(int pixels, const QWidget& widget)
{
    return static_cast<int>(std::lround(pixels * typeScale(widget)));
}

void setTypeBelow(QWidget& root, const QFont& type)
{
    for (QWidget* widget : root.findChildren<QWidget*>()) {
        if (!widget->property("ownType").toBool()) {
            QFont own = type;
            own.setWeight(widget->font().weight());
            widget->setFont(own);
        }
    }
    root.setFont(type); // last, because it may set the type of widgets below
}

} // namespace flopsmith::ui
