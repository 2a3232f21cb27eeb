// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/editor/typed_field.h"

#include "core/base/printable.h"
#include "ui/theme/utf8.h"

#include <QKeyEvent>
#include <QSignalBlocker>

namespace flopsmith::ui {
namespace {

// Keys that the window's actions must get.
bool isUndoKey(const QEvent& event)
{
    if (event.type() != QEvent::ShortcutOverride) {
        return false;
    }
    const auto& key = static_cast<const QKeyEvent&>(event);
    return key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo);
}

} // namespace

TypedLine::TypedLine(const QString& name,
                     const QString& accessibleName,
                     int maxLength,
                     QWidget* parent)
    : QLineEdit(parent)
{
    setObjectName(name);
    setAccessibleName(accessibleName);
    setMaxLength(maxLength);
    connect(this, &QLineEdit::textEdited, this, &TypedLine::changed);
}

bool TypedLine::event(QEvent* event)
{
    if (isUndoKey(*event)) {
        event->ignore();
        return true;
    }
    return QLineEdit::event(event);
}

// Keeps the cursor's position while a person types.
void TypedLine::show(const std::string& text)
{
    const QString shown = fromUtf8(text);
    if (shown != this->text() && text != typed()) {
        setText(shown);
    }
}

std::string TypedLine::typed() const
{
    return printable(text().toStdString());
}

TypedText::TypedText(const QString& name, const QString& accessibleName, QWidget* parent)
    : QPlainTextEdit(parent)
{
    setObjectName(name);
    setAccessibleName(accessibleName);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    connect(this, &QPlainTextEdit::textChanged, this, &TypedText::changed);
}

bool TypedText::event(QEvent* event)
{
    if (isUndoKey(*event)) {
        event->ignore();
        return true;
    }
    return QPlainTextEdit::event(event);
}

void TypedText::show(const std::string& text)
{
    if (text != typed()) {
        const QSignalBlocker blocker(this);
        setPlainText(fromUtf8(text));
    }
}

std::string TypedText::typed() const
{
    return printableLines(toPlainText().toStdString());
}

// Three lines; more scroll.
QSize TypedText::sizeHint() const
{
    constexpr int kLines = 3;
    const int frame = 2 * (frameWidth() + qRound(document()->documentMargin()));
    return {QPlainTextEdit::sizeHint().width(), kLines * fontMetrics().lineSpacing() + frame};
}

} // namespace flopsmith::ui

#include "moc_typed_field.cpp"
