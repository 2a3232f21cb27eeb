// SPDX-License-Identifier: MIT
#include "core/exercise/rounded_number.h"

#include "core/base/check.h"
#include "core/base/printable.h"
#include "core/base/sha256.h"
#include "core/study/search/search.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace flopsmith {
namespace {

constexpr std::size_t kMaxTyped = 100;

double numberOfText(const std::string& text)
{
    double number = 0.0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

// "1.76e+10" becomes "1.77e+10", without a rounding error in between.
std::string nextRounded(const std::string& text, int digits)
{
    const std::size_t e = text.find('e');
    std::uint64_t mantissa = 0;
    for (const char c : text.substr(0, e)) {
        mantissa = c == '.' ? mantissa : mantissa * 10U + static_cast<unsigned>(c - '0');
    }
    const bool isNegative = text[e + 1] == '-';
    const int size = static_cast<int>(numberOfText(text.substr(e + 2)));
    const int exponent = (isNegative ? -size : size) - digits + 1;
    return roundedText(numberOfText(std::to_string(mantissa + 1) + "e" + std::to_string(exponent)),
                       digits);
}

// Blanks between digits, as screens group them.
std::string withoutBlanks(std::string_view text)
{
    std::string plain(text);
    for (const std::string_view blank : {" ", "\xC2\xA0", "\xE2\x80\xAF"}) {
        for (std::size_t at = plain.find(blank); at != std::string::npos; at = plain.find(blank)) {
            plain.erase(at, blank.size());
        }
    }
    return plain;
}

} // namespace

std::string roundedText(double number, int digits)
{
    FLOPSMITH_CHECK(digits >= 1 && digits <= kMaxAnswerDigits);
    if (number == 0.0) {
        return "0";
    }
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(),
                                   buffer.data() + buffer.size(),
                                   number,
                                   std::chars_format::scientific,
                                   digits - 1);
    return {buffer.data(), end.ptr};
}

Result<std::vector<std::string>> rightNumbers(double right, int digits, double tolerance)
{
    if (!std::isfinite(right * (1.0 + tolerance)) || right < 0.0) {
        return Error{"the answer is not a number from zero on"};
    }
    const std::string last = roundedText(right * (1.0 + tolerance), digits);
    std::vector<std::string> numbers{roundedText(right * (1.0 - tolerance), digits)};
    while (numbers.back() != last && numberOfText(numbers.back()) < numberOfText(last)) {
        if (numbers.size() >= kMaxRightNumbers) {
            return Error{"more than " + std::to_string(kMaxRightNumbers)
                         + " numbers would be right; compare fewer digits or less tolerance"};
        }
        numbers.push_back(nextRounded(numbers.back(), digits));
    }
    return numbers;
}

std::string saltedHash(const Exercise& exercise,
                       const ExerciseCheck& check,
                       std::string_view roundedNumber)
{
    return sha256(exercise.salt + "\n" + exercise.id + "\n" + check.id + "\n"
                  + std::string(roundedNumber));
}

Result<double> typedNumber(std::string_view text)
{
    if (text.size() > kMaxTyped) {
        return Error{"\"" + excerpt(text) + "\" is too long for a number"};
    }
    if (text.find(',') != std::string_view::npos) {
        return Error{"\"" + excerpt(text)
                     + "\": write decimals with a point, and thousands without commas"};
    }
    return parsedQuantity(withoutBlanks(text));
}

} // namespace flopsmith
