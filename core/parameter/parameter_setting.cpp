// SPDX-License-Identifier: MIT
#include "core/base/printable.h"
#include "core/base/quantity.h"
#include "core/parameter/known_legal.h"
#include "core/parameter/parameter_lookup.h"

#include <algorithm>
#include <charconv>
#include <span>

// Parameters by their keys: finding, setting and repairing them.
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

Error wrongText(std::string_view key, std::string_view text, std::string_view wanted)
{
    return {excerpt(key) + ": \"" + excerpt(text) + "\" is not " + std::string(wanted)};
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

struct BlockRange
{
    int first = 0;
    int last = 0;
};

// 7 to 7 in "blocks[7]", 0 to 5 in "blocks[0-5]", or nothing.
std::optional<BlockRange> blocksNamed(std::string_view segment)
{
    if (segment.substr(0, kBlockKey.size()) != kBlockKey || segment.back() != ']') {
        return std::nullopt;
    }
    const std::string_view numbers =
        segment.substr(kBlockKey.size(), segment.size() - kBlockKey.size() - 1);
    const std::size_t dash = numbers.find('-');
    const auto first = parsedNumber<int>(numbers.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : parsedNumber<int>(numbers.substr(dash + 1));
    return first && last ? std::optional(BlockRange{*first, *last}) : std::nullopt;
}

bool isPartOf(const Model& model, const BlockRange& blocks)
{
    return 0 <= blocks.first && blocks.first <= blocks.last && blocks.last < model.layers();
}

bool isKeyOfRun(std::string_view key)
{
    return key.ends_with("].repeat");
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
        const auto number = wholeQuantityOf(text);
        if (!number || *number != static_cast<int>(*number)) {
            return wrongText(key, text, "a whole number between -2147483648 and 2147483647");
        }
        return FieldValue(*number);
    }
    if (std::holds_alternative<double>(like)) {
        const auto number = realQuantityOf(text);
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
    return {excerpt(key) + ": this model has no such parameter; it has " + names};
}

enum class Next { wanted, none };

/// Calls `take` with each parameter that the key means until it returns false.
template <class Take>
void visitMatching(const Scenario& scenario, std::string_view key, Take take)
{
    const std::vector<std::string_view> asked = segments(key);
    std::span<const std::string_view> names(asked);
    std::vector<ParameterList> candidates;
    if (const auto blocks = blocksNamed(asked.front())) {
        if (!isPartOf(scenario.model, *blocks)) {
            return;
        }
        const int last = scenario.model.runOf(blocks->last);
        for (int run = scenario.model.runOf(blocks->first); run <= last; ++run) {
            candidates.push_back(blockParameterList(scenario, run));
        }
        names = names.subspan(1);
    } else {
        candidates = parameterTable(scenario);
    }
    for (const ParameterList& part : candidates) {
        for (const Parameter& candidate : *part) {
            const bool means = keyMeans(names, candidate.key) && candidate.applies(scenario);
            if (means && take(candidate) == Next::none) {
                return;
            }
        }
    }
}

} // namespace

bool keyMeans(std::string_view key, std::string_view fullKey)
{
    const std::string_view name = key.substr(key.rfind('.') + 1); // npos + 1 is 0
    return (fullKey.ends_with(name) || fullKey.ends_with(']')) // most keys do not: no split
        && keyMeans(segments(key), fullKey);
}

std::vector<Parameter> matchingParameters(const Scenario& scenario, std::string_view key)
{
    std::vector<Parameter> found;
    visitMatching(scenario, key, [&found](const Parameter& parameter) {
        found.push_back(parameter);
        return Next::wanted;
    });
    return found;
}

std::optional<Parameter> firstParameter(const Scenario& scenario, std::string_view key)
{
    std::optional<Parameter> first;
    visitMatching(scenario, key, [&first](const Parameter& parameter) {
        first = parameter;
        return Next::none;
    });
    return first;
}

void isolateNamedBlocks(Model& model, std::string_view key)
{
    const auto blocks = blocksNamed(key.substr(0, key.find('.')));
    if (blocks && isPartOf(model, *blocks) && !isKeyOfRun(key)) {
        model.splitBefore(blocks->first);
        model.splitBefore(blocks->last + 1);
        dissolveCutBy(model, model.runOf(blocks->first), model.runOf(blocks->last));
    }
}

std::string keyOfWholeRun(const Scenario& scenario, const Parameter& parameter)
{
    const std::string_view key = parameter.key;
    const auto blocks = blocksNamed(key.substr(0, key.find('.')));
    if (!blocks || !isPartOf(scenario.model, *blocks) || isKeyOfRun(key)) {
        return parameter.key;
    }
    const int run = scenario.model.runOf(blocks->first);
    const int repeat = scenario.model.runs[static_cast<std::size_t>(run)].repeat;
    const std::string last =
        repeat > 1 ? "-" + std::to_string(blocks->first + repeat - 1) : std::string();
    return std::string(kBlockKey) + std::to_string(blocks->first) + last
        + std::string(key.substr(key.find(']')));
}

Status setParameter(Scenario& scenario, std::string_view key, std::string_view text)
{
    if (matchingParameters(scenario, key).empty()) {
        return unknownKey(scenario, key);
    }
    Scenario changed = scenario;
    isolateNamedBlocks(changed.model, key);
    for (const Parameter& parameter : matchingParameters(changed, key)) {
        FLOPSMITH_TRY(const FieldValue value, parsedValue(key, text, parameter.value(changed)));
        parameter.assign(changed, value);
        if (parameter.value(changed) != value) { // an enumeration does not have the name
            return wrongText(key, text, parameter.legal(changed).text());
        }
    }
    changed.model.joinEqualRuns();
    scenario = std::move(changed);
    return Done{};
}

namespace {

// Repairs the illegal values of a part; returns whether there were any.
bool mendPart(Scenario& scenario, const std::vector<Parameter>& part, const Unjudged& unjudged)
{
    bool changed = false;
    for (const Parameter& parameter : part) {
        if (parameter.legal.holdsAlways() == HoldsAlways::yes || !unjudged.needsVerdict(parameter)
            || !parameter.applies(scenario)) {
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

void repair(Scenario& scenario)
{
    constexpr int kPasses =
        4; // a repaired number can make another illegal: d_model, heads, kv_heads
    for (int pass = 0; pass < kPasses; ++pass) {
        bool changed = false;
        const Scenario before = scenario; // which parts differ is decided once per pass
        const Unjudged unjudged(before);
        for (const ParameterList& part : parameterTable(scenario)) {
            changed = mendPart(scenario, *part, unjudged) || changed;
        }
        if (!changed) {
            rememberLegal(scenario);
            return;
        }
    }
}

void setAndRepair(Scenario& scenario, const Parameter& parameter, const FieldValue& value)
{
    parameter.assign(scenario, value);
    repair(scenario);
}

} // namespace flopsmith
