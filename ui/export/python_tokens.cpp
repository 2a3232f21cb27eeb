// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/python_tokens.h"

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

constexpr std::array<const char*, 35> kKeywords{
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

bool isKeyword(QStringView word)
{
    return std::any_of(kKeywords.begin(), kKeywords.end(), [word](const char* keyword) {
        return word == QLatin1String(keyword);
    });
}

bool beginsWord(QChar character)
{
    return character.isLetter() || character == u'_';
}

bool isOfWord(QChar character)
{
    return character.isLetterOrNumber() || character == u'_';
}

// r"…", f'…', rb"…".
bool isStringPrefix(QStringView word)
{
    return word.size() <= 2 && std::all_of(word.begin(), word.end(), [](QChar character) {
               return QStringView(u"rRbBfFuU").contains(character);
           });
}

/// Reads a line from left to right.
class PythonLine
{
public:
    PythonLine(QStringView line, PythonString& open)
        : m_line(line)
        , m_open(open)
    {}

    QList<PythonToken> tokens()
    {
        if (m_open != PythonString::none) {
            readLongString(0);
        }
        while (m_at < m_line.size()) {
            readNext();
        }
        return m_tokens;
    }

private:
    QChar at(qsizetype index) const { return index < m_line.size() ? m_line[index] : QChar(); }
    bool isQuote(qsizetype index) const { return at(index) == u'"' || at(index) == u'\''; }

    void add(qsizetype start, PythonKind kind) { m_tokens.append({start, m_at - start, kind}); }

    void readNext()
    {
        const QChar first = at(m_at);
        if (first == u'#') {
            readComment();
        } else if (isQuote(m_at)) {
            readString(m_at);
        } else if (first.isDigit() || (first == u'.' && at(m_at + 1).isDigit())) {
            readNumber();
        } else if (beginsWord(first)) {
            readWord();
        } else {
            ++m_at;
        }
    }

    void readComment()
    {
        const qsizetype start = m_at;
        m_at = m_line.size();
        add(start, PythonKind::comment);
        for (qsizetype from = m_line.indexOf(u'[', start); from >= 0;) {
            const qsizetype to = m_line.indexOf(u']', from);
            if (to < 0) {
                return;
            }
            m_tokens.append({from, to + 1 - from, PythonKind::shape});
            from = m_line.indexOf(u'[', to);
        }
    }

    // From a quote on; the token begins at `start`, where its prefix does.
    void readString(qsizetype start)
    {
        const QChar quote = at(m_at);
        if (at(m_at + 1) == quote && at(m_at + 2) == quote) {
            m_open = quote == u'"' ? PythonString::doubleQuotes : PythonString::singleQuotes;
            m_at += 3;
            readLongString(start);
            return;
        }
        ++m_at;
        while (m_at < m_line.size() && at(m_at) != quote) {
            m_at += at(m_at) == u'\\' ? 2 : 1;
        }
        m_at = std::min(m_at + 1, m_line.size());
        add(start, PythonKind::string);
    }

    // To the three quotes that end it, or to the end of the line.
    void readLongString(qsizetype start)
    {
        const QChar quote = m_open == PythonString::doubleQuotes ? u'"' : u'\'';
        while (m_at < m_line.size()) {
            if (at(m_at) == quote && at(m_at + 1) == quote && at(m_at + 2) == quote) {
                m_at += 3;
                m_open = PythonString::none;
                break;
            }
            m_at += at(m_at) == u'\\' ? 2 : 1;
        }
        m_at = std::min(m_at, m_line.size());
        if (m_at > start) {
            add(start, PythonKind::string);
        }
    }

    // 10_000, 1e-5, 0x1F, 2.5j.
    void readNumber()
    {
        const qsizetype start = m_at;
        const bool isHexadecimal = at(m_at) == u'0' && at(m_at + 1).toLower() == u'x';
        while (isOfWord(at(m_at)) || at(m_at) == u'.') {
            const bool isExponent = !isHexadecimal && at(m_at).toLower() == u'e';
            const bool isSigned = at(m_at + 1) == u'-' || at(m_at + 1) == u'+';
            m_at += isExponent && isSigned ? 2 : 1;
        }
        add(start, PythonKind::number);
    }

    void readWord()
    {
        const qsizetype start = m_at;
        while (isOfWord(at(m_at))) {
            ++m_at;
        }
        const QStringView word = m_line.mid(start, m_at - start);
        if (isQuote(m_at) && isStringPrefix(word)) {
            readString(start);
        } else if (m_definesNext) {
            add(start, PythonKind::definition);
        } else if (isKeyword(word)) {
            add(start, PythonKind::keyword);
        }
        m_definesNext = word == u"class" || word == u"def";
    }

    QStringView m_line;
    PythonString& m_open;
    qsizetype m_at = 0;
    bool m_definesNext = false; ///< the word before was class or def
    QList<PythonToken> m_tokens;
};

} // namespace

QList<PythonToken> pythonTokens(QStringView line, PythonString& open)
{
    return PythonLine(line, open).tokens();
}

} // namespace flopsmith::ui
