// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/table/table.h"
#include "core/json/json.h"

#include <string>

namespace flopsmith {

// One table in five formats, independent of the locale: a decimal point, no thousands separator.
// The formats for people contain no control characters, whatever the name of a model or device; CSV
// and JSON contain every text unchanged.

/// A cell's text in CSV: counts in full, numbers that read back the same, flags as true/false.
std::string exactText(const Cell& cell);

/// RFC 4180: a header of keys, exact values, CRLF line ends; counts in full, flags as true/false.
std::string csvText(const Table& table);

/// Its header, and one of its rows, for tables that are written while they grow.
std::string csvHeader(const std::vector<Column>& columns);
std::string csvRow(const std::vector<Cell>& row);

/// One object per row, keyed by column; counts from 2^53 on are strings of digits, nothing is null.
Json tableJson(const Table& table);

/// A pipe table as GitHub renders it.
std::string markdownText(const Table& table);

/// A `table` float with booktabs rules, its caption escaped.
std::string latexText(const Table& table);

/// Only the `tabular`, without float and caption.
std::string latexTabular(const Table& table);

/// For a terminal: aligned columns, a rule under the titles, trees indented by two spaces,
/// sentences in the last column wrapped. If it would be wider than `columns`, words of other
/// columns are wrapped too, and sentences with too little space are written below their rows; 0: no
/// limit. A very long word (a path) is elided in the middle.
std::string plainText(const Table& table, std::size_t columns = 0);

/// Columns that a text takes up in a terminal: one per code point.
std::size_t displayWidth(std::string_view text);

} // namespace flopsmith
