// SPDX-License-Identifier: MIT
#include "core/model/stack_units.h"

#include "core/base/check.h"

#include <algorithm>

namespace flopsmith {
namespace {

StackUnit withoutLonePeriod(StackUnit unit)
{
    if (unit.isPattern() && unit.period.size() == 1) {
        unit.period.front().repeat *= unit.times;
        unit.times = 0;
    }
    return unit;
}

} // namespace

std::vector<StackUnit> stackUnits(const Model& model)
{
    std::vector<StackUnit> units;
    const int count = static_cast<int>(model.runs.size());
    for (int run = 0; run < count;) {
        const int index = patternOf(model, run);
        const Pattern alone{run, 1, 0};
        const Pattern& shown = index < 0 ? alone : model.patterns[static_cast<std::size_t>(index)];
        const auto first = model.runs.begin() + run;
        units.push_back({{first, first + shown.length}, shown.times});
        run += units.back().runs();
    }
    return units;
}

void setStackUnits(Model& model, const std::vector<StackUnit>& units)
{
    model.runs.clear();
    model.patterns.clear();
    for (const StackUnit& given : units) {
        const StackUnit unit = withoutLonePeriod(given);
        if (unit.isPattern() && !unit.period.empty()) {
            model.patterns.push_back({static_cast<int>(model.runs.size()),
                                      static_cast<int>(unit.period.size()),
                                      unit.times});
        }
        for (int i = 0; i < std::max(unit.times, 1); ++i) {
            model.runs.insert(model.runs.end(), unit.period.begin(), unit.period.end());
        }
    }
}

UnitPlace placeIn(const std::vector<StackUnit>& units, int run)
{
    int first = 0;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        if (run < first + units[unit].runs()) {
            return {unit, static_cast<std::size_t>(run - first) % units[unit].period.size()};
        }
        first += units[unit].runs();
    }
    FLOPSMITH_CHECK(run == first);
    return {units.size(), 0};
}

int runOfPlace(const std::vector<StackUnit>& units, const UnitPlace& place)
{
    int run = static_cast<int>(place.position);
    for (std::size_t unit = 0; unit < place.unit; ++unit) {
        run += withoutLonePeriod(units[unit]).runs();
    }
    return run;
}

int insertRunBehind(Model& model, int run, const BlockRun& added)
{
    std::vector<StackUnit> units = stackUnits(model);
    UnitPlace place = placeIn(units, run);
    if (units[place.unit].isPattern()) {
        ++place.position;
        auto& period = units[place.unit].period;
        period.insert(period.begin() + static_cast<std::ptrdiff_t>(place.position), added);
    } else {
        place = {place.unit + 1, 0};
        units.insert(units.begin() + static_cast<std::ptrdiff_t>(place.unit), {{added}, 0});
    }
    setStackUnits(model, units);
    return runOfPlace(units, place);
}

int insertRunOutside(Model& model, int place, const BlockRun& added)
{
    const int pattern = patternOf(model, place);
    const Pattern* around =
        pattern < 0 ? nullptr : &model.patterns[static_cast<std::size_t>(pattern)];
    const int at = around != nullptr && around->firstRun < place ? around->end() : place;
    model.runs.insert(model.runs.begin() + at, BlockRun(added));
    shiftPatterns(model, at, 1);
    return at;
}

void eraseRuns(Model& model, const std::vector<int>& runs)
{
    std::vector<StackUnit> units = stackUnits(model);
    std::vector<UnitPlace> places;
    for (const int run : runs) {
        const UnitPlace place = placeIn(units, run);
        if (std::find(places.begin(), places.end(), place) == places.end()) {
            places.push_back(place);
        }
    }
    std::sort(places.begin(), places.end(), [](const UnitPlace& a, const UnitPlace& b) {
        return a.unit != b.unit ? a.unit > b.unit : a.position > b.position; // last first
    });
    for (const UnitPlace& place : places) {
        auto& period = units[place.unit].period;
        period.erase(period.begin() + static_cast<std::ptrdiff_t>(place.position));
    }
    setStackUnits(model, units);
}

int splitRunBehind(Model& model, int run, int blocks)
{
    BlockRun rest = model.runs.at(static_cast<std::size_t>(run));
    FLOPSMITH_CHECK(blocks > 0 && blocks < rest.repeat);
    rest.repeat -= blocks;
    model.runs[static_cast<std::size_t>(run)].repeat = blocks;
    alignRepeats(model, run);
    return insertRunBehind(model, run, rest);
}

} // namespace flopsmith
