// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/python_tokens.h"
#include "ui/theme/theme.h"

#include <QSyntaxHighlighter>
#include <QTextCharFormat>

namespace flopsmith::ui {

/// How text of a kind is shown under a theme: colours that are readable on its panels, names of
/// definitions bold, comments in italics but for the shapes in them.
QTextCharFormat pythonFormat(PythonKind kind, const Theme& theme);

/// Colours the Python of a text document.
class PythonHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT

public:
    PythonHighlighter(const Theme& theme, QTextDocument* document);

    void setTheme(const Theme& theme);

protected:
    void highlightBlock(const QString& line) override;

private:
    Theme m_theme;
};

} // namespace flopsmith::ui
