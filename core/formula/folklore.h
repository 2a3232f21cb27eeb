// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/formula.h"

#include <optional>
#include <string>
#include <vector>

// Wrong figures of design notes, with the right ones and the reason. The right ones are never
// typed: each figure and each formula is computed by the cost model.
namespace flopsmith {

/// One line of a derivation: a sentence, and where the cost model has one, its formula with numbers
/// substituted.
struct FolkloreStep
{
    std::string sentence;
    std::optional<Formula> formula{};
    std::string unit{}; ///< of the formula's value: "FLOPs" or "MACs"
};

/// A figure that is printed, and the true one.
struct Folklore
{
    std::string id; ///< "activation"
    std::string title; ///< "The activation's share of an FFN"
    std::string note; ///< the title of the note that prints it
    std::string printed; ///< the note's statement
    std::string truth; ///< the correct statement, with the figure
    std::string unit; ///< of both values: "FLOPs"; empty for a ratio
    double printedValue = 0;
    double trueValue = 0;
    std::vector<FolkloreStep> derivation;

    /// By which factor the printed figure is too high (or, below 1, too low).
    double factor() const { return printedValue / trueValue; }
};

/// A factor in words: "5.4× too high", "512× too low".
std::string factorText(double factor);

/// All of them, in the order of the notes. Call it on the formulas' thread.
std::vector<Folklore> folklore();

} // namespace flopsmith
