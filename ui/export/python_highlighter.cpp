// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/python_highlighter.h"

namespace flopsmith::ui {

QTextCharFormat pythonFormat(PythonKind kind, const Theme& theme)
{
    QTextCharFormat format;
    switch (kind) {
    case PythonKind::keyword: format.setForeground(theme.accent); break;
    case PythonKind::string: format.setForeground(theme.positive); break;
    case PythonKind::number: format.setForeground(theme.warning); break;
    case PythonKind::comment:
        format.setForeground(theme.mutedText);
        format.setFontItalic(true);
        break;
    case PythonKind::shape: format.setForeground(theme.text); break;
    case PythonKind::definition:
        format.setForeground(theme.text);
        format.setFontWeight(QFont::Bold);
        break;
    }
    return format;
}

PythonHighlighter::PythonHighlighter(const Theme& theme, QTextDocument* document)
    : QSyntaxHighlighter(document)
    , m_theme(theme)
{}

void PythonHighlighter::setTheme(const Theme& theme)
{
    m_theme = theme;
    rehighlight();
}

void PythonHighlighter::highlightBlock(const QString& line)
{
    const int before = previousBlockState(); // -1 before the first line
    auto open = before < 0 ? PythonString::none : static_cast<PythonString>(before);
    for (const PythonToken& token : pythonTokens(line, open)) {
        setFormat(static_cast<int>(token.start),
                  static_cast<int>(token.length),
                  pythonFormat(token.kind, m_theme));
    }
    setCurrentBlockState(static_cast<int>(open));
}

} // namespace flopsmith::ui

#include "moc_python_highlighter.cpp"
