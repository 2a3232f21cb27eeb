// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/program_parts.h"

#include <QRegularExpression>

#include <optional>

namespace flopsmith::ui {
namespace {

// The part that a line begins, with that line as its text.
std::optional<ProgramPart> partBegunBy(const QString& line, int number)
{
    static const QRegularExpression kBegin(QStringLiteral("^(class|def) (\\w+)"));
    const QRegularExpressionMatch match = kBegin.match(line);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    const bool isClass = match.captured(1) == QLatin1String("class");
    return ProgramPart{isClass ? ProgramPart::Kind::classDefinition : ProgramPart::Kind::function,
                       match.captured(2),
                       number,
                       line + QLatin1Char('\n')};
}

// An unindented line ends the part before it.
bool isAtMargin(const QString& line)
{
    return !line.isEmpty() && !line.front().isSpace();
}

void trimBlankLines(ProgramPart& part)
{
    while (part.text.endsWith(QLatin1String("\n\n"))) {
        part.text.chop(1);
    }
}

} // namespace

QList<ProgramPart> programParts(const QString& program)
{
    QList<ProgramPart> parts;
    bool isInside = false;
    int number = 0;
    for (const QString& line : program.split(QLatin1Char('\n'))) {
        if (const auto begun = partBegunBy(line, number)) {
            parts << *begun;
            isInside = true;
        } else if (isInside && isAtMargin(line) && line.front() != QLatin1Char(')')) {
            isInside = false;
        } else if (isInside) {
            parts.back().text += line + QLatin1Char('\n');
        }
        ++number;
    }
    for (ProgramPart& part : parts) {
        trimBlankLines(part);
    }
    return parts;
}

QStringList calledParts(const ProgramPart& part, const QList<ProgramPart>& all)
{
    QStringList called;
    for (const ProgramPart& other : all) {
        const QRegularExpression call(QStringLiteral("(?<![\\w.])%1\\(").arg(other.name));
        if (other.name != part.name && call.match(part.text).hasMatch()) {
            called << other.name;
        }
    }
    return called;
}

} // namespace flopsmith::ui
