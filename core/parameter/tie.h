// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/parameter/parameter_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A parameter that follows another one: `key` takes the legal value nearest to `factor` times the
/// value of `source` plus `offset`. "d_ff = 4·d_model" keeps a model's shape while it grows.
struct Tie
{
    std::string key;
    double factor = 1;
    std::string source;
    double offset = 0;

    bool operator==(const Tie&) const = default;
};

/// "d_ff=4*d_model", "heads=d_model/64", "d_ff=8*d_model/3+64": a product or quotient of one
/// parameter and positive numbers, and a number that is added or subtracted. "·" and "×" are "*",
/// "−" is "-". An Error in one sentence.
Result<Tie> parsedTie(std::string_view text);

/// Several; the first that is wrong is the Error.
Result<std::vector<Tie>> parsedTies(const std::vector<std::string>& texts);

/// The right side alone, for a parameter of this key: "4*d_model".
Result<Tie> parsedTie(std::string key, std::string_view expression);

/// The right side as parsedTie() reads it: "8*d_model/3+64".
std::string expressionText(const Tie& tie);

/// The right side for people: "8·d_model/3 + 64".
std::string shownExpression(const Tie& tie);

/// The value of the tie for this value of its source.
double tiedNumber(const Tie& tie, const FieldValue& source);

/// The number as a value of the parameter's type, rounded if that is whole, legal or not.
FieldValue ofItsKind(const Parameter& parameter, const Scenario& scenario, double number);

} // namespace flopsmith
