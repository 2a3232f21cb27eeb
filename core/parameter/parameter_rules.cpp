// SPDX-License-Identifier: MIT
#include "core/parameter/parameter_rules.h"

#include "core/model/pattern.h"
#include "core/parameter/applied_rules.h"
#include "core/parameter/parameter_lookup.h"
#include "core/parameter/tie_source.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::string_view kLayersKey = "layers";
constexpr std::string_view kRepeatKey = "repeat";

// Follows ties from the source of this one. A scenario has at most as many places as rules have
// ties.
bool leadsToItself(const ParameterRules& rules, const Scenario& scenario, const TiedPlace& first)
{
    std::optional<ParameterPlace> at = sourcePlace(scenario, first);
    for (std::size_t step = 0; at && step <= rules.ties.size(); ++step) {
        if (*at == first.place) {
            return true;
        }
        const Tie* next = rules.tieOf(*at);
        at = next == nullptr ? std::nullopt : sourcePlace(scenario, {*at, *next});
    }
    return false;
}

Status tieable(const ParameterRules& rules, const Scenario& scenario, const ParameterPlace& place)
{
    const std::optional<Parameter> parameter = parameterAt(scenario, place);
    const std::string name = ownName(place);
    if (!parameter || !holdsNumber(scenario, *parameter)) {
        return Error{name + ": only numbers can be tied"};
    }
    if (name == kRepeatKey) {
        return Error{"repeat cannot be tied; tie layers, which all runs share"};
    }
    if (rules.lockOf(place) != nullptr) {
        return Error{name + " is locked; unlock it before it is tied"};
    }
    return Done{};
}

template <class Rule>
const Rule* ruleAt(const std::vector<Rule>& rules, const ParameterPlace& place)
{
    const auto found = std::find_if(
        rules.begin(), rules.end(), [&place](const Rule& rule) { return rule.place == place; });
    return found == rules.end() ? nullptr : &*found;
}

} // namespace

const Tie* ParameterRules::tieOf(const ParameterPlace& place) const
{
    const TiedPlace* found = ruleAt(ties, place);
    return found == nullptr ? nullptr : &found->tie;
}

const LockedPlace* ParameterRules::lockOf(const ParameterPlace& place) const
{
    return ruleAt(locks, place);
}

void ParameterRules::removeTie(const ParameterPlace& place)
{
    std::erase_if(ties, [&place](const TiedPlace& tied) { return tied.place == place; });
}

void ParameterRules::removeLock(const ParameterPlace& place)
{
    std::erase_if(locks, [&place](const LockedPlace& lock) { return lock.place == place; });
}

Status addTie(ParameterRules& rules,
              const Scenario& scenario,
              const ParameterPlace& place,
              std::string_view expression)
{
    FLOPSMITH_RETURN_IF_ERROR(tieable(rules, scenario, place));
    FLOPSMITH_TRY(const Tie tie, parsedTie(ownName(place), expression));
    FLOPSMITH_RETURN_IF_ERROR(sourceOf(scenario, place, tie.source));
    ParameterRules changed = rules;
    changed.removeTie(place);
    changed.ties.push_back({place, tie});
    if (leadsToItself(changed, scenario, changed.ties.back())) {
        return Error{tie.key + ": tied to itself by way of " + tie.source
                     + "; one parameter must lead"};
    }
    rules = std::move(changed);
    return Done{};
}

Status addLock(ParameterRules& rules, const Scenario& scenario, const ParameterPlace& place)
{
    const std::optional<Parameter> parameter = parameterAt(scenario, place);
    if (!parameter) {
        return Error{ownName(place) + ": there is no such parameter here"};
    }
    if (rules.tieOf(place) != nullptr) {
        return Error{ownName(place) + " is tied; untie it before it is locked"};
    }
    rules.removeLock(place);
    rules.locks.push_back({place, parameter->value(scenario)});
    return Done{};
}

Status settable(const ParameterRules& rules, const Scenario& scenario, const ParameterPlace& place)
{
    const bool isRepeat = ownName(place) == kRepeatKey;
    const ParameterPlace layers{-1, std::string(kLayersKey)};
    for (const ParameterPlace& decisive : {place, isRepeat ? layers : place}) {
        if (const Tie* tie = rules.tieOf(decisive)) {
            return Error{tie->key + " = " + shownExpression(*tie) + ": untie " + tie->key
                         + " in the menu of its row (Shift+F10) to set it"};
        }
    }
    const LockedPlace* lock = rules.lockOf(place);
    return lock == nullptr || !parameterAt(scenario, place)
        ? Status(Done{})
        : Error{lockedText(*lock) + "; unlock it in the menu of its row (Shift+F10) to set it"};
}

std::vector<Tie> keyedTies(const Scenario& scenario, const ParameterRules& rules)
{
    std::vector<Tie> ties;
    for (const TiedPlace& tied : rules.ties) {
        const Result<Parameter> source = sourceOf(scenario, tied.place, tied.tie.source);
        const std::vector<int> runs = tied.place.run < 0
            ? std::vector<int>{tied.place.run}
            : repeatsOf(scenario.model, tied.place.run);
        for (const int run : runs) {
            const auto parameter = parameterAt(scenario, {run, tied.place.key});
            if (parameter && parameter->applies(scenario) && source) {
                ties.push_back({keyOfWholeRun(scenario, *parameter),
                                tied.tie.factor,
                                source->key,
                                tied.tie.offset});
            }
        }
    }
    return ties;
}

Status variable(const ParameterRules& rules, const Scenario& scenario, const std::string& key)
{
    const ParameterRules tiesAlone{rules.ties, {}};
    for (const Parameter& parameter : matchingParameters(scenario, key)) {
        FLOPSMITH_RETURN_IF_ERROR(settable(tiesAlone, scenario, placeOf(scenario, parameter)));
    }
    return Done{};
}

} // namespace flopsmith
