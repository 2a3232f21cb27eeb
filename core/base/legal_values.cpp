// SPDX-License-Identifier: MIT
#include "core/base/legal_values.h"

#include "core/base/check.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flopsmith {
namespace {

constexpr int kMaxStops = 1024;

std::vector<std::int64_t> divisors(std::int64_t number)
{
    std::vector<std::int64_t> found;
    for (std::int64_t candidate = 1; candidate * candidate <= number; ++candidate) {
        if (number % candidate == 0) {
            found.push_back(candidate);
            if (candidate != number / candidate) {
                found.push_back(number / candidate);
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

// The largest step of 1, 2, 4, 8 … times `unit` that keeps about 16 stops in every doubling.
std::int64_t stepAt(std::int64_t number, std::int64_t unit)
{
    std::int64_t step = unit;
    while (step * 32 <= number) {
        step *= 2;
    }
    return step;
}

double asNumber(const FieldValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return *real;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::string joined(const std::vector<std::string_view>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) {
            text += i + 1 == names.size() ? " or " : ", ";
        }
        text += names[i];
    }
    return text;
}

constexpr const char* kRangeEllipsis = " \xE2\x80\xA6 ";

// "0 … 4, 6, 8 … 64"
std::string listText(const std::vector<std::int64_t>& ascending)
{
    std::string text;
    for (std::size_t first = 0; first < ascending.size();) {
        std::size_t last = first;
        while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) {
            ++last;
        }
        text += (text.empty() ? "" : ", ") + std::to_string(ascending[first]);
        if (last > first) {
            text += kRangeEllipsis + std::to_string(ascending[last]);
        }
        first = last + 1;
    }
    return text;
}

} // namespace

std::string valueText(const FieldValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return std::to_string(*whole);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return numberText(*real);
    }
    if (const auto* flag = std::get_if<bool>(&value)) {
        return *flag ? "true" : "false";
    }
    return std::get<std::string>(value);
}

LegalValues LegalValues::integers(std::int64_t low,
                                  std::int64_t high,
                                  Scale scale,
                                  std::int64_t multipleOf)
{
    FLOPSMITH_CHECK(multipleOf >= 1);
    LegalValues legal;
    legal.m_kind = Kind::integers;
    legal.m_scale = scale;
    legal.m_step = static_cast<double>(multipleOf);
    const std::int64_t first = (low + multipleOf - 1) / multipleOf * multipleOf;
    legal.m_low = static_cast<double>(first);
    legal.m_high = static_cast<double>(std::max(first, high / multipleOf * multipleOf));
    return legal;
}

LegalValues LegalValues::divisorsOf(std::int64_t number)
{
    LegalValues legal;
    legal.m_kind = Kind::divisors;
    legal.m_dividend = std::max<std::int64_t>(number, 1);
    legal.m_low = 1;
    legal.m_high = static_cast<double>(legal.m_dividend);
    return legal;
}

LegalValues LegalValues::integersBut(std::int64_t low,
                                     std::int64_t high,
                                     const std::vector<std::int64_t>& excluded)
{
    LegalValues legal;
    legal.m_kind = Kind::list;
    for (std::int64_t number = low; number <= high; ++number) {
        if (std::find(excluded.begin(), excluded.end(), number) == excluded.end()) {
            legal.m_listed.push_back(number);
        }
    }
    FLOPSMITH_CHECK(!legal.m_listed.empty());
    legal.m_low = static_cast<double>(legal.m_listed.front());
    legal.m_high = static_cast<double>(legal.m_listed.back());
    return legal;
}

LegalValues LegalValues::reals(double low, double high, double step, LowEnd end)
{
    LegalValues legal;
    legal.m_kind = Kind::reals;
    legal.m_low = low;
    legal.m_high = high;
    legal.m_step = step;
    legal.m_lowEnd = end;
    return legal;
}

LegalValues LegalValues::flag()
{
    return {};
}

LegalValues LegalValues::onlyFalse()
{
    LegalValues legal;
    legal.m_allowsTrue = false;
    return legal;
}

LegalValues LegalValues::onlyTrue()
{
    LegalValues legal;
    legal.m_allowsFalse = false;
    return legal;
}

LegalValues LegalValues::choices(std::vector<std::string_view> names)
{
    FLOPSMITH_CHECK(!names.empty());
    LegalValues legal;
    legal.m_kind = Kind::choices;
    legal.m_names = std::move(names);
    return legal;
}

std::vector<std::int64_t> LegalValues::listed() const
{
    return m_kind == Kind::divisors ? divisors(m_dividend) : m_listed;
}

bool LegalValues::containsInteger(std::int64_t number) const
{
    if (m_kind == Kind::list) {
        return std::binary_search(m_listed.begin(), m_listed.end(), number);
    }
    if (m_kind == Kind::divisors) {
        return number >= 1 && m_dividend % number == 0;
    }
    const auto value = static_cast<double>(number);
    return value >= m_low && value <= m_high && number % static_cast<std::int64_t>(m_step) == 0;
}

bool LegalValues::contains(const FieldValue& value) const
{
    switch (m_kind) {
    case Kind::integers:
    case Kind::divisors:
    case Kind::list: {
        const auto* whole = std::get_if<std::int64_t>(&value);
        return whole != nullptr && containsInteger(*whole);
    }
    case Kind::reals: {
        const double number = asNumber(value);
        const bool aboveLow = m_lowEnd == LowEnd::open ? number > m_low : number >= m_low;
        return aboveLow && number <= m_high;
    }
    case Kind::flag: {
        const auto* flag = std::get_if<bool>(&value);
        return flag != nullptr && (*flag ? m_allowsTrue : m_allowsFalse);
    }
    case Kind::choices: {
        const auto* name = std::get_if<std::string>(&value);
        return name != nullptr && std::find(m_names.begin(), m_names.end(), *name) != m_names.end();
    }
    }
    return false;
}

std::int64_t LegalValues::nearestInteger(double number) const
{
    if (std::isnan(number)) {
        return static_cast<std::int64_t>(m_low);
    }
    if (isListed()) {
        const auto closer = [number](std::int64_t a, std::int64_t b) {
            return std::abs(static_cast<double>(a) - number)
                < std::abs(static_cast<double>(b) - number);
        };
        const std::vector<std::int64_t> all = listed();
        return *std::min_element(all.begin(), all.end(), closer);
    }
    const double inside = std::clamp(number, m_low, m_high);
    return static_cast<std::int64_t>(std::round(inside / m_step) * m_step);
}

FieldValue LegalValues::nearest(const FieldValue& value) const
{
    if (contains(value)) {
        return value;
    }
    switch (m_kind) {
    case Kind::integers:
    case Kind::divisors:
    case Kind::list: return nearestInteger(asNumber(value));
    case Kind::reals: {
        const double number = asNumber(value);
        const double lowest = m_lowEnd == LowEnd::open ? m_low + m_step : m_low;
        return std::isnan(number) ? lowest : std::clamp(number, lowest, m_high);
    }
    case Kind::flag: return !m_allowsFalse;
    case Kind::choices: return std::string(m_names.front());
    }
    return value;
}

std::vector<FieldValue> LegalValues::integerStops() const
{
    std::vector<FieldValue> found;
    if (isListed()) {
        const std::vector<std::int64_t> all = listed();
        found.assign(all.begin(), all.end());
        return found;
    }
    const auto low = static_cast<std::int64_t>(m_low);
    const auto high = static_cast<std::int64_t>(m_high);
    const auto unit = static_cast<std::int64_t>(m_step);
    std::int64_t linearStep = unit;
    while ((high - low) / linearStep > kMaxStops) {
        linearStep *= 2;
    }
    std::int64_t number = low;
    while (number <= high) {
        found.emplace_back(number);
        const std::int64_t step = m_scale == Scale::log2 ? stepAt(number, unit) : linearStep;
        number = (number / step + 1) * step;
    }
    if (std::get<std::int64_t>(found.back()) != high) {
        found.emplace_back(high);
    }
    return found;
}

std::vector<FieldValue> LegalValues::flagStops() const
{
    if (m_allowsFalse && m_allowsTrue) {
        return {false, true};
    }
    return {m_allowsTrue};
}

std::vector<FieldValue> LegalValues::stops() const
{
    switch (m_kind) {
    case Kind::integers:
    case Kind::divisors:
    case Kind::list: return integerStops();
    case Kind::reals: {
        std::vector<FieldValue> found;
        const int first = m_lowEnd == LowEnd::open ? 1 : 0;
        const int count = static_cast<int>(std::lround((m_high - m_low) / m_step));
        for (int i = first; i <= count; ++i) {
            // Through a decimal so that 3 × 0.05 is 0.15 and not 0.15000000000000002.
            const double scale = std::round(1.0 / m_step);
            found.emplace_back(m_low + (scale > 1.0 ? i / scale : i * m_step));
        }
        return found;
    }
    case Kind::flag: return flagStops();
    case Kind::choices: {
        std::vector<FieldValue> found;
        for (const std::string_view name : m_names) {
            found.emplace_back(std::string(name));
        }
        return found;
    }
    }
    return {};
}

std::string LegalValues::text() const
{
    switch (m_kind) {
    case Kind::integers: {
        const auto low = static_cast<std::int64_t>(m_low);
        const auto high = static_cast<std::int64_t>(m_high);
        std::string range = std::to_string(low) + kRangeEllipsis + std::to_string(high);
        if (m_step > 1) {
            range += ", a multiple of " + std::to_string(static_cast<std::int64_t>(m_step));
        }
        return range;
    }
    case Kind::divisors: return "a divisor of " + std::to_string(m_dividend);
    case Kind::list: return listText(m_listed);
    case Kind::reals:
        if (m_lowEnd == LowEnd::open) {
            return "above " + numberText(m_low) + ", at most " + numberText(m_high);
        }
        return numberText(m_low) + kRangeEllipsis + numberText(m_high);
    case Kind::flag:
        return m_allowsFalse && m_allowsTrue ? "true or false" : valueText(m_allowsTrue);
    case Kind::choices: return joined(m_names);
    }
    return {};
}

int nearRootDivisor(int number)
{
    const auto root = static_cast<std::int64_t>(std::lround(std::sqrt(number)));
    const FieldValue divisor = LegalValues::divisorsOf(number).nearest(FieldValue(root));
    return static_cast<int>(std::get<std::int64_t>(divisor));
}

} // namespace flopsmith
