// SPDX-License-Identifier: MIT
#include "core/json/pattern_json.h"

#include <array>
#include <optional>
#include <string_view>

namespace flopsmith::json {
namespace {

struct PatternKey
{
    std::string_view key;
    int Pattern::*number;
};

constexpr std::array<PatternKey, 3> kPatternKeys{{
    {"first", &Pattern::firstRun},
    {"length", &Pattern::length},
    {"times", &Pattern::times},
}};

Result<Pattern> readPattern(const Json& json, const std::string& place, UnknownKeys* unknown)
{
    FLOPSMITH_RETURN_IF_ERROR(expectObject(json, place));
    FLOPSMITH_RETURN_IF_ERROR(refuseOtherKeys(json, place, {"first", "length", "times"}, unknown));
    Pattern pattern;
    for (const PatternKey& each : kPatternKeys) {
        const std::string key(each.key);
        if (!json.contains(key)) {
            return Error{place + "." + key
                         + ": missing; a pattern has first, length and times, in runs of blocks"};
        }
        FLOPSMITH_TRY(const auto number, fieldValue(json[key], std::int64_t{1}, place + "." + key));
        pattern.*each.number = static_cast<int>(std::get<std::int64_t>(number));
    }
    return pattern;
}

} // namespace

Json patternsJson(const Model& model)
{
    Json patterns = Json::array();
    for (const Pattern& pattern : model.patterns) {
        Json json;
        for (const PatternKey& each : kPatternKeys) {
            json[std::string(each.key)] = pattern.*each.number;
        }
        patterns.push_back(std::move(json));
    }
    return patterns;
}

Status readPatterns(Model& model, const Json& json, const std::string& place, UnknownKeys* unknown)
{
    if (!json.contains("patterns")) {
        return Done{};
    }
    const std::string where = place + ".patterns";
    const Json& patterns = json["patterns"];
    if (!patterns.is_array()) {
        return wrongType(where, patterns, "a list [ … ]");
    }
    if (patterns.size() > model.runs.size()) {
        return Error{where + ": " + std::to_string(patterns.size())
                     + " patterns are too many; the model has " + std::to_string(model.runs.size())
                     + " runs of blocks"};
    }
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        FLOPSMITH_TRY(const Pattern pattern,
                      readPattern(patterns[i], where + "[" + std::to_string(i) + "]", unknown));
        model.patterns.push_back(pattern);
    }
    if (const std::optional<PatternProblem> problem = patternProblem(model)) {
        return Error{where + "[" + std::to_string(problem->pattern) + "]: " + problem->sentence};
    }
    return Done{};
}

} // namespace flopsmith::json
