// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/drawing.h"

#include <QStringList>

#include <string>
#include <vector>

namespace flopsmith::ui {

/// Clauses joined by "; " into lines of at most this width, except for a single clause that is
/// wider.
QStringList packedLines(const QStringList& clauses, const QFont& font, double width);

/// The text wrapped between words into lines of at most this width, except for a single word that
/// is wider.
QStringList wrappedLines(const QString& text, const QFont& font, double width);

/// The text without as many of its last clauses as do not fit in so many lines; its first clause
/// always stays. The last line contains any remaining overflow.
QStringList clauseLines(const QString& text,
                        const QString& between,
                        const QFont& font,
                        double width,
                        int maxLines);

/// As many of the first facts as fit completely in one line, with dots between them; the first
/// alone may be too long.
QString factsLine(const QStringList& facts, const QFont& font, double width);

/// A line of text and its place.
struct PlacedLine
{
    QRectF rect{};
    QString text{};
};

/// How to read the bars of a chart, in lines below them: the whole note if there is space,
/// otherwise without its first lines, which are least important, otherwise only `key`, even if the
/// bars become tight, otherwise nothing.
class BarNotes
{
public:
    static constexpr double kTextSize = 0.85;

    /// Heights that the bars leave.
    struct Space
    {
        double comfortable = 0.0; ///< what the notes may take while bars are easy to read
        double minimum = 0.0; ///< what they may take at most
    };

    /// `note` has a line each.
    BarNotes(const std::string& note,
             const std::string& key,
             double width,
             const Space& space,
             const ChartStyle& style);

    double height() const; ///< 0 without a line

    std::vector<PlacedLine> below(QPointF topLeft) const;

    /// "+ 2 smaller", followed by as much of the key as fits, if it is not shown elsewhere.
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
