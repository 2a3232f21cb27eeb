// SPDX-License-Identifier: MIT
#include "core/parameter/parameter_rules.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/model/pattern.h"
#include "core/parameter/parameter_lookup.h"
#include "core/parameter/run_origins.h"
#include "core/parameter/validation.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::string_view kLayersKey = "layers";
constexpr std::string_view kRepeatKey = "repeat";

bool holdsNumber(const Scenario& scenario, const Parameter& parameter)
{
    const FieldValue value = parameter.value(scenario);
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

std::string ownName(const ParameterPlace& place)
{
    return place.key.substr(place.key.rfind('.') + 1); // npos + 1 is 0
}

// "heads" as a key of one block: "blocks[6].heads".
std::string keyInBlocks(const Scenario& scenario, int run, const std::string& name)
{
    return std::string(kBlockKey) + std::to_string(scenario.model.firstBlock(run)) + "]." + name;
}

// Those of the run that the name means, without the parameter itself.
std::vector<Parameter> sourcesInRun(const Scenario& scenario,
                                    const ParameterPlace& place,
                                    const std::string& name)
{
    if (place.run < 0) {
        return {};
    }
    std::vector<Parameter> found =
        matchingParameters(scenario, keyInBlocks(scenario, place.run, name));
    std::erase_if(found, [&](const Parameter& p) { return placeOf(scenario, p) == place; });
    return found;
}

// One of the model or the workload.
std::optional<Parameter> sourceOutside(const Scenario& scenario,
                                       const ParameterPlace& place,
                                       const std::string& name)
{
    const ParameterPlace exact{-1, name};
    std::optional<Parameter> found = parameterAt(scenario, exact);
    const bool usable = found && found->applies(scenario) && exact != place;
    return usable ? found : std::nullopt;
}

Error noSource(const Scenario& scenario, const ParameterPlace& place, const std::string& name)
{
    if (name == ownName(place)) {
        return {name + ": tied to itself; one parameter must lead"};
    }
    if (place.run < 0 && !matchingParameters(scenario, name).empty()) {
        return {excerpt(name) + " belongs to the blocks; " + ownName(place)
                + " can follow only parameters of the model and the workload"};
    }
    return {excerpt(name) + ": there is no such parameter here"};
}

// Where the source of a tie is, or nothing if it is gone.
std::optional<ParameterPlace> sourcePlace(const Scenario& scenario, const TiedPlace& tied)
{
    const Result<Parameter> source = sourceOf(scenario, tied.place, tied.tie.source);
    return source ? std::optional(placeOf(scenario, *source)) : std::nullopt;
}

// Follows ties from the source of this one; a scenario has no more places than rules have ties.
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

/// A value that a tie asks of its parameter, which has another one.
struct AskedValue
{
    Parameter parameter;
    FieldValue value;
};

// Nothing if the tie holds, or leads nothing here.
std::optional<AskedValue> askedBy(const TiedPlace& tied, const Scenario& scenario)
{
    const auto parameter = parameterAt(scenario, tied.place);
    const Result<Parameter> source = sourceOf(scenario, tied.place, tied.tie.source);
    if (!parameter || !parameter->applies(scenario) || !source) {
        return std::nullopt;
    }
    const double wanted = tiedNumber(tied.tie, source->value(scenario));
    FieldValue value = parameter->legal(scenario).nearest(ofItsKind(*parameter, scenario, wanted));
    return value == parameter->value(scenario)
        ? std::nullopt
        : std::optional(AskedValue{*parameter, std::move(value)});
}

// Assigns the values of all ties, in as many passes as they depend on each other.
void assignTied(Scenario& scenario, const std::vector<TiedPlace>& ties)
{
    bool changed = true;
    for (std::size_t pass = 0; changed && pass <= ties.size(); ++pass) {
        changed = false;
        for (const TiedPlace& tied : ties) {
            if (const std::optional<AskedValue> asked = askedBy(tied, scenario)) {
                asked->parameter.assign(scenario, asked->value);
                changed = true;
            }
        }
    }
}

std::string lockedText(const LockedPlace& lock)
{
    return ownName(lock.place) + " is locked at " + valueText(lock.value);
}

// The rules of each run's predecessor, at the place where the run is now.
template <class Rule>
std::vector<Rule> moved(const std::vector<Rule>& rules, const std::vector<int>& from)
{
    std::vector<Rule> all;
    std::copy_if(rules.begin(), rules.end(), std::back_inserter(all), [](const Rule& rule) {
        return rule.place.run < 0;
    });
    for (std::size_t run = 0; run < from.size(); ++run) {
        for (Rule rule : rules) {
            if (rule.place.run >= 0 && rule.place.run == from[run]) {
                rule.place.run = static_cast<int>(run);
                all.push_back(std::move(rule));
            }
        }
    }
    return all;
}

template <class Rule>
const Rule* ruleAt(const std::vector<Rule>& rules, const ParameterPlace& place)
{
    const auto found = std::find_if(
        rules.begin(), rules.end(), [&place](const Rule& rule) { return rule.place == place; });
    return found == rules.end() ? nullptr : &*found;
}

// Whether the run is a further repeat of a pattern, which follows the first one.
bool isRepeat(const Scenario& scenario, const ParameterPlace& place)
{
    return place.run >= 0 && shownRun(scenario.model, place.run) != place.run;
}

// Whether the run shares its parameters with the same blocks as before.
bool sameGroup(const Scenario& one, const Scenario& other, int run)
{
    const auto groupOf = [run](const Scenario& scenario) {
        return scenario.model.runs.at(static_cast<std::size_t>(run)).block.shareGroup;
    };
    return run < 0 || groupOf(one) == groupOf(other);
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

Result<Parameter> sourceOf(const Scenario& scenario,
                           const ParameterPlace& place,
                           const std::string& source)
{
    std::vector<Parameter> found = sourcesInRun(scenario, place, source);
    if (found.size() > 1) {
        return Error{excerpt(source) + ": this block has several of that name; write "
                     + placeOf(scenario, found[0]).key + " or " + placeOf(scenario, found[1]).key};
    }
    if (found.empty()) {
        const std::optional<Parameter> outside = sourceOutside(scenario, place, source);
        if (!outside) {
            return noSource(scenario, place, source);
        }
        found.push_back(*outside);
    }
    if (!holdsNumber(scenario, found.front())) {
        return Error{excerpt(source) + " is no number; only numbers can be followed"};
    }
    return found.front();
}

std::vector<std::string> possibleSources(const Scenario& scenario, const ParameterPlace& place)
{
    std::vector<std::string> names;
    const auto add = [&](const Parameter& parameter) {
        const ParameterPlace at = placeOf(scenario, parameter);
        for (const std::string& name : {ownName(at), at.key}) {
            const Result<Parameter> found = sourceOf(scenario, place, name);
            if (found && placeOf(scenario, *found) == at) {
                names.push_back(name);
                return;
            }
        }
    };
    const std::vector<Parameter> workload = workloadParameters();
    const ParameterList model = modelParameterList();
    std::for_each(model->begin(), model->end(), add);
    std::for_each(workload.begin(), workload.end(), add);
    if (place.run >= 0) {
        const ParameterList block = blockParameterList(scenario, place.run);
        std::for_each(block->begin(), block->end(), add);
    }
    return names;
}

Status addTie(ParameterRules& rules,
              const Scenario& scenario,
              const ParameterPlace& place,
              std::string_view expression)
{
    if (const Status can = tieable(rules, scenario, place); !can) {
        return can;
    }
    const Result<Tie> tie = parsedTie(ownName(place), expression);
    if (!tie) {
        return tie.error();
    }
    if (const Result<Parameter> source = sourceOf(scenario, place, tie->source); !source) {
        return source.error();
    }
    ParameterRules changed = rules;
    changed.removeTie(place);
    changed.ties.push_back({place, *tie});
    if (leadsToItself(changed, scenario, changed.ties.back())) {
        return Error{tie->key + ": tied to itself by way of " + tie->source
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

void follow(Scenario& scenario, const ParameterRules& rules)
{
    constexpr int kFollowPasses = 4; // what a repair changes can lead again
    for (int pass = 0; !rules.ties.empty() && pass < kFollowPasses; ++pass) {
        const Scenario before = scenario;
        assignTied(scenario, rules.ties);
        if (scenario == before) {
            return;
        }
        repair(scenario);
    }
}

Status keepLocks(Scenario& scenario, const ParameterRules& rules)
{
    const LockedPlace* restored = nullptr;
    for (const LockedPlace& lock : rules.locks) {
        const std::optional<Parameter> parameter = parameterAt(scenario, lock.place);
        if (!parameter || parameter->value(scenario) == lock.value) {
            continue;
        }
        if (isLength(*parameter)) { // which blocks would come or go is nobody's to decide
            return Error{lockedText(lock) + ", and this would change it; unlock it first"};
        }
        parameter->assign(scenario, lock.value);
        restored = &lock;
        if (const LegalValues legal = parameter->legal(scenario); !legal.contains(lock.value)) {
            return Error{lockedText(lock) + ", which this does not allow (" + legal.text()
                         + "); unlock it first"};
        }
    }
    if (restored != nullptr && !validated(scenario)) {
        return Error{lockedText(*restored) + ", which this does not allow; unlock it first"};
    }
    return Done{};
}

void setWithRules(Scenario& scenario,
                  Wishes& wishes,
                  const ParameterRules& rules,
                  const Parameter& parameter,
                  const FieldValue& value,
                  const std::function<void(Scenario&)>& copy)
{
    if (!rules.ties.empty()) {
        Scenario led = scenario;
        parameter.assign(led, value);
        if (copy) {
            copy(led);
        }
        assignTied(led, rules.ties);
        for (const TiedPlace& tied : rules.ties) {
            const auto followerNow = parameterAt(led, tied.place);
            if (followerNow && !isLength(*followerNow)
                && sameGroup(led, scenario, tied.place.run)) { // else the variant may be another
                followerNow->assign(scenario, followerNow->value(led));
            }
        }
    }
    setWithWishes(scenario, wishes, parameter, value, copy);
    std::erase_if(wishes.values, [&rules](const Wish& wish) {
        return rules.tieOf(wish.place) != nullptr || rules.lockOf(wish.place) != nullptr;
    });
    follow(scenario, rules);
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
        const Status free = settable(tiesAlone, scenario, placeOf(scenario, parameter));
        if (!free) {
            return free;
        }
    }
    return Done{};
}

std::string followedText(const ParameterChange& change, const Tie& tie, const Scenario& after)
{
    const std::string is = valueText(change.after);
    const std::string text = tie.key + " = " + shownExpression(tie) + ": "
        + (change.before == change.after ? "stays " + is
                                         : valueText(change.before) + " \xE2\x86\x92 " + is);
    const Result<Parameter> source = sourceOf(after, change.place, tie.source);
    const double wanted = source ? tiedNumber(tie, source->value(after)) : 0;
    const bool met = source && change.after == ofItsKind(change.parameter, after, wanted);
    return met ? text : text + " (the legal value nearest to " + numberText(wanted) + ")";
}

ParameterRules carriedOver(const ParameterRules& rules,
                           const Scenario& before,
                           const Scenario& after)
{
    if (rules.isEmpty()
        || (before.model.runs == after.model.runs
            && before.model.patterns == after.model.patterns)) {
        return rules;
    }
    const std::vector<int> from = runsTheyWere(before.model, after.model);
    ParameterRules carried{moved(rules.ties, from), moved(rules.locks, from)};
    std::erase_if(carried.locks, [&after](const LockedPlace& lock) {
        const auto parameter = parameterAt(after, lock.place);
        return !parameter || parameter->value(after).index() != lock.value.index();
    });
    std::erase_if(carried.ties, [&after](const TiedPlace& tied) {
        const auto parameter = parameterAt(after, tied.place);
        return !parameter || !holdsNumber(after, *parameter) || !sourcePlace(after, tied);
    });
    const auto isHidden = [&after](const auto& rule) { return isRepeat(after, rule.place); };
    std::erase_if(carried.ties, isHidden);
    std::erase_if(carried.locks, isHidden);
    return carried;
}

ParameterRules holdingRules(const ParameterRules& rules,
                            const Scenario& scenario,
                            std::vector<std::string>& reasons)
{
    ParameterRules holding;
    for (const TiedPlace& tied : rules.ties) {
        if (isRepeat(scenario, tied.place)) {
            reasons.push_back(tied.place.key
                              + ": a further repeat of a pattern follows the first one; it is not "
                                "tied");
            continue;
        }
        ParameterRules with = holding;
        const Status added = addTie(with, scenario, tied.place, expressionText(tied.tie));
        if (!added) {
            reasons.push_back(added.error().message + "; it is not tied");
        } else if (askedBy(tied, scenario)) {
            reasons.push_back(tied.tie.key + " is not " + shownExpression(tied.tie)
                              + "; it is not tied");
        } else {
            holding = std::move(with);
        }
    }
    for (const LockedPlace& lock : rules.locks) {
        if (isRepeat(scenario, lock.place)) {
            reasons.push_back(lock.place.key
                              + ": a further repeat of a pattern follows the first one; it is not "
                                "locked");
            continue;
        }
        if (const Status added = addLock(holding, scenario, lock.place); !added) {
            reasons.push_back(added.error().message + "; it is not locked");
        }
    }
    return holding;
}

} // namespace flopsmith
