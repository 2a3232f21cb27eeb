// SPDX-License-Identifier: MIT
#include "core/present/table/cost_tables.h"

#include "core/io/table/common_units.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace flopsmith {
namespace {

constexpr const char* kWhole = "whole model";

bool isOfDesign(const Donut& donut)
{
    return !donut.brief.empty();
}

// "FLOPs", "time"; of a design its letter, with the unit below it.
Column donutColumn(const Donut& donut)
{
    const bool areMacs = donut.key.starts_with("macs");
    if (isOfDesign(donut)) {
        return figureColumn(donut.key, donut.brief, areMacs ? "MACs" : "FLOPs");
    }
    const std::string title = donut.key == "parameters" ? "params"
        : donut.key == "bytes"                          ? "bytes moved"
        : donut.key == "seconds"                        ? "time"
        : areMacs                                       ? "MACs"
                                                        : "FLOPs";
    return figureColumn(donut.key, title);
}

Cell amountCell(const Donut& donut, Count count, double value)
{
    if (donut.key == "parameters") {
        return Cell::parameters(count);
    }
    if (donut.key == "bytes") {
        return Cell::bytes(count);
    }
    return donut.key == "seconds" ? Cell::seconds(value) : Cell::count(count);
}

// What a measured donut does not have yet is missing; of a computed one it is nothing.
Cell absent(const Donut& donut)
{
    return donut.isComplete && !donut.empty() ? amountCell(donut, 0, 0.0) : missingCell();
}

Cell sliceCell(const Donut& donut, const Component& component)
{
    const Slice* slice = donut.slice(component);
    return slice == nullptr || slice->isPart ? absent(donut)
                                             : amountCell(donut, slice->count, slice->value);
}

Cell sliceShare(const Donut& donut, const Component& component)
{
    const Slice* slice = donut.slice(component);
    if (!donut.isComplete || donut.empty() || (slice != nullptr && slice->isPart)) {
        return missingCell();
    }
    return Cell::share(slice == nullptr ? 0.0 : slice->share);
}

double countIn(const Donut& donut, const Component& component)
{
    const Slice* slice = donut.slice(component);
    return slice == nullptr ? 0.0 : toDouble(slice->count);
}

Cell wholeCell(const Donut& donut)
{
    if (donut.empty()) {
        return missingCell(donut.emptyText);
    }
    if (!donut.isComplete) {
        return missingCell(donut.figure + " " + donut.unit);
    }
    return amountCell(donut, donut.count, donut.total);
}

bool isFurther(const Donut& donut, std::span<const Donut> donuts)
{
    return isOfDesign(donut) && &donut != &donuts.front();
}

// A share of everything, for which there is no space beside other designs.
void addShare(std::vector<Cell>& row, Count bytes, Count whole, bool isAlone)
{
    if (isAlone) {
        row.push_back(Cell::share(whole > 0 ? toDouble(bytes) / toDouble(whole) : 0.0));
    }
}

// The memory of one kind, or of all kinds, of which the components are parts.
void addMemory(ChartTable& made, const MemoryBar& bar, Count whole)
{
    const bool isAlone = bar.ghosts.empty();
    std::vector<Cell> row{nameCell(bar.title), Cell::bytes(bar.bytes)};
    addShare(row, bar.bytes, whole, isAlone);
    for (const MemoryGhost& ghost : bar.ghosts) {
        row.push_back(Cell::bytes(ghost.bytes));
        row.push_back(changeCell(toDouble(bar.bytes), toDouble(ghost.bytes)));
    }
    made.add(nullptr, std::move(row));
    for (const MemorySegment& segment : bar.segments) {
        if (!bar.kind) {
            break; // the parts of everything are those of the kinds below
        }
        std::vector<Cell> part{nameCell(std::string(segment.component->title), 1),
                               Cell::bytes(segment.bytes)};
        addShare(part, segment.bytes, whole, isAlone);
        part.resize(made.table.columns.size()); // other designs have totals alone
        made.add(segment.component, std::move(part));
    }
}

Count segmentCount(const ComparisonBar& bar, const Component& component)
{
    const auto found = std::find_if(
        bar.segments.begin(), bar.segments.end(), [&](const ComparisonSegment& segment) {
            return segment.component->id == component.id;
        });
    return found == bar.segments.end() ? Count{0} : found->count;
}

// "live" of "live GPT-2 small"; a name without a letter is short enough.
std::string letterOf(const std::string& title)
{
    const std::size_t space = title.find(' ');
    const std::string first = title.substr(0, space);
    return first == "live" || first.size() == 1 ? first : title;
}

template <class CountOf>
std::vector<Cell> designCells(const ComparisonChart& chart,
                              const std::string& name,
                              const CountOf& countOf)
{
    const Count live = countOf(chart.bars.front());
    std::vector<Cell> row{nameCell(name), Cell::count(live)};
    for (std::size_t i = 1; i < chart.bars.size(); ++i) {
        const Count other = countOf(chart.bars[i]);
        row.push_back(Cell::count(other));
        row.push_back(changeCell(toDouble(live), toDouble(other)));
    }
    return row;
}

} // namespace

ChartTable shareTable(std::span<const Donut> donuts)
{
    ChartTable made{.table = {.columns = {wordColumn("component", "component")}}};
    for (const Donut& donut : donuts) {
        made.table.columns.push_back(donutColumn(donut));
        made.table.columns.push_back(isFurther(donut, donuts)
                                         ? changeColumn(donut.brief)
                                         : figureColumn(donut.key + "_share", "share"));
    }
    for (const LegendRow& row : legendRows(donuts)) {
        std::vector<Cell> cells{nameCell(row.title)};
        for (const Donut& donut : donuts) {
            const Component& component = *row.component;
            cells.push_back(sliceCell(donut, component));
            cells.push_back(isFurther(donut, donuts) ? changeCell(
                                countIn(donuts.front(), component), countIn(donut, component))
                                                     : sliceShare(donut, component));
        }
        made.add(row.component, std::move(cells));
    }
    std::vector<Cell> whole{nameCell(kWhole)};
    for (const Donut& donut : donuts) {
        const bool isKnown = donut.isComplete && !donut.empty();
        whole.push_back(wholeCell(donut));
        whole.push_back(isFurther(donut, donuts)
                            ? changeCell(toDouble(donuts.front().count), toDouble(donut.count))
                            : isKnown ? Cell::share(1.0)
                                      : missingCell());
    }
    made.add(nullptr, std::move(whole));
    made.table = inCommonUnits(std::move(made.table));
    return made;
}

ChartTable memoryTable(const MemoryChart& chart)
{
    ChartTable made{.table = {.columns = {wordColumn("kind", "memory")}}};
    made.table.columns.push_back(figureColumn("bytes", chart.others.empty() ? "size" : "live"));
    if (chart.others.empty()) {
        made.table.columns.push_back(figureColumn("share", "share"));
    }
    for (const MemoryLegendEntry& other : chart.others) {
        const std::string letter(other.component->title);
        made.table.columns.push_back(figureColumn("bytes_" + letter, letter));
        made.table.columns.push_back(changeColumn(letter));
    }
    for (const MemoryBar& bar : chart.bars) {
        addMemory(made, bar, chart.bars.front().bytes);
    }
    made.table = inCommonUnits(std::move(made.table));
    return made;
}

ChartTable waterfallTable(const WaterfallChart& chart)
{
    ChartTable made{.table = {.columns = {wordColumn("step", "step")}}};
    made.table.columns.push_back(chart.others.empty() ? figureColumn("amount", chart.unit)
                                                      : figureColumn("amount", "live", chart.unit));
    for (const WaterfallDesign& other : chart.others) {
        const std::string letter(other.mark->title);
        made.table.columns.push_back(figureColumn("amount_" + letter, letter, chart.unit));
        made.table.columns.push_back(changeColumn(letter));
    }
    made.table.columns.push_back(wordColumn("note", "what is charged"));
    for (const WaterfallBar& bar : chart.bars) {
        std::vector<Cell> row{nameCell(bar.title), Cell::count(bar.amount)};
        for (const WaterfallGhost& ghost : bar.ghosts) {
            row.push_back(Cell::count(ghost.amount));
            const bool isSameSide = (bar.amount < 0) == (ghost.amount < 0);
            row.push_back(isSameSide ? changeCell(std::abs(toDouble(bar.amount)),
                                                  std::abs(toDouble(ghost.amount)))
                                     : missingCell());
        }
        row.push_back(Cell::text(bar.note));
        made.add(nullptr, std::move(row));
    }
    made.table = inCommonUnits(std::move(made.table));
    return made;
}

ChartTable comparisonBarsTable(const ComparisonChart& chart)
{
    ChartTable made{.table = {.columns = {wordColumn("component", "component")}}};
    for (std::size_t i = 0; i < chart.bars.size(); ++i) {
        const std::string letter = letterOf(chart.bars[i].title);
        made.table.columns.push_back(figureColumn(chart.key + "_" + letter, letter, chart.unit));
        if (i > 0) {
            made.table.columns.push_back(changeColumn(letter));
        }
    }
    for (const ComparisonLegendEntry& entry : chart.legend) {
        made.add(entry.component,
                 designCells(chart,
                             std::string(entry.component->title),
                             [&entry](const ComparisonBar& bar) {
                                 return segmentCount(bar, *entry.component);
                             }));
    }
    made.add(nullptr,
             designCells(chart, kWhole, [](const ComparisonBar& bar) { return bar.count; }));
    made.table = inCommonUnits(std::move(made.table));
    return made;
}

} // namespace flopsmith
