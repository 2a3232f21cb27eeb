// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/model/stack_units.h"
#include "ui/document/scenario_edit.h"

#include <algorithm>
#include <optional>

// Runs change places: within their pattern, or as wholes beside patterns. No move changes how many
// blocks there are.
namespace flopsmith::ui {
namespace {

/// Neighbours that move: some runs of a pattern's period, or some units of the stack.
struct Movers
{
    std::vector<UnitPlace> places; ///< of the runs
    bool inPeriod = false;
    std::size_t first = 0; ///< position in the period, or unit
    std::size_t count = 0;
};

Stack halfOf(const StackUnit& unit)
{
    return unit.period.front().block.stack;
}

// Some runs of one pattern, but not all of its period.
bool areInPeriod(const std::vector<StackUnit>& units, const std::vector<UnitPlace>& places)
{
    const StackUnit& unit = units[places.front().unit];
    return unit.isPattern() && places.front().unit == places.back().unit
        && places.size() < unit.period.size();
}

// Nothing if other runs stand between them, or a pattern is not there as a whole.
std::optional<Movers> moversOf(const std::vector<StackUnit>& units, const std::vector<int>& runs)
{
    Movers movers;
    for (const int run : runs) {
        movers.places.push_back(placeIn(units, run));
    }
    const UnitPlace first = movers.places.front();
    const UnitPlace last = movers.places.back();
    movers.inPeriod = areInPeriod(units, movers.places);
    movers.first = movers.inPeriod ? first.position : first.unit;
    movers.count = (movers.inPeriod ? last.position : last.unit) - movers.first + 1;
    std::size_t whole = movers.inPeriod ? movers.count : 0;
    for (std::size_t unit = first.unit; !movers.inPeriod && unit <= last.unit; ++unit) {
        whole += units[unit].period.size();
    }
    return runs.size() == whole ? std::optional(movers) : std::nullopt;
}

template <class Item>
void stepped(std::vector<Item>& items, std::size_t firstItem, std::size_t count, int by)
{
    const auto first = items.begin() + static_cast<std::ptrdiff_t>(firstItem);
    const auto end = first + static_cast<std::ptrdiff_t>(count);
    if (by < 0) {
        std::rotate(first - 1, first, end);
    } else {
        std::rotate(first, end, end + 1);
    }
}

template <class Item>
void carried(std::vector<Item>& items, std::size_t from, std::size_t to)
{
    Item item = std::move(items[from]);
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(from));
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(to), std::move(item));
}

// Before which unit a run goes that is to stand before the run at `place`; beside a pattern that
// this is inside of, on the side that it reaches first.
std::size_t unitAt(const std::vector<StackUnit>& units, std::size_t from, int place)
{
    const UnitPlace target = placeIn(units, place);
    const bool inside = target.unit < units.size() && runOfPlace(units, {target.unit, 0}) < place;
    return inside && target.unit > from ? target.unit + 1 : target.unit;
}

std::size_t placeInHalf(const std::vector<StackUnit>& units, std::size_t from, std::size_t wanted)
{
    const auto decoders = static_cast<std::size_t>(
        std::find_if(units.begin(),
                     units.end(),
                     [](const StackUnit& unit) { return halfOf(unit) == Stack::decoder; })
        - units.begin());
    const std::size_t target = wanted > from ? wanted - 1 : wanted;
    return halfOf(units[from]) == Stack::encoder ? std::min(target, decoders - 1)
                                                 : std::clamp(target, decoders, units.size() - 1);
}

} // namespace

std::vector<int> moveRuns(Scenario& scenario, const std::vector<int>& runs, int by)
{
    FLOPSMITH_CHECK(canMoveRuns(scenario, runs, by));
    std::vector<StackUnit> units = stackUnits(scenario.model);
    Movers movers = *moversOf(units, runs);
    if (movers.inPeriod) {
        stepped(units[movers.places.front().unit].period, movers.first, movers.count, by);
    } else {
        stepped(units, movers.first, movers.count, by);
    }
    setStackUnits(scenario.model, units);
    std::vector<int> moved;
    for (UnitPlace& place : movers.places) {
        std::size_t& step = movers.inPeriod ? place.position : place.unit;
        step = by < 0 ? step - 1 : step + 1;
        moved.push_back(runOfPlace(units, place));
    }
    return moved;
}

bool canMoveRuns(const Scenario& scenario, const std::vector<int>& runs, int by)
{
    if (runs.empty()) {
        return false;
    }
    const std::vector<StackUnit> units = stackUnits(scenario.model);
    const std::optional<Movers> movers = moversOf(units, runs);
    if (!movers) {
        return false;
    }
    const UnitPlace first = movers->places.front();
    const std::size_t end = movers->first + movers->count;
    const std::size_t size = movers->inPeriod ? units[first.unit].period.size() : units.size();
    if (by < 0 ? movers->first == 0 : end == size) {
        return false;
    }
    const std::size_t passed = by < 0 ? movers->first - 1 : end;
    return movers->inPeriod
        || (halfOf(units[movers->first]) == halfOf(units[end - 1])
            && halfOf(units[movers->first]) == halfOf(units[passed]));
}

bool areNeighbours(const std::vector<int>& runs)
{
    return runs.empty() || runs.back() - runs.front() + 1 == static_cast<int>(runs.size());
}

bool areNeighbours(const Scenario& scenario, const std::vector<int>& runs)
{
    std::vector<int> places;
    const std::vector<int> shown = shownRuns(scenario.model);
    for (const int run : runs) {
        places.push_back(static_cast<int>(
            std::lower_bound(shown.begin(), shown.end(), shownRun(scenario.model, run))
            - shown.begin()));
    }
    return areNeighbours(places);
}

int moveRunTo(Scenario& scenario, int run, int place)
{
    std::vector<StackUnit> units = stackUnits(scenario.model);
    UnitPlace at = placeIn(units, run);
    if (units[at.unit].isPattern()) {
        const int first = runOfPlace(units, {at.unit, 0});
        const auto size = static_cast<int>(units[at.unit].period.size());
        const auto wanted = static_cast<std::size_t>(std::clamp(place - first, 0, size));
        const std::size_t target = wanted > at.position ? wanted - 1 : wanted;
        carried(units[at.unit].period, at.position, target);
        at.position = target;
    } else {
        const std::size_t target = placeInHalf(units, at.unit, unitAt(units, at.unit, place));
        carried(units, at.unit, target);
        at.unit = target;
    }
    setStackUnits(scenario.model, units);
    return runOfPlace(units, at);
}

} // namespace flopsmith::ui
