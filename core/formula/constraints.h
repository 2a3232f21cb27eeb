// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formula/symbolic_numbers.h"

#include <ginac/ginac.h>

#include <span>
#include <string>

namespace flopsmith {

/// The substitutions for sizes under constraints such as "f=4d", "H*h = d" (solved for h) or "f=4d,
/// S=1024". A text may hold several, separated by commas. Each must hold for the values of the
/// model, so that the simplified formula still has the model's value; none may define a size by
/// itself.
Result<GiNaC::exmap> substitutionsFrom(std::span<const std::string> constraints,
                                       const SymbolTable& table);

} // namespace flopsmith
