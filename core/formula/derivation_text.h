// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/derivation.h"

#include <string>

namespace flopsmith {

/// A derivation as plain text: number and title of each step, formula, numbers and value, and the
/// reason.
///
///   1. Projections
///      8*d^2*B*S
///      = 8*768^2*1*1024
///      = 4 831 838 208 FLOPs
///      Each token goes through four d × d matrices, …
std::string derivationText(const Derivation& derivation);

/// The same for LaTeX's running text, as an enumeration.
std::string derivationLatex(const Derivation& derivation);

} // namespace flopsmith
