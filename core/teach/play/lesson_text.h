// SPDX-License-Identifier: MIT
#pragma once

#include "core/teach/expression/expression.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A part of a text: literal words, or an expression whose value is inserted.
struct TextPiece
{
    std::string words; ///< or the expression
    bool isExpression = false;
    /// Empty, "exact", "si", "percent", "bytes", "ratio", "duration", or how many digits: "3".
    std::string format{};

    bool operator==(const TextPiece&) const = default;
};

/// The pieces of "FFN: {flops('ffn'):si}FLOPs". "{{" and "}}" are braces.
Result<std::vector<TextPiece>> textPieces(std::string_view text);

/// The value as a format writes it, a number in the form of the language (core/teach/play/localized_number.h);
/// without a format: digits in groups, a real number with three significant digits.
Result<std::string> formattedValue(const Value& value,
                                   std::string_view format,
                                   std::string_view language = "en");

/// The text with all values inserted; `trees` as for Expression::value(). Without it, all values
/// together compute at most kMaxTreesPerExpression.
Result<std::string> textWithValues(std::string_view text,
                                   const LessonContext& context,
                                   int* trees = nullptr,
                                   std::string_view language = "en");

} // namespace flopsmith
