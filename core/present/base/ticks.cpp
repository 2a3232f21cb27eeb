// SPDX-License-Identifier: MIT
#include "core/present/base/ticks.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace flopsmith {
namespace {

constexpr double kSlack = 1e-9; ///< tolerance for rounding, relative to a step

struct TickRange
{
    double low;
    double high;
};

// Turns any input into a range with a beginning, an end and a distance that is not zero.
TickRange repaired(AxisScale scale, double low, double high)
{
    constexpr double kLargest = 1e300; // so that the difference of two of them is finite
    low = std::clamp(low, -kLargest, kLargest); // leaves not-a-number as it is
    high = std::clamp(high, -kLargest, kLargest);
    if (!isShowable(scale, low)) {
        low = isShowable(scale, high) ? high : 1.0;
    }
    if (!isShowable(scale, high)) {
        high = low;
    }
    if (low > high) {
        std::swap(low, high);
    }
    TickRange range{axisPosition(scale, low), axisPosition(scale, high)};
    const double size = std::max({std::abs(range.low), std::abs(range.high), 1e-300});
    if (range.high - range.low <= size * 1e-12) {
        const double margin = scale == AxisScale::linear ? (low == 0.0 ? 1.0 : size / 2) : 0.5;
        range = {range.low - margin, range.high + margin};
    }
    return range;
}

// 1, 2, 2.5 or 5 × 10^n, the smallest that is not below `minStep`.
double roundStep(double minStep)
{
    const double power = std::pow(10.0, std::floor(std::log10(minStep)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
        if (factor * power >= minStep * (1.0 - kSlack)) {
            return factor * power;
        }
    }
    return 10.0 * power;
}

double nextStep(double step)
{
    return roundStep(step * (1.0 + 1e-6));
}

// The whole multiples of step that a range touches, or that lie in it.
TickRange stepsIn(const TickRange& range, double step, RangeEnds ends)
{
    const double low = range.low / step;
    const double high = range.high / step;
    if (ends == RangeEnds::grow) {
        return {std::floor(low + kSlack), std::ceil(high - kSlack)};
    }
    return {std::ceil(low - kSlack), std::floor(high + kSlack)};
}

int ticksIn(const TickRange& steps)
{
    return static_cast<int>(std::min(steps.high - steps.low + 1.0, 1e6));
}

double base(AxisScale scale)
{
    return scale == AxisScale::log2 ? 2.0 : 10.0;
}

// Removes the dirt of binary fractions: 0.30000000000000004 → 0.3.
double cleaned(double value, double step)
{
    const double grain = step * 1e-6;
    return grain > 0.0 ? std::round(value / grain) * grain : value;
}

void addTicks(TickAxis& axis, const TickRange& steps, double step, TickUnit unit)
{
    for (double i = steps.low; i <= steps.high; i += 1.0) {
        const double position = i * step;
        const double value = axis.scale == AxisScale::linear ? cleaned(position, step)
                                                             : axisValue(axis.scale, position);
        axis.ticks.push_back({position, value, tickText(value, unit)});
    }
}

// Not 3 · 0.1 but 3 / 10, which is the number nearest to 0.3.
double timesPower(int factor, double power)
{
    return power < 0.0 ? factor / std::pow(10.0, -power) : factor * std::pow(10.0, power);
}

// 1, 2 … 9, or a subset of them, times powers of ten inside a range of few decades; 1, 2, 5 if at
// least two of them fit.
void addMantissaTicks(TickAxis& axis, const TickRange& range, int maxTicks, TickUnit unit)
{
    static constexpr std::array<std::array<int, 9>, 4> kFactors{{{1, 2, 3, 4, 5, 6, 7, 8, 9},
                                                                 {1, 2, 5, 0, 0, 0, 0, 0, 0},
                                                                 {1, 2, 3, 4, 6, 8, 0, 0, 0},
                                                                 {1, 3, 6, 0, 0, 0, 0, 0, 0}}};
    for (const auto& factors : kFactors) {
        std::vector<Tick> ticks;
        for (double power = std::floor(range.low); power <= std::ceil(range.high); power += 1.0) {
            for (const int factor : factors) {
                const double value = timesPower(factor, power);
                const double position = factor > 0 ? std::log10(value) : range.low - 1.0;
                if (position >= range.low - kSlack && position <= range.high + kSlack) {
                    ticks.push_back({position, value, tickText(value, unit)});
                }
            }
        }
        if (static_cast<int>(ticks.size()) <= maxTicks && ticks.size() >= 2) {
            axis.ticks = std::move(ticks);
            return;
        }
    }
}

TickAxis linearAxis(const TickRange& range, int maxTicks, TickUnit unit, RangeEnds ends)
{
    TickAxis axis{.scale = AxisScale::linear, .low = range.low, .high = range.high};
    double step = roundStep((range.high - range.low) / maxTicks);
    while (ticksIn(stepsIn(range, step, ends)) > maxTicks) {
        step = nextStep(step);
    }
    const TickRange steps = stepsIn(range, step, ends);
    addTicks(axis, steps, step, unit);
    if (ends == RangeEnds::grow) {
        axis.low = std::min(axis.low, steps.low * step);
        axis.high = std::max(axis.high, steps.high * step);
    }
    return axis;
}

TickAxis logAxis(AxisScale scale,
                 const TickRange& range,
                 int maxTicks,
                 TickUnit unit,
                 RangeEnds ends)
{
    TickAxis axis{.scale = scale, .low = range.low, .high = range.high};
    if (ends == RangeEnds::grow) { // to whole powers, not to multiples of several
        axis.low = std::floor(range.low + kSlack);
        axis.high = std::ceil(range.high - kSlack);
    }
    double step = 1.0;
    while (ticksIn(stepsIn({axis.low, axis.high}, step, RangeEnds::keep)) > maxTicks) {
        step += 1.0;
    }
    addTicks(axis, stepsIn({axis.low, axis.high}, step, RangeEnds::keep), step, unit);
    if (scale == AxisScale::log10 && axis.high - axis.low <= 2.0) {
        addMantissaTicks(axis, {axis.low, axis.high}, maxTicks, unit);
    }
    return axis;
}

Tick endTick(const TickAxis& axis, double position, TickUnit unit)
{
    const double value = axisValue(axis.scale, position);
    return {position, value, tickText(value, unit)};
}

// At most three decimals, without trailing zeros: "1", "2.5", "0.25".
std::string shortest(double value)
{
    std::string text = numberText(std::round(value * 1000.0) / 1000.0);
    return text.find('e') == std::string::npos ? text : numberText(value);
}

template <std::size_t Size>
std::string prefixed(double value,
                     double factor,
                     const std::array<std::string_view, Size>& units,
                     std::string_view space)
{
    std::size_t unit = 0;
    while (unit + 1 < Size && std::abs(value) >= factor * (1.0 - kSlack)) {
        value /= factor;
        ++unit;
    }
    std::string text = shortest(value);
    return units[unit].empty() ? text : text + std::string(space) + std::string(units[unit]);
}

// "4.1e25", as papers write the operations of a training run.
std::string powerOfTenText(double value)
{
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific, 3);
    std::string text(buffer.data(), end.ptr);
    const std::size_t e = text.find('e');
    const std::size_t last = text.find_last_not_of('0', e - 1);
    const std::string digits = text.substr(0, text[last] == '.' ? last : last + 1);
    return digits + "e" + text.substr(e + 2); // without "+"
}

std::string siTickText(double value)
{
    static constexpr std::array<std::string_view, 7> kPrefixes{"", "k", "M", "G", "T", "P", "E"};
    constexpr double kBeyondPrefixes = 1e21 * (1.0 - kSlack); // as in shortNumber()
    const double size = std::abs(value);
    if (size >= kBeyondPrefixes) {
        return powerOfTenText(value);
    }
    if (size > 0.0 && size < 1e-3) {
        return numberText(value);
    }
    // "1k" reads as one word on an axis of lengths, "10 T" as a quantity.
    return prefixed(value, 1000.0, kPrefixes, " ");
}

std::string binaryTickText(double value)
{
    static constexpr std::array<std::string_view, 6> kPrefixes{"", "k", "M", "G", "T", "P"};
    const bool power = value >= 1.0 && std::exp2(std::round(std::log2(value))) == value;
    return power ? prefixed(value, 1024.0, kPrefixes, "") : siTickText(value);
}

std::string parametersTickText(double value)
{
    std::string text = siTickText(value);
    if (text.ends_with('G')) {
        text.back() = 'B';
    }
    return text;
}

std::string byteTickText(double value)
{
    static constexpr std::array<std::string_view, 7> kUnits{
        "B", "kB", "MB", "GB", "TB", "PB", "EB"};
    return prefixed(value, 1000.0, kUnits, " ");
}

} // namespace

double TickAxis::share(double value) const
{
    if (!isShowable(scale, value)) {
        return 0.0;
    }
    return (axisPosition(scale, value) - low) / (high - low);
}

double TickAxis::valueAt(double share) const
{
    return axisValue(scale, low + share * (high - low));
}

bool isShowable(AxisScale scale, double value)
{
    return std::isfinite(value) && (scale == AxisScale::linear || value > 0.0);
}

double axisValue(AxisScale scale, double position)
{
    return scale == AxisScale::linear ? position : std::pow(base(scale), position);
}

double axisPosition(AxisScale scale, double value)
{
    switch (scale) {
    case AxisScale::linear: return value;
    case AxisScale::log2: return std::log2(value);
    case AxisScale::log10: return std::log10(value);
    }
    return value;
}

std::string tickText(double value, TickUnit unit)
{
    value = value == 0.0 ? 0.0 : value; // without the sign of a negative zero
    switch (unit) {
    case TickUnit::si: return siTickText(value);
    case TickUnit::parameters: return parametersTickText(value);
    case TickUnit::bytes: return byteTickText(value);
    case TickUnit::seconds: return durationText(value);
    case TickUnit::binary: return binaryTickText(value);
    }
    return numberText(value);
}

TickAxis tickAxis(AxisScale scale,
                  double low,
                  double high,
                  int maxTicks,
                  TickUnit unit,
                  RangeEnds ends)
{
    const TickRange range = repaired(scale, low, high);
    const int limit = std::clamp(maxTicks, 2, 100);
    TickAxis axis = scale == AxisScale::linear ? linearAxis(range, limit, unit, ends)
                                               : logAxis(scale, range, limit, unit, ends);
    if (axis.ticks.size() < 2) { // no round number lies inside, so the ends are labelled
        axis.ticks = {endTick(axis, axis.low, unit), endTick(axis, axis.high, unit)};
    }
    return axis;
}

std::string_view scaleText(AxisScale scale)
{
    return scale == AxisScale::linear ? "linear: equal steps add the same amount"
                                      : "logarithmic: equal steps multiply by the same factor";
}

std::optional<double> crossing(std::span<const LinePlace> line,
                               AxisScale alongScale,
                               AxisScale acrossScale,
                               double along)
{
    const auto has = [along](const LinePlace& place) { return place.along == along; };
    if (const auto exact = std::ranges::find_if(line, has); exact != line.end()) {
        return exact->across;
    }
    const auto passes = [along](const LinePlace& a, const LinePlace& b) {
        return (a.along < along) != (b.along < along);
    };
    const auto before = std::ranges::adjacent_find(line, passes);
    if (before == line.end()) {
        return std::nullopt;
    }
    const LinePlace& after = *std::next(before);
    const double from = axisPosition(alongScale, before->along);
    const double to = axisPosition(alongScale, after.along);
    const double part = (axisPosition(alongScale, along) - from) / (to - from);
    return axisValue(acrossScale,
                     std::lerp(axisPosition(acrossScale, before->across),
                               axisPosition(acrossScale, after.across),
                               part));
}

} // namespace flopsmith
