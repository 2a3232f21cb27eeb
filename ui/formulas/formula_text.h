// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <string_view>

namespace flopsmith::ui {

/// Typesets a formula of the cost model ("5/2*d*log2(d)*B*S - s_mu^2/H") as rich text: italic
/// variables with subscripts, superscript powers, juxtaposed products, small numeric fractions,
/// grouped digits. Also works for the formula with numbers substituted, where products get a dot.
/// Lines break only between terms and between numeric factors. The symbols named in `movable` have
/// kSymbolMark and their name as a tool tip, by which a LiveSheet finds them.
QString formulaHtml(std::string_view text, const QStringList& movable = {});

inline const QString kSymbolMark = QStringLiteral("symbol:");

/// The symbol of a size in formulas: "f" is d with the subscript ff, as papers write it.
QString symbolHtml(std::string_view name);

/// "24·d²·B·S": the formula as plain text, for a screen reader or a tool tip.
QString plainFormula(std::string_view text);

} // namespace flopsmith::ui
