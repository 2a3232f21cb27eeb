// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/formula.h"

#include <optional>
#include <string>
#include <vector>

// Figures of design notes that are wrong, with what is true and why. Nothing true is typed:
// each figure and each formula comes from the cost model, now.
namespace flopsmith {

/// One line of a derivation: a sentence, and where the cost model has something to say, its formula
/// with numbers put in.
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
    std::string printed; ///< what it says
    std::string truth; ///< what is so, with the figure
    std::string unit; ///< of both values: "FLOPs"; empty for a ratio
    double printedValue = 0;
    double trueValue = 0;
    std::vector<FolkloreStep> derivation;

    /// How many times too high (or, below 1, too low) the printed figure is.
    double factor() const { return printedValue / trueValue; }
};

/// "5.4× too high", "512× too low": what a factor means.
std::string factorText(double factor);

/// All of them, in the order of the notes. On the thread of formulas.
std::vector<Folklore> folklore();

} // namespace flopsmith
