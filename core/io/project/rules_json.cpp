// SPDX-License-Identifier: MIT
#include "core/io/project/rules_json.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/parameter/parameter_lookup.h"

#include <charconv>
#include <cstddef>
#include <memory>
#include <optional>

namespace flopsmith {
namespace {

constexpr std::size_t kMaxRules = 256; // of a file, of each kind
constexpr const char* kRulesForm =
    R"(expected {"ties": {"d_ff": "4*d_model"}, "locked": ["d_model"]}, at most 256 of each)";

// Empty if the scenario has lost the parameter, as by joining a share group.
std::string fullKey(const Scenario& scenario, const ParameterPlace& place)
{
    const std::optional<Parameter> parameter = parameterAt(scenario, place);
    return parameter ? parameter->key : std::string();
}

// The lists that can contain a parameter with that full key: those of one run, or of no run.
std::vector<ParameterList> listsOfKey(const Scenario& scenario, std::string_view key)
{
    if (!key.starts_with(kBlockKey)) {
        return {modelParameterList(), workloadParameterList()};
    }
    int block = -1;
    std::from_chars(key.data() + kBlockKey.size(), key.data() + key.size(), block);
    const int run = scenario.model.runOf(block);
    return run < 0 ? std::vector<ParameterList>{}
                   : std::vector<ParameterList>{blockParameterList(scenario, run)};
}

// The place of a parameter's full key; the Error gives the reason if there is none.
std::optional<ParameterPlace> placeOfKey(const Scenario& scenario,
                                         const std::string& key,
                                         std::vector<std::string>& reasons)
{
    for (const ParameterList& part : listsOfKey(scenario, key)) {
        for (const Parameter& parameter : *part) {
            if (parameter.key == key) {
                return placeOf(scenario, parameter);
            }
        }
    }
    reasons.push_back(excerpt(key) + ": this model has no such parameter to tie or lock");
    return std::nullopt;
}

Status readTies(const Json& json,
                const std::string& place,
                const Scenario& scenario,
                ParameterRules& rules,
                std::vector<std::string>& reasons)
{
    if (!json.is_object() || json.size() > kMaxRules) {
        return Error{place + ": " + kRulesForm};
    }
    for (const JsonMember& member : json.items()) {
        const std::string& key = member.key();
        const Json& expression = member.value();
        if (!expression.is_string()) {
            return Error{place + ": " + kRulesForm};
        }
        const std::size_t dot = key.rfind('.'); // npos + 1 is 0
        const Result<Tie> tie = parsedTie(key.substr(dot + 1), expression.get<std::string>());
        if (!tie) {
            return Error{place + "." + excerpt(key) + ": " + tie.error().message};
        }
        if (const auto at = placeOfKey(scenario, key, reasons)) {
            rules.ties.push_back({*at, *tie});
        }
    }
    return Done{};
}

Status readLocks(const Json& json,
                 const std::string& place,
                 const Scenario& scenario,
                 ParameterRules& rules,
                 std::vector<std::string>& reasons)
{
    if (!json.is_array() || json.size() > kMaxRules) {
        return Error{place + ": " + kRulesForm};
    }
    for (const Json& key : json) {
        if (!key.is_string()) {
            return Error{place + ": " + kRulesForm};
        }
        if (const auto at = placeOfKey(scenario, key.get<std::string>(), reasons)) {
            rules.locks.push_back({*at, {}});
        }
    }
    return Done{};
}

} // namespace

Json toJson(const ParameterRules& rules, const Scenario& scenario)
{
    Json json = Json::object();
    for (const TiedPlace& tied : rules.ties) {
        if (const std::string key = fullKey(scenario, tied.place); !key.empty()) {
            json["ties"][key] = expressionText(tied.tie);
        }
    }
    for (const LockedPlace& lock : rules.locks) {
        if (const std::string key = fullKey(scenario, lock.place); !key.empty()) {
            json["locked"].push_back(key);
        }
    }
    return json;
}

Result<ParameterRules> rulesFromJson(const Json& json,
                                     const std::string& place,
                                     const Scenario& scenario,
                                     std::vector<std::string>& reasons)
{
    if (!json.is_object()) {
        return Error{place + ": " + kRulesForm};
    }
    ParameterRules rules;
    Status read = Done{};
    if (json.contains("ties")) {
        read = readTies(json["ties"], place + ".ties", scenario, rules, reasons);
    }
    if (read && json.contains("locked")) {
        read = readLocks(json["locked"], place + ".locked", scenario, rules, reasons);
    }
    return read ? Result<ParameterRules>(holdingRules(rules, scenario, reasons)) : read.error();
}

} // namespace flopsmith
