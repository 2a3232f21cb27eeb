// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/questions/tally_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <utility>

namespace flopsmith::ui {
namespace {

Error tallyError(const QString& text, int options)
{
    return {
        QCoreApplication::translate("Tally", "\"%1\" is no tally: type \"A 12 B 30\", of A to %2")
            .arg(text.trimmed(), optionLetter(options))
            .toStdString()};
}

} // namespace

QString optionLetter(int option)
{
    return QString(QChar::fromLatin1(static_cast<char>('A' + option - 1)));
}

Result<Tally> parsedTally(const QString& text, int options)
{
    static const QRegularExpression kVote(
        QStringLiteral("\\G[\\s,;]*(?:([A-Za-z])\\s*[:=]?\\s*)?(\\d{1,6})"));
    Tally tally(static_cast<std::size_t>(options), 0);
    const QString typed = text.trimmed();
    qsizetype read = 0;
    int place = 0;
    while (read < typed.size()) {
        const QRegularExpressionMatch vote = kVote.match(typed, read);
        if (!vote.hasMatch()) {
            return tallyError(text, options);
        }
        const QString letter = vote.captured(1).toUpper();
        place = letter.isEmpty() ? place : letter.at(0).toLatin1() - 'A';
        const int votes = vote.captured(2).toInt();
        if (place >= options || votes > kMaxVotes) {
            return tallyError(text, options);
        }
        tally[static_cast<std::size_t>(place)] = votes;
        ++place;
        read = vote.capturedEnd(0);
    }
    return typed.isEmpty() ? Tally() : tally;
}

QString tallyText(const Tally& tally)
{
    QStringList votes;
    for (std::size_t i = 0; i < tally.size(); ++i) {
        votes << QStringLiteral("%1 %2").arg(optionLetter(static_cast<int>(i) + 1)).arg(tally[i]);
    }
    return votes.join(QStringLiteral("  "));
}

} // namespace flopsmith::ui
