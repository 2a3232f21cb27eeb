// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/legal_values.h"

#include <QAbstractSpinBox>

#include <vector>

namespace flopsmith::ui {

/// A spin box for one number: arrow keys and, when it has the focus, the wheel step through the
/// legal values; any legal value can be typed, an illegal one becomes the nearest legal one.
class ValueBox : public QAbstractSpinBox
{
    Q_OBJECT

public:
    explicit ValueBox(QWidget* parent = nullptr);

    const FieldValue& value() const { return m_value; }

    /// What the box may hold and holds, without a signal. `stops` belongs to `legal`.
    void show(const LegalValues& legal,
              const std::vector<FieldValue>& stops,
              const FieldValue& value);

    void stepBy(int steps) override;
    QValidator::State validate(QString& input, int& position) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// The person chose another value.
    void edited(const FieldValue& value);

protected:
    StepEnabled stepEnabled() const override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void commit();
    void choose(const FieldValue& value);
    void showText();

    LegalValues m_legal = LegalValues::integers(0, 0);
    std::vector<FieldValue> m_stops;
    FieldValue m_value = std::int64_t{0};
};

} // namespace flopsmith::ui
