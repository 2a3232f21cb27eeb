// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/legal_values.h"

#include <QSlider>

#include <vector>

namespace flopsmith::ui {

/// A slider over the stops of a parameter. Its position is an index; its accessible value is that
/// of the stop.
class StopSlider : public QSlider
{
    Q_OBJECT

public:
    explicit StopSlider(QWidget* parent = nullptr);

    /// `accessibleValue` is the value in the document, which may be between two stops.
    void show(const std::vector<FieldValue>& stops,
              const FieldValue& value,
              const QString& accessibleValue);

    const std::vector<FieldValue>& stops() const { return m_stops; }
    const FieldValue& parameterValue() const { return m_value; }
    const QString& accessibleValue() const { return m_accessibleValue; }

    using QSlider::show;

private:
    std::vector<FieldValue> m_stops{std::int64_t{0}};
    FieldValue m_value = std::int64_t{0};
    QString m_accessibleValue;
};

} // namespace flopsmith::ui
