// SPDX-License-Identifier: MIT
#include "core/parameter/tie.h"

#include "core/base/printable.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace flopsmith {
namespace {

constexpr const char* kTieGrammar =
    "a tie is KEY=FACTOR*KEY or KEY=KEY/NUMBER, as in d_ff=4*d_model or heads=d_model/64, and may "
    "end with + or - a number";
constexpr int kLargestDivisor = 1024; // of a fraction that is shown as one

constexpr std::array<std::pair<std::string_view, char>, 3> kSigns{
    {{"\xC2\xB7", '*'}, {"\xC3\x97", '*'}, {"\xE2\x88\x92", '-'}}}; // · × −

// The text in ASCII and without blanks.
std::string plainExpression(std::string_view text)
{
    std::string plain;
    while (!text.empty()) {
        const auto sign = std::find_if(
            kSigns.begin(), kSigns.end(), [&](const auto& s) { return text.starts_with(s.first); });
        if (sign != kSigns.end()) {
            plain += sign->second;
            text.remove_prefix(sign->first.size());
            continue;
        }
        if (text.front() != ' ' && text.front() != '\t') {
            plain += text.front();
        }
        text.remove_prefix(1);
    }
    return plain;
}

/// Reads a product from left to right.
class ProductReader
{
public:
    explicit ProductReader(std::string_view text)
        : m_rest(text)
    {}

    // Whether all up to a + or − is a product of one parameter and numbers.
    bool read(Tie& tie)
    {
        bool divides = false;
        do {
            if (!readFactor(tie, divides)) {
                return false;
            }
            divides = m_rest.starts_with('/');
        } while (skip('*') || skip('/'));
        tie.factor = m_numerator / m_denominator;
        return !tie.source.empty() && std::isfinite(tie.factor) && tie.factor > 0;
    }

    // The number after a + or −; 0 if there is none.
    std::optional<double> readOffset()
    {
        if (m_rest.empty()) {
            return 0.0;
        }
        const double sign = m_rest.front() == '-' ? -1.0 : 1.0;
        if (!skip('+') && !skip('-')) {
            return std::nullopt;
        }
        const std::optional<double> number = readNumber();
        return number && m_rest.empty() ? std::optional(sign * *number) : std::nullopt;
    }

private:
    bool skip(char sign)
    {
        const bool found = m_rest.starts_with(sign);
        m_rest.remove_prefix(found ? 1 : 0);
        return found;
    }

    std::optional<double> readNumber()
    {
        double number = 0;
        const auto read = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), number);
        if (read.ec != std::errc{} || !std::isfinite(number) || number <= 0) {
            return std::nullopt;
        }
        m_rest.remove_prefix(static_cast<std::size_t>(read.ptr - m_rest.data()));
        return number;
    }

    // A name ends at an operator, except that "blocks[0-5]" has one inside.
    std::string readName()
    {
        int depth = 0;
        std::size_t end = 0;
        for (; end < m_rest.size(); ++end) {
            const char c = m_rest[end];
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (depth == 0 && std::string_view("*/+-=").find(c) != std::string_view::npos) {
                break;
            }
        }
        std::string name(m_rest.substr(0, end));
        m_rest.remove_prefix(end);
        return name;
    }

    bool readFactor(Tie& tie, bool divides)
    {
        const bool isNumber = !m_rest.empty()
            && std::string_view("0123456789.").find(m_rest.front()) != std::string_view::npos;
        if (!isNumber) {
            const bool isFirst = tie.source.empty();
            tie.source = readName();
            return isFirst && !divides && !tie.source.empty();
        }
        const std::optional<double> number = readNumber();
        (divides ? m_denominator : m_numerator) *= number.value_or(0);
        return number.has_value();
    }

    std::string_view m_rest;
    double m_numerator = 1;
    double m_denominator = 1;
};

/// A factor as a quotient of numbers.
struct Fraction
{
    double numerator = 1;
    double denominator = 1;
};

// 8 and 3 for 2.6666…: the smallest divisor that yields the same factor.
Fraction fractionOf(double factor)
{
    for (int divisor = 1; divisor <= kLargestDivisor; ++divisor) {
        const double whole = std::round(factor * divisor);
        if (whole >= 1 && whole / divisor == factor) {
            return {whole, static_cast<double>(divisor)};
        }
    }
    return {factor, 1};
}

std::string productText(const Tie& tie, const char* times)
{
    const Fraction factor = fractionOf(tie.factor);
    return (factor.numerator == 1 ? std::string() : numberText(factor.numerator) + times)
        + tie.source + (factor.denominator == 1 ? "" : "/" + numberText(factor.denominator));
}

} // namespace

Result<Tie> parsedTie(std::string_view text)
{
    const std::string plain = plainExpression(text);
    const std::size_t equals = plain.find('=');
    if (equals == std::string::npos || equals == 0) {
        return Error{"tie \"" + excerpt(text) + "\": " + kTieGrammar};
    }
    Tie tie{.key = plain.substr(0, equals)};
    ProductReader reader(std::string_view(plain).substr(equals + 1));
    const bool isProduct = reader.read(tie);
    const std::optional<double> offset = isProduct ? reader.readOffset() : std::nullopt;
    if (!offset) {
        return Error{"tie \"" + excerpt(text) + "\": " + kTieGrammar};
    }
    tie.offset = *offset;
    return tie;
}

Result<std::vector<Tie>> parsedTies(const std::vector<std::string>& texts)
{
    std::vector<Tie> ties;
    for (const std::string& text : texts) {
        FLOPSMITH_TRY(const Tie tie, parsedTie(text));
        ties.push_back(tie);
    }
    return ties;
}

Result<Tie> parsedTie(std::string key, std::string_view expression)
{
    Result<Tie> tie = parsedTie("x=" + std::string(expression));
    if (!tie) {
        return Error{"\"" + excerpt(expression)
                     + "\": write a parameter with a factor or a divisor, as in 4*d_model, "
                       "d_model/64 or 8*d_model/3 + 64"};
    }
    tie->key = std::move(key);
    return tie;
}

std::string expressionText(const Tie& tie)
{
    const std::string sign = tie.offset > 0 ? "+" : "-";
    return productText(tie, "*")
        + (tie.offset == 0 ? std::string() : sign + numberText(std::abs(tie.offset)));
}

std::string shownExpression(const Tie& tie)
{
    const std::string sign = tie.offset > 0 ? " + " : " \xE2\x88\x92 ";
    return productText(tie, "\xC2\xB7")
        + (tie.offset == 0 ? std::string() : sign + numberText(std::abs(tie.offset)));
}

double tiedNumber(const Tie& tie, const FieldValue& source)
{
    const auto* whole = std::get_if<std::int64_t>(&source);
    const auto* real = std::get_if<double>(&source);
    const double number = whole != nullptr ? static_cast<double>(*whole)
        : real != nullptr                  ? *real
                                           : 0.0;
    return tie.factor * number + tie.offset;
}

FieldValue ofItsKind(const Parameter& parameter, const Scenario& scenario, double number)
{
    constexpr double kMax = 9e18; // a 64-bit number holds it
    if (std::holds_alternative<double>(parameter.value(scenario))) {
        return number;
    }
    return static_cast<std::int64_t>(std::llround(std::clamp(number, -kMax, kMax)));
}

} // namespace flopsmith
