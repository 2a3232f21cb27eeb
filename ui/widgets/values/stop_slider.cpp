// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/values/stop_slider.h"

#include "ui/widgets/values/value_accessible.h"
#include "ui/widgets/values/value_text.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace flopsmith::ui {

StopSlider::StopSlider(QWidget* parent)
    : QSlider(Qt::Horizontal, parent)
{
    installValueAccessibility();
}

void StopSlider::show(const std::vector<FieldValue>& stops,
                      const FieldValue& value,
                      const QString& accessibleValue)
{
    if (stops != m_stops) {
        m_stops = stops;
    }
    m_value = value;
    m_accessibleValue = accessibleValue;
    setRange(0, static_cast<int>(m_stops.size()) - 1);
    setValue(stopIndex(m_stops, value));
}

void StopSlider::setDrag(Drag drag)
{
    m_drag = drag;
    setProperty("takesEscape", drag == Drag::held);
}

void StopSlider::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_drag == Drag::none) {
        m_pressed = value();
        setDrag(Drag::held);
    }
    QSlider::mousePressEvent(event);
}

void StopSlider::mouseMoveEvent(QMouseEvent* event)
{
    if (m_drag != Drag::cancelled) {
        QSlider::mouseMoveEvent(event);
    }
}

void StopSlider::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        setDrag(Drag::none);
    }
    QSlider::mouseReleaseEvent(event);
}

void StopSlider::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || m_drag == Drag::none) {
        QSlider::keyPressEvent(event);
    } else if (m_drag == Drag::held) {
        setDrag(Drag::cancelled);
        setRepeatAction(SliderNoAction);
        Q_EMIT dragCancelled();
        setValue(m_pressed);
        setSliderDown(false);
    }
}

} // namespace flopsmith::ui

#include "moc_stop_slider.cpp"
