// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formula/symbolic_numbers.h"

#include <ginac/ginac.h>

#include <string>
#include <string_view>

namespace flopsmith {

/// Parses the expression that a person types for a size: "4d", "2/3*4d", "d/H", "2.5(d + 1)",
/// "d^2". Names are those of the table; `*` may be left out; multiplication and division are read
/// from left to right. Only numbers and products of sizes may be divided by, so that formulas stay
/// sums of products. Powers are bounded. The error is the end of a sentence that begins with the
/// expression: "has …".
Result<GiNaC::ex> expressionFrom(std::string_view text, const SymbolTable& table);

/// "d, f and S": the names of all sizes, for sentences.
std::string sizeNames(const SymbolTable& table);

} // namespace flopsmith
