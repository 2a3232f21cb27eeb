// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/value_box.h"

#include "ui/inspector/value_text.h"

#include <QLineEdit>
#include <QWheelEvent>

namespace flopsmith::ui {

ValueBox::ValueBox(QWidget* parent)
    : QAbstractSpinBox(parent)
{
    setButtonSymbols(QAbstractSpinBox::NoButtons);
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);
    setKeyboardTracking(false);
    connect(this, &QAbstractSpinBox::editingFinished, this, &ValueBox::commit);
}

void ValueBox::show(const LegalValues& legal,
                    const std::vector<FieldValue>& stops,
                    const FieldValue& value)
{
    m_legal = legal;
    m_stops = stops;
    if (value != m_value || lineEdit()->text().isEmpty()) {
        m_value = value;
        showText();
    }
}

void ValueBox::showText()
{
    const QString text = boxText(m_value);
    if (lineEdit()->text() != text) {
        lineEdit()->setText(text);
    }
}

void ValueBox::stepBy(int steps)
{
    commit();
    choose(stepped(m_legal, m_stops, m_value, steps));
    selectAll();
}

void ValueBox::commit()
{
    const auto typed = typedValue(lineEdit()->text(), m_value);
    choose(typed ? m_legal.nearest(*typed) : m_value);
}

void ValueBox::choose(const FieldValue& value)
{
    if (value != m_value) {
        m_value = value;
        Q_EMIT edited(m_value);
    }
    showText();
}

QValidator::State ValueBox::validate(QString& input, int& /*position*/) const
{
    const auto typed = typedValue(input, m_value);
    if (typed && m_legal.contains(*typed)) {
        return QValidator::Acceptable;
    }
    for (const QChar character : input) {
        const bool part = character.isDigit() || QStringLiteral("-+.,e ").contains(character);
        if (!part) {
            return QValidator::Invalid;
        }
    }
    return QValidator::Intermediate;
}

QSize ValueBox::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("0000000")) + 16,
            fontMetrics().height() + 8};
}

QAbstractSpinBox::StepEnabled ValueBox::stepEnabled() const
{
    StepEnabled possible = StepNone;
    if (stepped(m_legal, m_stops, m_value, 1) != m_value) {
        possible |= StepUpEnabled;
    }
    if (stepped(m_legal, m_stops, m_value, -1) != m_value) {
        possible |= StepDownEnabled;
    }
    return possible;
}

void ValueBox::wheelEvent(QWheelEvent* event)
{
    if (!hasFocus()) {
        event->ignore(); // the list below scrolls
        return;
    }
    QAbstractSpinBox::wheelEvent(event);
}

void ValueBox::focusInEvent(QFocusEvent* event)
{
    QAbstractSpinBox::focusInEvent(event);
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason) {
        selectAll();
    }
}

} // namespace flopsmith::ui
