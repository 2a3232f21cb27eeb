// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/values/stop_slider.h"

#include "ui/widgets/values/value_accessible.h"
#include "ui/widgets/values/value_text.h"

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

} // namespace flopsmith::ui

#include "moc_stop_slider.cpp"
