// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/table/table.h"
#include "core/study/compare/comparison.h"

#include <cstddef>
#include <string>

// The common part of a comparison's tables and JSON.

namespace flopsmith {

inline constexpr const char* kNoValue = "\xE2\x80\x93";

/// Whether the unit is one that values carry themselves: "22.5 MB", "614 ms".
bool isBytes(const ComparedFigure& figure);
bool isDuration(const ComparedFigure& figure);

/// The design's value, its difference from the first design, and their ratio.
Cell valueCell(const ComparedFigure& figure, std::size_t design);
Cell deltaCell(const ComparedFigure& figure, std::size_t design);
Cell quotientCell(const ComparedFigure& figure, std::size_t design);
Cell valueCell(const ComparedParameter& parameter, std::size_t design);
Cell deltaCell(const ComparedParameter& parameter, std::size_t design);
Cell quotientCell(const ComparedParameter& parameter, std::size_t design);

/// The name of a row of aligned stacks in files.
std::string kindName(AlignedBlocks::Kind kind);

} // namespace flopsmith
