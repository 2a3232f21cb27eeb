// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/formula.h"

#include <string>

namespace flopsmith {

/// The meanings of a formula's letters, a line each: "  N  = equal blocks in this run = 6". Empty
/// for a formula without letters.
std::string legendText(const Formula& formula);

/// The same as a table for LaTeX's running text.
std::string legendLatex(const Formula& formula);

} // namespace flopsmith
