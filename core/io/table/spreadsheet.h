// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/table/table.h"

namespace flopsmith {

/// The table for a spreadsheet: texts that it would take for a formula (they begin with = + - @, wide
/// or not, a tab or a line end) get an apostrophe before them, by which it takes them for text. For tables
/// whose texts strangers wrote.
Table withoutFormulas(Table table);

} // namespace flopsmith
