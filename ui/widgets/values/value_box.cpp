// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/values/value_box.h"

#include "ui/widgets/values/value_accessible.h"
#include "ui/widgets/values/value_text.h"

#include <QKeyEvent>
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
    installValueAccessibility();
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

void ValueBox::setZeroText(const QString& text)
{
    if (text != m_zeroText) {
        m_zeroText = text;
        showText();
    }
}

void ValueBox::setMixed(bool mixed)
{
    if (mixed != m_mixed) {
        m_mixed = mixed;
        showText();
    }
}

QString ValueBox::accessibleValue() const
{
    if (m_mixed) {
        return tr("mixed");
    }
    const bool isZero = m_value == FieldValue(std::int64_t{0}) || m_value == FieldValue(0.0);
    return isZero && !m_zeroText.isEmpty() ? m_zeroText : boxText(m_value);
}

QString ValueBox::shownText() const
{
    if (m_mixed) {
        return hasFocus() ? QString() : kMixedText;
    }
    return hasFocus() ? boxText(m_value) : accessibleValue();
}

bool ValueBox::isTyped() const
{
    const QString text = lineEdit()->text();
    if (m_mixed) {
        return !text.isEmpty() && text != kMixedText;
    }
    return text != boxText(m_value) && text != accessibleValue();
}

void ValueBox::showText()
{
    const QString text = shownText();
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
    if (!isTyped()) {
        return;
    }
    const QString text = lineEdit()->text();
    const auto typed = typedValue(text, m_value);
    if (!typed) {
        showText();
        Q_EMIT refused(text);
    } else if (m_legal.contains(*typed)) {
        choose(*typed);
    } else {
        m_value = m_legal.nearest(*typed);
        showText();
        Q_EMIT correctionRequested(*typed);
    }
}

void ValueBox::enter(double number)
{
    lineEdit()->setText(QString::number(number, 'g', 15));
    commit();
}

void ValueBox::choose(const FieldValue& value)
{
    if (m_mixed || value != m_value) {
        m_value = value;
        Q_EMIT edited(m_value);
    }
    showText();
}

// The line edit would consume undo and redo even if it has nothing to undo. Esc reverts the typed
// text before it acts as a shortcut of the window.
bool ValueBox::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool redo = key->matches(QKeySequence::Redo);
        if (redo || (key->matches(QKeySequence::Undo) && !isTyped())) {
            event->ignore();
            return true;
        }
        if (key->key() == Qt::Key_Escape && isTyped()) {
            event->accept();
            return true;
        }
    }
    return QAbstractSpinBox::event(event);
}

void ValueBox::keyPressEvent(QKeyEvent* event)
{
    const bool takesBack = event->matches(QKeySequence::Undo) || event->key() == Qt::Key_Escape;
    if (takesBack && isTyped()) {
        showText(); // discards all typed text
        selectAll();
        return;
    }
    QAbstractSpinBox::keyPressEvent(event);
}

QValidator::State ValueBox::validate(QString& input, int& /*position*/) const
{
    const auto typed = typedValue(input, m_value);
    if (m_mixed && (input.isEmpty() || input == kMixedText)) {
        return QValidator::Acceptable;
    }
    if ((typed && m_legal.contains(*typed)) || input == m_zeroText) {
        return QValidator::Acceptable;
    }
    return QValidator::Intermediate; // commit() refuses other text with a sentence
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
        event->ignore(); // so that the scroll area gets it
        return;
    }
    QAbstractSpinBox::wheelEvent(event);
}

void ValueBox::focusInEvent(QFocusEvent* event)
{
    QAbstractSpinBox::focusInEvent(event);
    const bool replaced = lineEdit()->text() != shownText();
    showText();
    if (replaced || event->reason() == Qt::TabFocusReason
        || event->reason() == Qt::BacktabFocusReason) {
        selectAll();
    }
}

void ValueBox::focusOutEvent(QFocusEvent* event)
{
    QAbstractSpinBox::focusOutEvent(event); // which commits
    showText();
}

} // namespace flopsmith::ui

#include "moc_value_box.cpp"
