// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/text_lines.h"

namespace flopsmith::ui {
namespace {

constexpr double kNotesGap = 8.0; ///< between bars and notes

// Pieces joined as long as a line is wide enough.
QStringList joined(const QStringList& pieces,
                   const QString& between,
                   const QFont& font,
                   double width)
{
    QStringList lines;
    for (const QString& piece : pieces) {
        const QString longer = lines.isEmpty() ? QString() : lines.back() + between + piece;
        if (!lines.isEmpty() && textWidth(font, longer) <= width) {
            lines.back() = longer;
        } else {
            lines << piece;
        }
    }
    return lines;
}

// If the last line has a single word, it takes the word before it along, unless that was alone.
QStringList withoutLoneWord(QStringList lines, const QFont& font, double width)
{
    if (lines.size() < 2 || lines.back().contains(QLatin1Char(' '))) {
        return lines;
    }
    QString& before = lines[lines.size() - 2];
    const qsizetype last = before.lastIndexOf(QLatin1Char(' '));
    const QString pair = before.mid(last + 1) + QLatin1Char(' ') + lines.back();
    if (before.count(QLatin1Char(' ')) > 1 && textWidth(font, pair) <= width) {
        before.truncate(last);
        lines.back() = pair;
    }
    return lines;
}

} // namespace

QStringList packedLines(const QStringList& clauses, const QFont& font, double width)
{
    return joined(clauses, QStringLiteral("; "), font, width);
}

QStringList wrappedLines(const QString& text, const QFont& font, double width)
{
    QStringList lines;
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        lines += withoutLoneWord(
            joined(line.split(QLatin1Char(' ')), QStringLiteral(" "), font, width), font, width);
    }
    return lines;
}

QStringList clauseLines(const QString& text,
                        const QString& between,
                        const QFont& font,
                        double width,
                        int maxLines)
{
    QStringList clauses = text.split(between);
    QStringList lines = wrappedLines(text, font, width);
    while (lines.size() > maxLines && clauses.size() > 1) {
        clauses.removeLast();
        lines = wrappedLines(clauses.join(between), font, width);
    }
    while (lines.size() > maxLines) {
        const QString rest = lines.takeLast();
        lines.back() += QLatin1Char(' ') + rest;
    }
    return lines;
}

QString factsLine(const QStringList& facts, const QFont& font, double width)
{
    const QString between = QStringLiteral(" \u00B7 ");
    return clauseLines(facts.join(between), between, font, width, 1).value(0);
}

BarNotes::BarNotes(const std::string& note,
                   const std::string& key,
                   double width,
                   const Space& space,
                   const ChartStyle& style)
    : m_key(toQt(key))
    , m_width(width)
    , m_style(style)
{
    const QStringList paragraphs = toQt(note).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QStringList shorter;
    for (qsizetype first = 0; first < paragraphs.size(); ++first) {
        shorter << paragraphs.mid(first).join(QLatin1Char('\n'));
    }
    for (const QString& text : shorter << m_key) {
        m_lines = wrappedLines(text, font(), m_width);
        if (height() <= space.comfortable) {
            return;
        }
    }
    if (height() > space.minimum) { // the key's
        m_lines.clear();
    }
}

double BarNotes::height() const
{
    return m_lines.isEmpty() ? 0.0 : kNotesGap + line() * static_cast<double>(m_lines.size());
}

std::vector<PlacedLine> BarNotes::below(QPointF topLeft) const
{
    std::vector<PlacedLine> placed;
    double y = topLeft.y() + kNotesGap;
    for (const QString& text : m_lines) {
        placed.push_back({QRectF(topLeft.x(), y, m_width, line()), text});
        y += line();
    }
    return placed;
}

QString BarNotes::hiddenText(std::size_t hidden) const
{
    const QString count = Charts::tr("+ %1 smaller").arg(hidden);
    if (!m_lines.isEmpty() || m_key.isEmpty()) {
        return count;
    }
    const QString between = QStringLiteral("; ");
    return clauseLines(count + between + m_key, between, font(), m_width, 1).value(0);
}

} // namespace flopsmith::ui
