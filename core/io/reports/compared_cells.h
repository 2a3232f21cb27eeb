// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/table/table.h"
#include "core/study/compare/comparison.h"

#include <cstddef>
#include <string>

// What the tables and the JSON of a comparison have in common.

namespace flopsmith {

inline constexpr const char* kNoValue = "\xE2\x80\x93";

/// Whether the unit is one that values carry themselves: "22.5 MiB", "614 ms".
bool isBytes(const ComparedFigure& figure);
bool isDuration(const ComparedFigure& figure);

/// What a design has, what it has more than the first one, and the ratio of both.
Cell valueCell(const ComparedFigure& figure, std::size_t design);
Cell deltaCell(const ComparedFigure& figure, std::size_t design);
Cell quotientCell(const ComparedFigure& figure, std::size_t design);
Cell valueCell(const ComparedParameter& parameter, std::size_t design);
Cell deltaCell(const ComparedParameter& parameter, std::size_t design);
Cell quotientCell(const ComparedParameter& parameter, std::size_t design);

/// How files call a row of aligned stacks.
std::string kindName(AlignedBlocks::Kind kind);

} // namespace flopsmith
