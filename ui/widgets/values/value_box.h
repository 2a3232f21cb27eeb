// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/legal_values.h"

#include <QAbstractSpinBox>
#include <QString>

#include <vector>

namespace flopsmith::ui {

/// A spin box for one number: arrow keys and, when it has the focus, the wheel step through the
/// legal values; any legal value can be typed, an illegal one becomes the nearest legal one. Undo
/// concerns what is typed and not yet taken; else the key goes on to the window.
class ValueBox : public QAbstractSpinBox
{
    Q_OBJECT

public:
    explicit ValueBox(QWidget* parent = nullptr);

    const FieldValue& value() const { return m_value; }
    const LegalValues& legal() const { return m_legal; }

    /// As if the number had been typed.
    void enter(double number);

    /// What the box may hold and holds, without a signal. `stops` belongs to `legal`.
    void show(const LegalValues& legal,
              const std::vector<FieldValue>& stops,
              const FieldValue& value);

    /// What stands in place of a 0 that is no number like others ("auto", "off"); empty: 0. With
    /// the focus in the box it is the 0 that is edited.
    void setZeroText(const QString& text);

    /// The value as a screen reader says it.
    QString accessibleValue() const;

    void stepBy(int steps) override;
    QValidator::State validate(QString& input, int& position) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// The person chose another value.
    void edited(const FieldValue& value);

    /// An illegal value was typed: whoever hears it decides what is taken, and shows it.
    void correctionWanted(const FieldValue& typed);

    /// What was typed is no number.
    void refused(const QString& typed);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    StepEnabled stepEnabled() const override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    bool isTyped() const;
    QString shownText() const;
    void commit();
    void choose(const FieldValue& value);
    void showText();

    LegalValues m_legal = LegalValues::integers(0, 0);
    std::vector<FieldValue> m_stops;
    FieldValue m_value = std::int64_t{0};
    QString m_zeroText;
};

} // namespace flopsmith::ui
