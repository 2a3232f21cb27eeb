// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/budget/memory.h"
#include "core/present/base/part_figure.h"

#include <optional>
#include <string_view>

namespace flopsmith {

/// What a card says of a kind of figure, whichever part it is of.
struct FigureText
{
    std::string_view title;
    std::string_view sentence;
    std::string_view unit; ///< of the formula's value
    std::string_view view; ///< the page that has more
};

FigureText figureText(FigureKind kind);

/// Nothing for a figure that is not in the table of memory.
std::optional<MemoryKind> memoryKind(FigureKind kind);

} // namespace flopsmith
