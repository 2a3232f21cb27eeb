// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/table/table.h"

namespace flopsmith {

/// The table for a spreadsheet: texts that it would evaluate as formulas (beginning with = + - @,
/// wide or not, a tab or a line end) are quoted by an apostrophe. For tables with untrusted texts.
Table withoutFormulas(Table table);

} // namespace flopsmith
