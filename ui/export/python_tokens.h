// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringView>

namespace flopsmith::ui {

/// The kind of a part of a line of Python. Everything else is plain.
enum class PythonKind {
    keyword,
    string, ///< docstrings too, with their quotes
    number,
    comment,
    shape, ///< "[B, S, d]" within a comment
    definition, ///< the name after class or def
};

struct PythonToken
{
    qsizetype start = 0;
    qsizetype length = 0;
    PythonKind kind = PythonKind::keyword;

    bool operator==(const PythonToken&) const = default;
};

/// In which string of three quotes a line begins or ends.
enum class PythonString { none, doubleQuotes, singleQuotes };

/// The tokens of a line, from left to right; a comment is followed by its shapes. `open` is the
/// string in which the line begins, and is set to the one in which it ends.
QList<PythonToken> pythonTokens(QStringView line, PythonString& open);

} // namespace flopsmith::ui
