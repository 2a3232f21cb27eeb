// SPDX-License-Identifier: MIT
#include "core/model/repeated_runs.h"

#include "core/base/check.h"
#include "core/model/stack_units.h"

#include <algorithm>

namespace flopsmith {
namespace {

/// Which units the runs are, or which part of one pattern's period.
struct RepeatedPart
{
    std::vector<UnitPlace> places;
    bool isInPeriod = false; ///< some runs of one pattern, but not all
    bool isTogether = false; ///< nothing else stands between them, and patterns are there as wholes

    std::size_t firstUnit() const { return places.front().unit; }
    std::size_t endUnit() const { return places.back().unit + 1; }
};

RepeatedPart repeatedPart(const std::vector<StackUnit>& units, const std::vector<int>& runs)
{
    RepeatedPart part;
    for (const int run : runs) {
        part.places.push_back(placeIn(units, run));
    }
    const UnitPlace& first = part.places.front();
    const UnitPlace& last = part.places.back();
    const StackUnit& unit = units[first.unit];
    part.isInPeriod =
        unit.isPattern() && first.unit == last.unit && runs.size() < unit.period.size();
    std::size_t whole = part.isInPeriod ? last.position - first.position + 1 : 0;
    for (std::size_t i = first.unit; !part.isInPeriod && i <= last.unit; ++i) {
        whole += units[i].period.size();
    }
    part.isTogether = runs.size() == whole;
    return part;
}

bool haveEqualBlocks(const std::vector<BlockRun>& runs)
{
    return std::all_of(runs.begin(), runs.end(), [&runs](const BlockRun& run) {
        return run.block == runs.front().block;
    });
}

template <class Item>
void insertCopies(std::vector<Item>& items, std::size_t first, std::size_t end, int more)
{
    const auto at = [&items](std::size_t index) {
        return items.begin() + static_cast<std::ptrdiff_t>(index);
    };
    const std::vector<Item> copied(at(first), at(end));
    for (int i = 0; i < more; ++i) {
        items.insert(at(end), copied.begin(), copied.end());
    }
}

// Several runs as one pattern, or as one longer run if their blocks are equal.
StackUnit repeatedTogether(std::vector<StackUnit>& units, std::size_t first, std::size_t end, int n)
{
    StackUnit all{{}, n};
    for (std::size_t i = first; i < end; ++i) {
        all.period.push_back(units[i].period.front());
    }
    if (haveEqualBlocks(all.period)) {
        int blocks = 0;
        for (const BlockRun& run : all.period) {
            blocks += run.repeat;
        }
        all.period.resize(1);
        all.period.front().repeat = blocks;
    }
    return all;
}

void repeatInPeriod(StackUnit& unit, const RepeatedPart& part, int more)
{
    const std::size_t first = part.places.front().position;
    const std::size_t end = part.places.back().position + 1;
    if (end == first + 1) {
        unit.period[first].repeat *= more + 1;
    } else {
        insertCopies(unit.period, first, end, more);
    }
}

// Of whole units, which become one if none of them is a pattern. Returns whether they became a
// single run.
bool repeatUnits(std::vector<StackUnit>& units, const RepeatedPart& part, int more)
{
    const std::size_t first = part.firstUnit();
    const std::size_t end = part.endUnit();
    const auto at = units.begin() + static_cast<std::ptrdiff_t>(first);
    if (end == first + 1) {
        (at->isPattern() ? at->times : at->period.front().repeat) *= more + 1;
        return false;
    }
    const auto past = units.begin() + static_cast<std::ptrdiff_t>(end);
    if (std::any_of(at, past, [](const StackUnit& unit) { return unit.isPattern(); })) {
        insertCopies(units, first, end, more);
        return false;
    }
    *at = repeatedTogether(units, first, end, more + 1);
    const bool isOneRun = at->period.size() == 1;
    units.erase(at + 1, past);
    return isOneRun;
}

} // namespace

std::string whyNotRepeated(const Model& model, const std::vector<int>& runs)
{
    if (runs.empty()) {
        return "Only blocks can be repeated: select some first.";
    }
    const std::vector<StackUnit> units = stackUnits(model);
    const RepeatedPart part = repeatedPart(units, runs);
    if (!part.isTogether) {
        return "Other blocks stand between the selected ones: only neighbours are repeated.";
    }
    const auto half = [&units](std::size_t unit) { return units[unit].period.front().block.stack; };
    return half(part.firstUnit()) == half(part.endUnit() - 1)
        ? std::string()
        : "Blocks are repeated in the encoder or in the decoder, not in both.";
}

std::vector<int> repeatRuns(Model& model, const std::vector<int>& runs, int more)
{
    FLOPSMITH_CHECK(more >= 1 && whyNotRepeated(model, runs).empty());
    std::vector<StackUnit> units = stackUnits(model);
    const RepeatedPart part = repeatedPart(units, runs);
    bool isOneRun = false;
    if (part.isInPeriod) {
        repeatInPeriod(units[part.firstUnit()], part, more);
    } else {
        isOneRun = repeatUnits(units, part, more);
    }
    setStackUnits(model, units);
    return isOneRun ? std::vector<int>{runs.front()} : runs;
}

} // namespace flopsmith
