// SPDX-License-Identifier: MIT
#include "core/study/variation/axis.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/parameter/parameter_lookup.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flopsmith {
namespace {

constexpr int kAutomaticSteps = 32;

// The first parameter that matches the key; all matches have the same legal values.
Result<Parameter> sweptParameter(const Scenario& scenario, std::string_view key)
{
    if (std::optional<Parameter> found = firstParameter(scenario, key)) {
        return std::move(*found);
    }
    Scenario copy = scenario;
    const Status why = setParameter(copy, key, ""); // its error lists all keys
    return why.ok() ? Error{std::string(key) + ": no such parameter"} : why.error();
}

bool isNumber(const FieldValue& value)
{
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

double asReal(const FieldValue& value)
{
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

// Converts the number to the type of `like`.
FieldValue numberLike(const FieldValue& like, double number)
{
    if (std::holds_alternative<double>(like)) {
        return number;
    }
    return static_cast<std::int64_t>(std::llround(number));
}

Axis emptyAxis(std::string_view key, const Parameter& parameter, const LegalValues& legal)
{
    return {.key = std::string(key),
            .label = std::string(parameter.text.label),
            .unit = std::string(parameter.text.unit),
            .scale = legal.scale()};
}

std::vector<double> doublings(double from, double to)
{
    std::vector<double> values;
    for (double value = from; value < to * (1.0 - 1e-12); value *= 2.0) {
        values.push_back(value);
    }
    values.push_back(to);
    return values;
}

// Computes each value from the first, so that rounding errors do not accumulate.
std::vector<double> everyStep(double from, double to, double step)
{
    std::vector<double> values;
    const auto steps = static_cast<int>(std::floor((to - from) / step + 1e-9));
    for (int i = 0; i <= steps; ++i) {
        values.push_back(from + i * step);
    }
    return values;
}

std::vector<double> evenly(double from, double to, int count, Scale scale)
{
    std::vector<double> values;
    for (int i = 0; i < count; ++i) {
        const double part = count == 1 ? 0.0 : static_cast<double>(i) / (count - 1);
        const double between = scale == Scale::log2 && from > 0 ? from * std::pow(to / from, part)
                                                                : from + part * (to - from);
        values.push_back(i + 1 == count ? to : between);
    }
    return values;
}

Result<std::vector<double>> spread(double from, double to, const Spacing& spacing, Scale scale)
{
    switch (spacing.kind) {
    case Spacing::Kind::log2:
        if (from <= 0) {
            return Error{"doubling needs a first value above 0"};
        }
        return doublings(from, to);
    case Spacing::Kind::step:
        if (spacing.amount <= 0) {
            return Error{"the step must be above 0"};
        }
        if ((to - from) / spacing.amount >= kMaxAxisValues) {
            return Error{"more than " + std::to_string(kMaxAxisValues)
                         + " values; take a larger step"};
        }
        return everyStep(from, to, spacing.amount);
    case Spacing::Kind::count:
        if (spacing.amount < 1 || spacing.amount > kMaxAxisValues
            || spacing.amount != std::floor(spacing.amount)) {
            return Error{"the number of values must be a whole number from 1 to "
                         + std::to_string(kMaxAxisValues)};
        }
        return evenly(from, to, static_cast<int>(spacing.amount), scale);
    case Spacing::Kind::automatic: break;
    }
    return scale == Scale::log2 && from > 0 ? doublings(from, to)
                                            : evenly(from, to, kAutomaticSteps + 1, scale);
}

// Rounds binary noise away: 0.30000000000000004 becomes 0.3.
double tidy(double number)
{
    constexpr double kGrain = 1e9;
    return std::abs(number) < 1e6 ? std::round(number * kGrain) / kGrain : number;
}

void append(Axis& axis, const FieldValue& value)
{
    if (axis.values.empty() || asReal(axis.values.back()) < asReal(value)) {
        axis.values.push_back(value);
    }
}

Error illegal(const std::string& value, const Parameter& parameter, const LegalValues& legal)
{
    return {excerpt(value) + " is not legal for " + std::string(parameter.text.key) + "; legal is "
            + legal.text()};
}

// The value that the parameter has after it was set from the text.
Result<FieldValue> valueOfText(const Scenario& scenario,
                               const Parameter& parameter,
                               const std::string& text)
{
    Scenario changed = scenario;
    FLOPSMITH_RETURN_IF_ERROR(setParameter(changed, parameter.key, text));
    return parameter.value(changed);
}

// Whether the parameter's type can represent the number.
bool canHold(const FieldValue& like, double number)
{
    return std::holds_alternative<double>(like)
        || (number == std::floor(number) && std::abs(number) <= std::numeric_limits<int>::max());
}

bool isLegal(const LegalValues& legal, const FieldValue& like, double number)
{
    return canHold(like, number) && legal.contains(numberLike(like, number));
}

} // namespace

Result<Axis> axisBetween(const Scenario& scenario,
                         std::string_view key,
                         double from,
                         double to,
                         Spacing spacing,
                         AxisValues values)
{
    FLOPSMITH_TRY(const Parameter parameter, sweptParameter(scenario, key));
    const LegalValues legal = parameter.legal(scenario);
    const FieldValue like = parameter.value(scenario);
    if (!isNumber(like)) {
        return Error{std::string(key) + " is not a number; list its values, as in "
                     + std::string(key) + "=" + valueText(legal.stops().front())};
    }
    bool endsAreLegal = true;
    for (const double end : {from, to}) {
        endsAreLegal = endsAreLegal && isLegal(legal, like, end);
        if (!canHold(like, end) || (values == AxisValues::legal && !endsAreLegal)) {
            return illegal(numberText(end), parameter, legal);
        }
    }
    if (from > to) {
        return Error{"the first value is larger than the last; write the smaller one first"};
    }
    FLOPSMITH_TRY(const std::vector<double> numbers, spread(from, to, spacing, legal.scale()));
    Axis axis = emptyAxis(key, parameter, legal);
    if (spacing.kind == Spacing::Kind::log2) {
        axis.scale = Scale::log2;
    } else if (spacing.kind == Spacing::Kind::step) {
        axis.scale = Scale::linear;
    }
    for (const double number : numbers) {
        const FieldValue value = numberLike(like, tidy(number));
        append(axis, endsAreLegal ? legal.nearest(value) : value);
    }
    return axis;
}

Result<Axis> axisOfTexts(const Scenario& scenario,
                         std::string_view key,
                         const std::vector<std::string>& texts,
                         AxisValues values)
{
    FLOPSMITH_TRY(const Parameter parameter, sweptParameter(scenario, key));
    if (texts.size() > kMaxAxisValues) {
        return Error{"more than " + std::to_string(kMaxAxisValues) + " values"};
    }
    const LegalValues legal = parameter.legal(scenario);
    Axis axis = emptyAxis(key, parameter, legal);
    for (const std::string& text : texts) {
        FLOPSMITH_TRY(const FieldValue value, valueOfText(scenario, parameter, text));
        if (values == AxisValues::legal && !legal.contains(value)) {
            return illegal(text, parameter, legal);
        }
        if (std::find(axis.values.begin(), axis.values.end(), value) == axis.values.end()) {
            axis.values.push_back(value);
        }
    }
    if (!axis.values.empty() && isNumber(axis.values.front())) {
        std::sort(axis.values.begin(), axis.values.end());
    }
    return axis;
}

Result<Axis> axisOfStops(const Scenario& scenario, std::string_view key, int maxValues)
{
    FLOPSMITH_TRY(const Parameter parameter, sweptParameter(scenario, key));
    const LegalValues legal = parameter.legal(scenario);
    const std::vector<FieldValue> stops = legal.stops();
    Axis axis = emptyAxis(key, parameter, legal);
    const auto count = std::min(stops.size(), static_cast<std::size_t>(std::max(maxValues, 2)));
    for (std::size_t i = 0; i < count; ++i) {
        axis.values.push_back(stops[count == 1 ? 0 : i * (stops.size() - 1) / (count - 1)]);
    }
    return axis;
}

std::optional<Precision> precisionAlong(const Scenario& scenario, std::span<const Axis> axes)
{
    const bool changes = std::any_of(axes.begin(), axes.end(), [](const Axis& axis) {
        return axis.key.ends_with("_bits") || axis.key.ends_with("_group");
    });
    return changes ? std::nullopt : std::optional(scenario.workload.precision);
}

} // namespace flopsmith
