// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"

#include <string>
#include <string_view>

namespace flopsmith {

// Numbers in the notation of a language: "291,648.5" in English, "291.648,5" in German. An unknown
// language has the English notation.

/// A number that core/base/text.h has written, in the language's form: "39.8 %" → "39,8 %".
std::string localizedNumber(std::string_view number, std::string_view language);

/// All digits in groups of three: "291,648,307,200".
std::string localizedDigits(Count count, std::string_view language);

/// Reads a number that a person types: "4,7", "4.7e6", "4 700 000", "4.7 M" (k, M, G, B, T or P). Both
/// point and comma are accepted; if both readings are possible, as in "1.234", the language
/// decides. The Error is a sentence with an example.
Result<double> typedNumber(std::string_view text, std::string_view language);

} // namespace flopsmith
