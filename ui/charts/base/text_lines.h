// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/drawing.h"

#include <QStringList>

#include <string>
#include <vector>

namespace flopsmith::ui {

/// Clauses joined by "; " into lines that are not wider, but for a clause that is too wide alone.
QStringList packedLines(const QStringList& clauses, const QFont& font, double width);

/// Each line of the text cut between words into lines that are not wider, but for a word that is
/// too wide alone.
QStringList wrappedLines(const QString& text, const QFont& font, double width);

/// The text without as many of its last clauses as do not fit in so many lines; its first clause
/// always stays. What is left in lines, of which the last holds what is too long even so.
QStringList clauseLines(const QString& text,
                        const QString& between,
                        const QFont& font,
                        double width,
                        int maxLines);

/// As many of the facts as one line holds in full, the first ones, with dots between them; the
/// first alone may be too long.
QString factsLine(const QStringList& facts, const QFont& font, double width);

/// A line of text and its place.
struct PlacedLine
{
    QRectF rect{};
    QString text{};
};

/// How the bars of a chart are to be read, in lines below them: the whole note where there is space,
/// else without its first lines, which say least, else `key` alone, even where the bars then have
/// no air, else nothing.
class BarNotes
{
public:
    static constexpr double kTextSize = 0.85;

    /// Heights that the bars leave.
    struct Space
    {
        double comfortable = 0.0; ///< what they need to be read with ease
        double minimum = 0.0; ///< the least that they need
    };

    /// `note` has a line each.
    BarNotes(const std::string& note,
             const std::string& key,
             double width,
             const Space& space,
             const ChartStyle& style);

    double height() const; ///< 0 without a line

    std::vector<PlacedLine> below(QPointF topLeft) const;

    /// "+ 2 smaller", and behind it as much of the key as fits, if it is said nowhere else.
    QString hiddenText(std::size_t hidden) const;

private:
    QFont font() const { return m_style.font(kTextSize); }
    double line() const { return m_style.lineHeight(kTextSize); }

    QString m_key;
    double m_width;
    const ChartStyle& m_style;
    QStringList m_lines;
};

} // namespace flopsmith::ui
