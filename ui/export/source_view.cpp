// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/source_view.h"

#include "ui/export/python_highlighter.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QScrollBar>
#include <QTextBlock>

namespace flopsmith::ui {

SourceView::SourceView(const QString& name, QWidget* parent)
    : QPlainTextEdit(parent)
{
    setObjectName(name);
    setAccessibleName(tr("The program"));
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setUndoRedoEnabled(false);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    m_highlighter = new PythonHighlighter(systemTheme(), document());
}

void SourceView::showProgram(const QString& program)
{
    const int top = verticalScrollBar()->value();
    setPlainText(program);
    verticalScrollBar()->setValue(top);
}

// The vertical bar counts lines, because lines are not wrapped.
void SourceView::showLine(int line)
{
    setTextCursor(QTextCursor(document()->findBlockByNumber(line)));
    verticalScrollBar()->setValue(line);
    horizontalScrollBar()->setValue(0);
}

void SourceView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_highlighter != nullptr) {
        m_highlighter->setTheme(systemTheme());
    }
}

} // namespace flopsmith::ui

#include "moc_source_view.cpp"
