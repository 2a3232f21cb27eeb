// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/formula.h"
#include "core/parameter/parameter_table.h"

#include <string_view>
#include <vector>

namespace flopsmith {

/// The parameter of a letter in a part's formula, once for every run of blocks where it has the
/// letter's value; for the formula of a block only that of its run. Empty for a letter that is
/// derived from others (heads' width d/H) or stands for several values in a sum.
///
/// `part` is the path of the formula: "" for the whole model, "blocks[0]/ffn".
std::vector<Parameter> parametersOf(const Scenario& scenario,
                                    const FormulaSymbol& symbol,
                                    std::string_view part);

} // namespace flopsmith
