// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/legal_values.h"

#include <QAbstractSpinBox>
#include <QString>

#include <vector>

namespace flopsmith::ui {

/// A spin box for one number. Arrow keys and, with the focus, the wheel step through the legal
/// values. Any legal value can be typed; an illegal one is replaced by the nearest legal one. Undo
/// applies to text that is not committed yet; otherwise the window gets the key.
class ValueBox : public QAbstractSpinBox
{
    Q_OBJECT

public:
    explicit ValueBox(QWidget* parent = nullptr);

    const FieldValue& value() const { return m_value; }
    const LegalValues& legal() const { return m_legal; }

    /// Sets the number as if it had been typed.
    void enter(double number);

    /// Sets the legal values and the value without a signal. `stops` are those of `legal`.
    void show(const LegalValues& legal,
              const std::vector<FieldValue>& stops,
              const FieldValue& value);

    /// The text shown for a 0 with a special meaning ("auto", "off"); empty: 0. With the focus in
    /// the box, the 0 itself is edited.
    void setZeroText(const QString& text);

    /// Whether the runs have different values: then none is shown, and any typed one counts as a
    /// change.
    void setMixed(bool mixed);

    /// Whether it contains text that is not committed yet, which Esc takes back.
    bool isTyped() const;

    /// The value for screen readers.
    QString accessibleValue() const;

    void stepBy(int steps) override;
    QValidator::State validate(QString& input, int& position) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// The user chose another value.
    void edited(const FieldValue& value);

    /// An illegal value was typed: the receiver decides which value is set, and shows it.
    void correctionRequested(const FieldValue& typed);

    /// The typed text is not a number.
    void refused(const QString& typed);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    StepEnabled stepEnabled() const override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QString shownText() const;
    void commit();
    void choose(const FieldValue& value);
    void showText();

    LegalValues m_legal = LegalValues::integers(0, 0);
    std::vector<FieldValue> m_stops;
    FieldValue m_value = std::int64_t{0};
    QString m_zeroText;
    bool m_mixed = false;
};

/// Shown instead of values that differ.
inline const QString kMixedText = QStringLiteral("\u2014");

} // namespace flopsmith::ui
