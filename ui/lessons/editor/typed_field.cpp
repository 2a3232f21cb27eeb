// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/editor/typed_field.h"

#include "core/base/printable.h"
#include "ui/theme/utf8.h"

#include <QSignalBlocker>

namespace flopsmith::ui {

TypedLine::TypedLine(const QString& name, const QString& accessibleName, int most, QWidget* parent)
    : QLineEdit(parent)
{
    setObjectName(name);
    setAccessibleName(accessibleName);
    setMaxLength(most);
    connect(this, &QLineEdit::textEdited, this, &TypedLine::changed);
}

// Where the cursor is stays as it is while somebody types.
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
    connect(this, &QPlainTextEdit::textChanged, this, &TypedText::changed);
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
