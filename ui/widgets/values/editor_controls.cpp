// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/values/editor_controls.h"

#include <QEvent>
#include <QWidget>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kControlHeight = 25;

class WheelGuard : public QObject
{
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        const auto* widget = qobject_cast<QWidget*>(watched);
        if (event->type() == QEvent::Wheel && widget != nullptr && !widget->hasFocus()) {
            event->ignore();
            return true;
        }
        return QObject::eventFilter(watched, event);
    }
};

} // namespace

void guardAgainstWheel(QWidget& control)
{
    control.installEventFilter(new WheelGuard(&control));
}

int controlHeight(const QWidget& control)
{
    return std::max(kControlHeight, control.fontMetrics().height() + 8);
}

QString groupOf(const Parameter& parameter)
{
    return QString::fromStdString(parameter.group);
}

} // namespace flopsmith::ui
