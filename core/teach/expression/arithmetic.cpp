// SPDX-License-Identifier: MIT
#include "core/teach/expression/arithmetic.h"

#include "core/base/text.h"

#include <cmath>

namespace flopsmith {
namespace {

// Whole numbers of both, if both are.
struct WholePair
{
    Count a = 0;
    Count b = 0;
};

std::optional<WholePair> wholeNumbers(const Value& a, const Value& b)
{
    const auto* first = std::get_if<Count>(&a);
    const auto* second = std::get_if<Count>(&b);
    return first != nullptr && second != nullptr ? std::optional(WholePair{*first, *second})
                                                 : std::nullopt;
}

Error notNumbers(const Value& a, const Value& b)
{
    const Value& other = numberIn(a) ? b : a;
    return {"expected a number, found " + std::string(kindOf(other))};
}

/// The exact result of `exactly` unless it overflows (which it returns), otherwise that of
/// `really`.
template <class Exactly, class Really>
Result<Value> combined(const Value& a, const Value& b, Exactly exactly, Really really)
{
    if (const auto whole = wholeNumbers(a, b)) {
        Count result = 0;
        if (!exactly(whole->a, whole->b, &result)) {
            return Value(result);
        }
    }
    const auto first = numberIn(a);
    const auto second = numberIn(b);
    if (!first || !second) {
        return notNumbers(a, b);
    }
    return realValue(really(*first, *second));
}

// By repeated squaring; whether it overflowed.
bool powerOverflows(Count base, Count exponent, Count* result)
{
    Count power = 1;
    Count square = base;
    while (exponent > 0) {
        if (exponent % 2 != 0 && __builtin_mul_overflow(power, square, &power)) {
            return true;
        }
        exponent /= 2;
        if (exponent > 0 && __builtin_mul_overflow(square, square, &square)) {
            return true;
        }
    }
    *result = power;
    return false;
}

bool isZero(const Value& value)
{
    const auto number = numberIn(value);
    return number && *number == 0.0;
}

} // namespace

std::string goldenText(const Value& value)
{
    if (const auto* count = std::get_if<Count>(&value)) {
        return digits(*count);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return numberText(*real);
    }
    if (const auto* truth = std::get_if<bool>(&value)) {
        return *truth ? "true" : "false";
    }
    if (const auto* text = std::get_if<std::string>(&value)) {
        return *text;
    }
    std::string list;
    for (const int option : std::get<OptionOrder>(value).options) {
        list += (list.empty() ? "" : " ") + std::to_string(option);
    }
    return list;
}

std::optional<double> numberIn(const Value& value)
{
    if (const auto* count = std::get_if<Count>(&value)) {
        return toDouble(*count);
    }
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? std::optional(*real) : std::nullopt;
}

Result<Value> sumOf(const Value& a, const Value& b)
{
    return combined(
        a,
        b,
        [](Count x, Count y, Count* sum) { return __builtin_add_overflow(x, y, sum); },
        [](double x, double y) { return x + y; });
}

Result<Value> differenceOf(const Value& a, const Value& b)
{
    return combined(
        a,
        b,
        [](Count x, Count y, Count* rest) { return __builtin_sub_overflow(x, y, rest); },
        [](double x, double y) { return x - y; });
}

Result<Value> productOf(const Value& a, const Value& b)
{
    return combined(
        a,
        b,
        [](Count x, Count y, Count* product) { return __builtin_mul_overflow(x, y, product); },
        [](double x, double y) { return x * y; });
}

Result<Value> quotientOf(const Value& a, const Value& b)
{
    if (isZero(b)) {
        return Error{"a number is divided by zero"};
    }
    return combined(
        a,
        b,
        [](Count x, Count y, Count* quotient) {
            if (y == -1 || x % y != 0) {
                return y != -1 || __builtin_sub_overflow(Count{0}, x, quotient);
            }
            *quotient = x / y;
            return false;
        },
        [](double x, double y) { return x / y; });
}

Result<Value> powerOf(const Value& base, const Value& exponent)
{
    if (isZero(base) && numberIn(exponent).value_or(0.0) < 0.0) {
        return Error{"a number is divided by zero"};
    }
    return combined(
        base,
        exponent,
        [](Count x, Count y, Count* power) { return y < 0 || powerOverflows(x, y, power); },
        [](double x, double y) { return std::pow(x, y); });
}

Result<Value> realValue(double number)
{
    if (!std::isfinite(number)) {
        return Error{"the result is too large or no number"};
    }
    return Value(number);
}

Result<Value> wholeValue(double number)
{
    constexpr double kMax = 1e37;
    if (!(std::abs(number) < kMax)) {
        return Error{"the number is too large to be rounded"};
    }
    return Value(static_cast<Count>(number));
}

Result<int> compared(const Value& a, const Value& b)
{
    if (const auto whole = wholeNumbers(a, b)) {
        return whole->a < whole->b ? -1 : static_cast<int>(whole->a > whole->b);
    }
    const auto first = numberIn(a);
    const auto second = numberIn(b);
    if (!first || !second) {
        return notNumbers(a, b);
    }
    return *first < *second ? -1 : static_cast<int>(*first > *second);
}

Result<bool> areEqual(const Value& a, const Value& b)
{
    if (numberIn(a) && numberIn(b)) {
        const Result<int> order = compared(a, b);
        return *order == 0;
    }
    if (a.index() != b.index()) {
        return Error{std::string(kindOf(a)) + " is compared with " + std::string(kindOf(b))};
    }
    return a == b;
}

std::string_view kindOf(const Value& value)
{
    if (numberIn(value)) {
        return "a number";
    }
    if (std::holds_alternative<bool>(value)) {
        return "a truth";
    }
    return std::holds_alternative<std::string>(value) ? "a text" : "an order";
}

} // namespace flopsmith
