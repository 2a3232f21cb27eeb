// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/opaque.h"

#include <QEvent>
#include <QWidget>

#include <cmath>

namespace flopsmith::ui {
namespace {

class OpaquePainting : public QObject
{
public:
    explicit OpaquePainting(QWidget& widget)
        : QObject(&widget)
        , m_widget(widget)
    {
        widget.installEventFilter(this);
        follow();
    }

    bool eventFilter(QObject* /*widget*/, QEvent* event) override
    {
        if (event->type() == QEvent::Show || event->type() == QEvent::Resize
            || event->type() == QEvent::ScreenChangeInternal) {
            follow();
        }
        return false;
    }

private:
    void follow()
    {
        const double scale = m_widget.devicePixelRatioF();
        m_widget.setAttribute(Qt::WA_OpaquePaintEvent, scale == std::floor(scale));
    }

    QWidget& m_widget;
};

} // namespace

void paintOpaque(QWidget& widget)
{
    new OpaquePainting(widget); // owned by the widget
}

} // namespace flopsmith::ui
