// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace flopsmith {

// Formulas as core/formula writes them ("24*d^2*B*S", or with numbers "24*768^2*1*1024"), typeset. Long
// numbers are grouped by three digits.

/// Italic letters with subscripts and powers: also for rich text of Qt.
std::string mathHtml(std::string_view formula);

/// For LaTeX's mathematics; lines may break at every operator.
std::string mathLatex(std::string_view formula);

} // namespace flopsmith
