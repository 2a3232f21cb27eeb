// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/formula.h"
#include "core/parameter/parameter_table.h"

#include <string_view>
#include <vector>

namespace flopsmith {

/// The parameter that a letter of a part's formula is, once for every run of blocks that has it with
/// the letter's value: of the formula of a block that of its run alone. Empty for a letter that
/// follows from others (heads' width d/H) or stands for several values in a sum.
///
/// `part` is the path of the formula: "" for the whole model, "blocks[0]/ffn".
std::vector<Parameter> parametersOf(const Scenario& scenario,
                                    const FormulaSymbol& symbol,
                                    std::string_view part);

} // namespace flopsmith
