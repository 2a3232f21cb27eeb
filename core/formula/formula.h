// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"
#include "core/count/lens.h"
#include "core/model/model.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A letter of a formula, explained.
struct FormulaSymbol
{
    std::string name; ///< "s_mu"
    std::string latex; ///< "s_{\mu}"
    std::string meaning; ///< "kept channels"; empty if unknown
    Count value = 0;
    std::string values{}; ///< "256 to 4096", where it takes another value in every block of a sum
    std::string base{}; ///< the symbol of the parameter: "s_mu", and "f" for a second "f_2" too

    bool operator==(const FormulaSymbol&) const = default;
};

/// The cost of a part of a model as a formula. It comes from the same lines of code as the number,
/// run with letters instead of integers, so the two cannot disagree.
struct Formula
{
    std::string path; ///< of the part in the cost tree; empty for the whole model
    /// "24*d^2*B*S + 4*d*B*S^2", the same in every run. A model of many different blocks has sums
    /// over their runs: "sum_i(4*d*f_i*N_i*B*S) + 2*d*V*B*S".
    std::string text;
    std::string latex;
    std::string numbers; ///< the text with numbers put in
    Count value = 0; ///< the exact number of the cost tree
    /// The formula holds nominal FFTs, 5/2*d*log2(d) each: `value` rounds every transform to whole
    /// operations, the formula does not. They differ by half an operation per transform at most.
    bool nominal = false;
    std::vector<FormulaSymbol> symbols; ///< of the formula, in its order

    bool operator==(const Formula&) const = default;
};

/// The formula of one execution of a part under a lens.
///
/// `part` is "" or "model" for everything; "block" for the first block; a path of the cost tree
/// ("blocks[0]/ffn", "head"), with any block of a run; or the end of a path ("attention",
/// "ffn/spectral"), which means the first such part.
///
/// `simplify` holds constraints ("f=4d", "H*h=d", several separated by commas) that are substituted
/// into the formula. They must hold for this model, so that the formula keeps its value.
///
/// Errors: an invalid scenario, an unknown part, a constraint that is malformed, circular or wrong.
/// GiNaC is not thread-safe: all formulas of a program are made on one thread.
Result<Formula> formulaOf(const Scenario& scenario,
                          std::string_view part,
                          LensId lens,
                          std::span<const std::string> simplify = {},
                          std::optional<PairsRule> pairs = {});

} // namespace flopsmith
