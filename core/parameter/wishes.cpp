// SPDX-License-Identifier: MIT
#include "core/parameter/wishes.h"

#include "core/parameter/differences.h"
#include "core/parameter/validation.h"

#include <algorithm>

namespace flopsmith {
namespace {

const Wish* wishFor(const Wishes& wishes, const ParameterPlace& place)
{
    const auto found = std::find_if(wishes.values.begin(),
                                    wishes.values.end(),
                                    [&place](const Wish& wish) { return wish.place == place; });
    return found == wishes.values.end() ? nullptr : &*found;
}

// Moves one parameter as near to its wish as is legal; returns whether that changed anything.
bool approach(Scenario& scenario, const Wish& wish)
{
    const std::optional<Parameter> parameter = parameterAt(scenario, wish.place);
    if (!parameter || !parameter->applies(scenario)) {
        return false;
    }
    const FieldValue nearest = parameter->legal(scenario).nearest(wish.value);
    if (nearest == parameter->value(scenario)) {
        return false;
    }
    parameter->assign(scenario, nearest);
    return true;
}

// A wish must not move anything else.
bool isSettled(const Scenario& scenario)
{
    Scenario settled = scenario;
    repair(settled);
    return settled == scenario && validated(scenario).ok();
}

bool grantAll(Scenario& scenario, const std::vector<Wish>& wishes)
{
    Scenario granted = scenario;
    bool changed = false;
    for (const Wish& wish : wishes) {
        changed = approach(granted, wish) || changed;
    }
    if (changed && !isSettled(granted)) {
        return false;
    }
    scenario = std::move(granted);
    return true;
}

// All wishes together, which nearly always works and needs one check; otherwise each that is
// possible.
void grant(Scenario& scenario, const std::vector<Wish>& wishes)
{
    if (wishes.empty() || grantAll(scenario, wishes)) {
        return;
    }
    for (const Wish& wish : wishes) {
        grantAll(scenario, {wish});
    }
}

// Drops wishes for the parameter that is being set, in every run that took its value.
std::vector<Wish> withoutOvertaken(const Wishes& wishes,
                                   const Scenario& changed,
                                   const ParameterPlace& set,
                                   const FieldValue& value)
{
    std::vector<Wish> left;
    for (const Wish& wish : wishes.values) {
        const std::optional<Parameter> parameter = parameterAt(changed, wish.place);
        const bool overtaken = wish.place == set
            || (wish.place.key == set.key && parameter && parameter->value(changed) == value);
        if (parameter && !overtaken) {
            left.push_back(wish);
        }
    }
    return left;
}

// Values that changed although the change itself did not assign them, and so were not intended.
void addNewWishes(Wishes& wishes,
                  const Scenario& assigned,
                  const Scenario& settled,
                  const ParameterPlace& set)
{
    for (const ParameterDifference& change : parameterDifferences(assigned, settled)) {
        const bool meant = change.place.key == set.key || isLength(change.parameter);
        if (!meant && wishFor(wishes, change.place) == nullptr) {
            wishes.values.push_back({change.place, change.before});
        }
    }
}

void forgetGranted(Wishes& wishes, const Scenario& scenario)
{
    const auto isGranted = [&scenario](const Wish& wish) {
        const std::optional<Parameter> parameter = parameterAt(scenario, wish.place);
        return !parameter || parameter->value(scenario) == wish.value;
    };
    wishes.values.erase(std::remove_if(wishes.values.begin(), wishes.values.end(), isGranted),
                        wishes.values.end());
}

std::vector<int> repeatsOf(const Model& model)
{
    std::vector<int> repeats;
    for (const BlockRun& run : model.runs) {
        repeats.push_back(run.repeat);
    }
    return repeats;
}

// The number of layers is spread over the runs in proportion to their intended lengths.
void beginLength(Scenario& scenario, Wishes& wishes, const Parameter& parameter)
{
    if (parameter.text.key == "repeat") {
        wishes.repeats.clear();
    }
    if (parameter.text.key != "layers") {
        return;
    }
    if (wishes.repeats.size() != scenario.model.runs.size()) {
        wishes.repeats = repeatsOf(scenario.model);
    }
    for (std::size_t i = 0; i < wishes.repeats.size(); ++i) {
        scenario.model.runs[i].repeat = wishes.repeats[i];
    }
}

} // namespace

void setWithWishes(Scenario& scenario,
                   Wishes& wishes,
                   const Parameter& parameter,
                   const FieldValue& value,
                   const std::function<void(Scenario&)>& copy)
{
    const ParameterPlace place = placeOf(scenario, parameter);
    beginLength(scenario, wishes, parameter);
    Scenario assigned = scenario;
    parameter.assign(assigned, value);
    Scenario settled = assigned;
    repair(settled);
    if (copy) {
        copy(assigned);
        copy(settled);
    }
    wishes.values = withoutOvertaken(wishes, settled, place, value);
    const std::vector<Wish> old = wishes.values;
    addNewWishes(wishes, assigned, settled, place);
    grant(settled, old);
    forgetGranted(wishes, settled);
    if (wishes.repeats == repeatsOf(settled.model)) {
        wishes.repeats.clear();
    }
    scenario = std::move(settled);
}

Wishes carriedOver(const Wishes& wishes, const Model& before, const Model& after)
{
    const auto same = [](const BlockRun& a, const BlockRun& b) { return a.block == b.block; };
    const auto equalFrom = [&same](auto first, auto end, auto other, auto otherEnd) {
        return static_cast<int>(std::mismatch(first, end, other, otherEnd, same).first - first);
    };
    const auto& was = before.runs;
    const auto& is = after.runs;
    const int head = equalFrom(was.begin(), was.end(), is.begin(), is.end());
    const int tail = equalFrom(was.rbegin(), was.rend(), is.rbegin(), is.rend());
    const int grown = static_cast<int>(is.size()) - static_cast<int>(was.size());
    Wishes carried;
    if (repeatsOf(before) == repeatsOf(after)) {
        carried.repeats = wishes.repeats;
    }
    for (Wish wish : wishes.values) {
        const bool inHead = wish.place.run < head;
        if (!inHead && static_cast<int>(was.size()) - wish.place.run <= tail) {
            wish.place.run += grown;
        } else if (!inHead && grown != 0) {
            continue;
        }
        carried.values.push_back(std::move(wish));
    }
    return carried;
}

} // namespace flopsmith
