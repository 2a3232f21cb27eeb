// SPDX-License-Identifier: MIT
#include "core/teach/play/lesson_text.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/teach/expression/arithmetic.h"
#include "core/teach/play/localized_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace flopsmith {
namespace {

constexpr std::size_t kMaxPieces = 200;
constexpr int kUsualDigits = 3;
constexpr int kMaxSignificant = 12;

// The end of the expression that begins at `from`: a ':' or '}' outside of single quotes.
std::size_t endOfExpression(std::string_view text, std::size_t from)
{
    bool isQuoted = false;
    for (std::size_t i = from; i < text.size(); ++i) {
        if (text[i] == '\'') {
            isQuoted = !isQuoted;
        } else if (!isQuoted && (text[i] == ':' || text[i] == '}')) {
            return i;
        }
    }
    return std::string_view::npos;
}

void addWords(std::vector<TextPiece>& pieces, std::string_view words)
{
    if (pieces.empty() || pieces.back().isExpression) {
        pieces.push_back({});
    }
    pieces.back().words += words;
}

// So many significant digits, without an exponent: "0.0312".
std::string significantText(double value, int digits)
{
    if (value == 0.0) {
        return "0";
    }
    const int before = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    constexpr int kMaxDecimals = 15;
    const int decimals = std::min(std::max(digits - before, 0), kMaxDecimals);
    std::array<char, 400> buffer{};
    const auto end = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
    return {buffer.data(), end.ptr};
}

std::string usualText(const Value& value)
{
    if (const auto* count = std::get_if<Count>(&value)) {
        return groupedDigits(*count);
    }
    const auto* real = std::get_if<double>(&value);
    if (real == nullptr) {
        return goldenText(value);
    }
    constexpr double kGrouped = 10'000.0; // from here on decimals have no meaning
    constexpr double kMaxGrouped = 1e30;
    if (std::abs(*real) >= kGrouped && std::abs(*real) < kMaxGrouped) {
        return groupedDigits(static_cast<Count>(std::round(*real)));
    }
    return significantText(*real, kUsualDigits);
}

// All digits of a whole number, otherwise the shortest text that reads back as the same value.
std::string exactText(const Value& value)
{
    if (const auto* count = std::get_if<Count>(&value)) {
        return groupedDigits(*count);
    }
    const auto* real = std::get_if<double>(&value);
    const bool isWhole = real != nullptr && *real == std::floor(*real)
        && std::abs(*real) <= static_cast<double>(kLargestExactDouble);
    return isWhole ? groupedDigits(static_cast<Count>(*real)) : goldenText(value);
}

Result<std::string> numberAs(double number, std::string_view format)
{
    if (format == "si") {
        return siText(number);
    }
    if (format == "percent") {
        return percentText(number);
    }
    if (format == "bytes") {
        return bytesText(number);
    }
    if (format == "ratio") {
        return ratioText(number);
    }
    if (format == "duration") {
        return durationText(number);
    }
    int digits = 0;
    const auto read = std::from_chars(format.data(), format.data() + format.size(), digits);
    if (read.ec != std::errc{} || read.ptr != format.data() + format.size() || digits < 1
        || digits > kMaxSignificant) {
        return Error{"there is no format \"" + excerpt(format)
                     + "\"; there are exact, si, percent, bytes, ratio, duration and 1 to 12 "
                       "significant digits"};
    }
    return significantText(number, digits);
}

} // namespace

Result<std::vector<TextPiece>> textPieces(std::string_view text)
{
    std::vector<TextPiece> pieces;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t brace = std::min(text.find_first_of("{}", at), text.size());
        if (brace > at) {
            addWords(pieces, text.substr(at, brace - at));
        }
        if (brace == text.size()) {
            break;
        }
        if (brace + 1 < text.size() && text[brace + 1] == text[brace]) {
            addWords(pieces, text.substr(brace, 1));
            at = brace + 2;
            continue;
        }
        const std::size_t end = endOfExpression(text, brace + 1);
        const std::size_t close = end == std::string_view::npos ? end : text.find('}', end);
        if (text[brace] == '}' || close == std::string_view::npos) {
            return Error{std::string("a single \"") + text[brace]
                         + "\" in a text; a brace as it is stands twice"};
        }
        pieces.push_back({.words = std::string(text.substr(brace + 1, end - brace - 1)),
                          .isExpression = true,
                          .format = end == close
                              ? std::string()
                              : std::string(text.substr(end + 1, close - end - 1))});
        if (pieces.size() > kMaxPieces) {
            return Error{"a text inserts too many values"};
        }
        at = close + 1;
    }
    return pieces;
}

Result<std::string> formattedValue(const Value& value,
                                   std::string_view format,
                                   std::string_view language)
{
    const auto number = numberIn(value);
    if (format.empty() || format == "exact") {
        const std::string text = format.empty() ? usualText(value) : exactText(value);
        return number ? localizedNumber(text, language) : text;
    }
    if (!number) {
        return Error{"the format \"" + excerpt(format) + "\" needs a number, found "
                     + std::string(kindOf(value))};
    }
    const Result<std::string> text = numberAs(*number, format);
    return text ? Result<std::string>(localizedNumber(*text, language)) : text;
}

Result<std::string> textWithValues(std::string_view text,
                                   const LessonContext& context,
                                   int* trees,
                                   std::string_view language)
{
    FLOPSMITH_TRY(const std::vector<TextPiece> pieces, textPieces(text));
    int own = kMaxTreesPerExpression; // of all values of the text together
    int& left = trees != nullptr ? *trees : own;
    std::string whole;
    for (const TextPiece& piece : pieces) {
        if (!piece.isExpression) {
            whole += piece.words;
            continue;
        }
        const Result<Value> value = evaluate(piece.words, context, &left);
        const Result<std::string> shown = value ? formattedValue(*value, piece.format, language)
                                                : Result<std::string>(value.error());
        if (!shown) {
            return Error{"{" + excerpt(piece.words) + "}: " + shown.error().message};
        }
        whole += *shown;
    }
    return whole;
}

} // namespace flopsmith
