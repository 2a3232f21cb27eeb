// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace flopsmith::ui {

class PythonHighlighter;

/// A program to be read, in a font of fixed width and in the theme's colours.
class SourceView : public QPlainTextEdit
{
    Q_OBJECT

public:
    SourceView(const QString& name, QWidget* parent);

    /// Shows another program, and of it the same lines.
    void showProgram(const QString& program);

    /// Scrolls a line, counted from 0, to the top, or as far up as there is text below.
    void showLine(int line);

protected:
    void changeEvent(QEvent* event) override;

private:
    PythonHighlighter* m_highlighter = nullptr;
};

} // namespace flopsmith::ui
