// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/table/table.h"

#include <QString>
#include <QStringList>

#include <vector>

// What models of tables with figures have in common.
namespace flopsmith::ui {

/// The title with the unit on a line of its own, so that columns stay narrow; one line if no column
/// has a unit.
QString titleAboveUnit(const Table& table, const Column& column);

/// Whether both have the same columns, whatever their units.
bool hasSameColumns(const Table& a, const Table& b);

/// The longest fraction of each column.
std::vector<QString> longestFractions(const Table& table);

/// For partFractionRole: the longest fraction and the cell's own; empty for words and dashes, which
/// are not aligned by a point.
QStringList alignedFraction(const QString& longest, const Cell& cell);

} // namespace flopsmith::ui
