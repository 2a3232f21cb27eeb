// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table/figure_texts.h"

#include "core/io/table/common_units.h"
#include "ui/theme/utf8.h"

#include <algorithm>

namespace flopsmith::ui {

QString titleAboveUnit(const Table& table, const Column& column)
{
    const bool hasUnits = std::any_of(table.columns.begin(),
                                      table.columns.end(),
                                      [](const Column& each) { return !each.unit.empty(); });
    const QString title = fromUtf8(column.title);
    return hasUnits ? title + QLatin1Char('\n') + fromUtf8(column.unit) : title;
}

bool hasSameColumns(const Table& a, const Table& b)
{
    return std::equal(a.columns.begin(),
                      a.columns.end(),
                      b.columns.begin(),
                      b.columns.end(),
                      [](const Column& one, const Column& other) {
                          return one.key == other.key && one.title == other.title;
                      });
}

std::vector<QString> longestFractions(const Table& table)
{
    std::vector<QString> longest(table.columns.size());
    for (const std::vector<Cell>& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (const QString own = fromUtf8(fractionOf(row[i].shown));
                own.size() > longest[i].size()) {
                longest[i] = own;
            }
        }
    }
    return longest;
}

QStringList alignedFraction(const QString& longest, const Cell& cell)
{
    const bool isFigure = cell.shown.find_first_of("0123456789") != std::string::npos;
    return isFigure ? QStringList{longest, fromUtf8(fractionOf(cell.shown))} : QStringList();
}

} // namespace flopsmith::ui
