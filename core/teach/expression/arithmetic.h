// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/teach/expression/expression.h"

#include <string_view>

namespace flopsmith {

/// Exact for whole numbers as long as 128 bits hold the result, otherwise in double precision. An
/// Error for anything but numbers, a division by zero or a result that is not finite.
Result<Value> sumOf(const Value& a, const Value& b);
Result<Value> differenceOf(const Value& a, const Value& b);
Result<Value> productOf(const Value& a, const Value& b);
Result<Value> quotientOf(const Value& a, const Value& b);
Result<Value> powerOf(const Value& base, const Value& exponent);

/// The real number as a Value, or an Error if it is not finite.
Result<Value> realValue(double number);

/// The nearest whole number of the rounded `number`; an Error if it is too large to be exact.
Result<Value> wholeValue(double number);

/// Below 0, 0 or above 0; an Error unless both are numbers.
Result<int> compared(const Value& a, const Value& b);

/// Whether the values are equal; an Error if they are of kinds that are never compared.
Result<bool> areEqual(const Value& a, const Value& b);

/// "a number", "a text": for messages.
std::string_view kindOf(const Value& value);

} // namespace flopsmith
