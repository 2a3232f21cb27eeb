// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace flopsmith::ui {

/// A class or function at the top of a Python program.
struct ProgramPart
{
    enum class Kind { classDefinition, function };

    Kind kind = Kind::classDefinition;
    QString name;
    int line = 0; ///< of its first line, from 0 on
    QString text; ///< to its last line, which ends

    bool operator==(const ProgramPart&) const = default;
};

/// All parts in the order of the program. Lines before the first belong to none.
QList<ProgramPart> programParts(const QString& program);

/// The names of the other parts that a part calls, in the order of the program.
QStringList calledParts(const ProgramPart& part, const QList<ProgramPart>& all);

} // namespace flopsmith::ui
