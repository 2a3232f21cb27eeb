// SPDX-License-Identifier: MIT
#include "core/model/parameter_table.h"

#include <algorithm>
#include <charconv>
#include <span>

// Parameters by their keys: finding, setting and mending them.
namespace flopsmith {
namespace {

std::vector<std::string_view> segments(std::string_view key)
{
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t dot = key.find('.');
        parts.push_back(key.substr(0, dot));
        if (dot == std::string_view::npos) {
            return parts;
        }
        key.remove_prefix(dot + 1);
    }
}

// "spectral" also means "spectral[2]".
bool segmentMeans(std::string_view asked, std::string_view full)
{
    return asked == full
        || (full.size() > asked.size() && full.substr(0, asked.size()) == asked
            && full[asked.size()] == '[');
}

bool keyMeans(std::span<const std::string_view> asked, std::string_view fullKey)
{
    if (asked.empty() || !(fullKey.ends_with(asked.back()) || fullKey.ends_with(']'))) {
        return false; // most of a deep model's thousands, cheaply
    }
    const std::size_t dot = fullKey.rfind('.'); // npos + 1 is 0
    if (!segmentMeans(asked.back(), fullKey.substr(dot + 1))) {
        return false;
    }
    const std::vector<std::string_view> full = segments(fullKey);
    std::size_t next = 0;
    for (const std::string_view segment : full) {
        if (next < asked.size() && segmentMeans(asked[next], segment)) {
            ++next;
        }
    }
    return next == asked.size();
}

// The number in "blocks[7]", or nothing.
std::optional<int> blockNumber(std::string_view segment)
{
    constexpr std::string_view kPrefix = "blocks[";
    if (segment.substr(0, kPrefix.size()) != kPrefix || segment.back() != ']') {
        return std::nullopt;
    }
    const std::string_view number =
        segment.substr(kPrefix.size(), segment.size() - kPrefix.size() - 1);
    int value = 0;
    const auto result = std::from_chars(number.data(), number.data() + number.size(), value);
    const bool whole = result.ec == std::errc{} && result.ptr == number.data() + number.size();
    return whole ? std::optional(value) : std::nullopt;
}

Error wrongText(std::string_view key, std::string_view text, std::string_view wanted)
{
    return {std::string(key) + ": \"" + std::string(text) + "\" is not " + std::string(wanted)};
}

template <class Number>
std::optional<Number> parsedNumber(std::string_view text)
{
    Number number{};
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) {
        return std::nullopt;
    }
    return number;
}

std::optional<bool> parsedFlag(std::string_view text)
{
    if (text == "true" || text == "on" || text == "yes" || text == "1") {
        return true;
    }
    if (text == "false" || text == "off" || text == "no" || text == "0") {
        return false;
    }
    return std::nullopt;
}

// The text as a value of the same kind as `like`.
Result<FieldValue> parsedValue(std::string_view key, std::string_view text, const FieldValue& like)
{
    if (std::holds_alternative<std::int64_t>(like)) {
        const auto number = parsedNumber<std::int64_t>(text);
        if (!number || *number != static_cast<int>(*number)) {
            return wrongText(key, text, "a whole number between -2147483648 and 2147483647");
        }
        return FieldValue(*number);
    }
    if (std::holds_alternative<double>(like)) {
        const auto number = parsedNumber<double>(text);
        return number ? Result<FieldValue>(FieldValue(*number)) : wrongText(key, text, "a number");
    }
    if (std::holds_alternative<bool>(like)) {
        const auto flag = parsedFlag(text);
        return flag ? Result<FieldValue>(FieldValue(*flag)) : wrongText(key, text, "true or false");
    }
    return FieldValue(std::string(text));
}

Error unknownKey(const Scenario& scenario, std::string_view key)
{
    std::string names;
    std::vector<std::string> seen;
    for (const Parameter& parameter : allParameters(scenario)) {
        std::string name(parameter.text.key);
        if (parameter.applies(scenario)
            && std::find(seen.begin(), seen.end(), name) == seen.end()) {
            names += (names.empty() ? "" : ", ") + name;
            seen.push_back(std::move(name));
        }
    }
    return {std::string(key) + ": this model has no such parameter; it has " + names};
}

} // namespace

std::vector<Parameter> matchingParameters(const Scenario& scenario, std::string_view key)
{
    const std::vector<std::string_view> asked = segments(key);
    std::span<const std::string_view> names(asked);
    std::vector<ParameterList> candidates;
    if (const auto block = blockNumber(asked.front())) {
        const int run = scenario.model.runOf(*block);
        if (run < 0) {
            return {};
        }
        candidates.push_back(blockParameterList(scenario, run));
        names = names.subspan(1);
    } else {
        candidates = parameterTable(scenario);
    }
    std::vector<Parameter> found;
    for (const ParameterList& part : candidates) {
        for (const Parameter& candidate : *part) {
            if (keyMeans(names, candidate.key) && candidate.applies(scenario)) {
                found.push_back(candidate);
            }
        }
    }
    return found;
}

Status setParameter(Scenario& scenario, std::string_view key, std::string_view text)
{
    if (matchingParameters(scenario, key).empty()) {
        return unknownKey(scenario, key);
    }
    Scenario changed = scenario;
    const std::vector<std::string_view> asked = segments(key);
    const auto block = blockNumber(asked.front());
    if (block && asked.back() != "repeat") {
        changed.model.isolateBlock(*block);
    }
    for (const Parameter& parameter : matchingParameters(changed, key)) {
        const Result<FieldValue> value = parsedValue(key, text, parameter.value(changed));
        if (!value) {
            return value.error();
        }
        parameter.assign(changed, *value);
        if (parameter.value(changed) != *value) { // an enumeration does not know the name
            return wrongText(key, text, parameter.legal(changed).text());
        }
    }
    changed.model.joinEqualRuns();
    scenario = std::move(changed);
    return Done{};
}

namespace {

// Moves what is not legal of a part; whether there was anything.
bool mendPart(Scenario& scenario, const std::vector<Parameter>& part)
{
    bool changed = false;
    for (const Parameter& parameter : part) {
        if (parameter.legal.holdsAlways() == HoldsAlways::yes || !parameter.applies(scenario)) {
            continue;
        }
        const FieldValue value = parameter.value(scenario);
        const LegalValues legal = parameter.legal(scenario);
        if (!legal.contains(value)) {
            parameter.assign(scenario, legal.nearest(value));
            changed = true;
        }
    }
    return changed;
}

} // namespace

void mend(Scenario& scenario)
{
    constexpr int kPasses = 4; // a mended number can make another illegal: d_model, heads, kv_heads
    for (int pass = 0; pass < kPasses; ++pass) {
        bool changed = false;
        for (const ParameterList& part : parameterTable(scenario)) {
            changed = mendPart(scenario, *part) || changed;
        }
        if (!changed) {
            return;
        }
    }
}

void setAndMend(Scenario& scenario, const Parameter& parameter, const FieldValue& value)
{
    parameter.assign(scenario, value);
    mend(scenario);
}

} // namespace flopsmith
