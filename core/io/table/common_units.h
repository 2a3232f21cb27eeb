// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/table/table.h"

#include <string>

namespace flopsmith {

/// The figure whose unit the others share.
enum class UnitOf {
    largest, ///< of parts of a whole, of which the small ones matter little
    median, ///< of values along an axis, which all matter
};

/// The table with one unit for all columns of a quantity: "38.9 G" and "276 M" become "38.9" and
/// "0.276" below "FLOPs, G", with the digits that they had, but at most three decimals. Columns of
/// several quantities, and cells whose text is not that of their value, stay as they are.
Table inCommonUnits(Table table, UnitOf unit = UnitOf::largest);

/// A cell's number in the unit of its column, with all digits and a decimal point in every locale;
/// of a cell without a number its text.
std::string plainFigure(const Cell& cell, const Column& column);

/// For the clipboard: a line of heads with their units, then a line per row, separated by tabs. Numbers
/// are plain and exact, so that their sums are; texts have neither tabs nor line ends.
std::string tabSeparatedText(const Table& table);

/// The part of a figure behind its decimal point, point included: ".276"; empty without one. A
/// column with figures one below another is aligned by it.
std::string fractionOf(const std::string& figure);

} // namespace flopsmith
