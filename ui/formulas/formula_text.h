// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace flopsmith::ui {

/// A formula as the cost model writes it ("5/2*d*log2(d)*B*S - s_mu^2/H") as rich text that reads
/// like print: letters in italics with their subscripts, powers raised, products side by side,
/// fractions of numbers small, long numbers in groups. Works for the text with numbers put in as
/// well, where products get a dot. A line breaks between terms and between factors of numbers only.
QString formulaHtml(std::string_view text);

/// The name of a size as it stands in formulas: "f" is d with the subscript ff, as papers write it.
QString symbolHtml(std::string_view name);

/// "24·d²·B·S": the formula in plain letters, for a screen reader or a tool tip.
QString plainFormula(std::string_view text);

} // namespace flopsmith::ui
