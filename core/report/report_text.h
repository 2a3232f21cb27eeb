// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"

#include <functional>
#include <string>
#include <string_view>

namespace flopsmith {

/// The text for a figure: the drawing itself in HTML, otherwise the path of its file.
using FigureSource = std::function<std::string(const ReportFigure& figure)>;

/// A self-contained page, styled for screen and A4, that loads nothing; `svgOf` returns each figure
/// as SVG.
std::string htmlReport(const Report& report, const FigureSource& svgOf);

/// Markdown as GitHub and Pandoc read it; formulas are code, so that every reader shows them.
std::string markdownReport(const Report& report, const FigureSource& fileOf);

/// A complete article that needs booktabs and graphicx; figures are included as PDF.
std::string latexReport(const Report& report, const FigureSource& fileOf);

/// "with d = 768 (width of the model), B = 1", for formulas in which `spell` writes the letters.
/// Meanings of letters exist only in English; in other languages they are left out.
std::string symbolWords(const std::vector<FormulaSymbol>& symbols,
                        std::string_view language,
                        const std::function<std::string(const FormulaSymbol&)>& spell,
                        const std::function<std::string(const std::string&)>& escape);

/// "A", "B", … for the options of a choice; numbers after Z.
std::string optionMark(std::size_t option);

} // namespace flopsmith
