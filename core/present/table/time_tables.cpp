// SPDX-License-Identifier: MIT
#include "core/present/table/time_tables.h"

#include "core/base/field.h"
#include "core/base/text.h"
#include "core/io/table/common_units.h"

#include <algorithm>
#include <string>

namespace flopsmith {
namespace {

constexpr const char* kAllParts = "all parts";
constexpr const char* kRough = "\xE2\x89\x88 ";

// A time, rough if its median has not settled; without one, the state of the part.
Cell timeCell(const RunTimeRow& row)
{
    if (!(row.seconds > 0.0)) {
        return Cell::text(row.timeText);
    }
    Cell cell = Cell::seconds(row.seconds);
    if (row.state == PartState::notSettled) {
        cell.shown.insert(0, kRough);
    }
    return cell;
}

Cell knownSeconds(double seconds)
{
    return seconds > 0.0 ? Cell::seconds(seconds) : missingCell();
}

// The median absolute deviation, as a share of the median.
Cell spreadCell(const RunTimeRow& row)
{
    return row.seconds > 0.0 ? Cell::share(row.madSeconds / row.seconds) : missingCell();
}

Cell rateCell(const RunTimeRow& row)
{
    return row.flopsPerSecond > 0.0 ? Cell::rate(row.flopsPerSecond) : missingCell();
}

std::string boundBy(const RunTimeRow& row)
{
    if (row.beatsPeaks || row.binding == Binding::unknown) {
        return {};
    }
    return row.level.empty() || row.binding == Binding::compute ? std::string(enumName(row.binding))
                                                                : row.level;
}

std::vector<Cell> runTimeCells(const RunTimeRow& row, std::string title, std::size_t designs)
{
    std::vector<Cell> cells{nameCell(std::move(title), row.isStage ? 1 : 0), timeCell(row)};
    for (std::size_t i = 0; i < designs; ++i) {
        const double other = i < row.ghosts.size() ? row.ghosts[i].seconds : 0.0;
        cells.push_back(knownSeconds(other));
        cells.push_back(row.seconds > 0.0 ? changeCell(row.seconds, other) : missingCell());
    }
    cells.push_back(spreadCell(row));
    cells.push_back(knownSeconds(row.lowerBoundSeconds));
    cells.push_back(Cell::text(boundBy(row)));
    cells.push_back(rateCell(row));
    return cells;
}

// Of all parts; a sum over some of them is no time of the pass.
std::vector<Cell> totalCells(const RunTimeTable& times)
{
    RunTimeRow total = times.total;
    if (!times.isTotalKnown()) {
        total.seconds = 0.0;
        total.flopsPerSecond = 0.0;
        total.timeText = times.parts.text();
    }
    total.ghosts.clear();
    for (const RunTimeDesign& other : times.others) {
        total.ghosts.push_back({.seconds = other.totalSeconds, .text = other.totalText});
    }
    std::vector<Cell> cells = runTimeCells(total, kAllParts, times.others.size());
    if (times.isTotalKnown() && times.hasUnsettled() && !cells[1].shown.starts_with(kRough)) {
        cells[1].shown.insert(0, kRough);
    }
    return cells;
}

} // namespace

ChartTable runTimesTable(const RunTimeTable& times)
{
    ChartTable made{
        .table = {.columns = {wordColumn("part", "part"), figureColumn("seconds", "time")}}};
    std::vector<Column>& columns = made.table.columns;
    for (const RunTimeDesign& other : times.others) {
        const std::string letter(other.mark->title);
        columns.push_back(figureColumn("seconds_" + letter, letter));
        columns.push_back(changeColumn(letter));
    }
    columns.push_back(figureColumn("spread", "\xC2\xB1"));
    columns.push_back(figureColumn("lower_bound", "at least"));
    columns.push_back(wordColumn("bound_by", "bound by"));
    columns.push_back(figureColumn("rate", "reached"));
    for (const RunTimeRow& row : times.rows) {
        made.add(row.component, runTimeCells(row, row.titleText, times.others.size()));
    }
    if (!times.rows.empty()) {
        made.add(nullptr, totalCells(times));
    }
    made.table = inCommonUnits(std::move(made.table));
    return made;
}

ChartTable deviceTimesTable(const RunTimeComparison& comparison)
{
    ChartTable made{.table = {.columns = {wordColumn("part", "part")}}};
    const auto& columns = comparison.columns;
    if (columns.empty()) {
        return made;
    }
    for (const RunTimeColumn& column : columns) {
        made.table.columns.push_back(figureColumn("seconds", column.device));
        if (&column != &columns.front()) {
            made.table.columns.push_back(
                {.key = "against_first", .title = "against " + columns.front().device});
        }
    }
    const auto add = [&](const RunTimeRow& first, const std::string& title, const auto& rowOf) {
        std::vector<Cell> cells{nameCell(title, first.isStage ? 1 : 0), timeCell(first)};
        for (std::size_t i = 1; i < columns.size(); ++i) {
            const RunTimeRow row = rowOf(columns[i]);
            cells.push_back(timeCell(row));
            cells.push_back(row.seconds > 0.0 ? changeCell(row.seconds, first.seconds)
                                              : missingCell());
        }
        made.add(first.component, std::move(cells));
    };
    for (std::size_t i = 0; i < columns.front().table.rows.size(); ++i) {
        const RunTimeRow& first = columns.front().table.rows[i];
        add(first, first.titleText, [i](const RunTimeColumn& column) {
            return column.table.rows.at(i);
        });
    }
    const auto total = [](const RunTimeColumn& column) {
        RunTimeRow row = column.table.total;
        row.seconds = column.table.isTotalKnown() ? row.seconds : 0.0;
        row.timeText = column.totalText;
        return row;
    };
    add(total(columns.front()), kAllParts, total);
    made.table = inCommonUnits(std::move(made.table));
    return made;
}

ChartTable misleadingTable(const MisleadTable& shares)
{
    ChartTable made{.table = {.columns = {wordColumn("part", "part"),
                                          figureColumn("flop_share", "of FLOPs"),
                                          figureColumn("time_share", "of time"),
                                          {.key = "difference", .title = "difference"},
                                          figureColumn("seconds", "time"),
                                          wordColumn("reason", "why")}}};
    for (const MisleadRow& row : shares.rows) {
        const PartShare& part = row.part;
        made.add(part.component,
                 {nameCell(row.titleText),
                  Cell::share(part.flopShare),
                  Cell::share(part.timeShare),
                  Cell::change(part.difference()),
                  Cell::seconds(part.seconds),
                  Cell::text(row.reasonText)});
    }
    made.table = inCommonUnits(std::move(made.table));
    return made;
}

ChartTable rooflineTable(const RooflineChart& chart)
{
    const bool hasMeasured =
        std::any_of(chart.points.begin(), chart.points.end(), [](const RooflinePoint& point) {
            return point.origin != Origin::computed;
        });
    ChartTable made{
        .table = {.columns = {wordColumn("operation", "operation"),
                              {.key = "intensity", .title = "intensity", .unit = "FLOPs/B"},
                              figureColumn("rate", hasMeasured ? "rate" : "at most"),
                              figureColumn("seconds", hasMeasured ? "time" : "at least"),
                              figureColumn("share", "share"),
                              wordColumn("bound_by", "bound by")}}};
    if (hasMeasured) {
        made.table.columns.push_back(wordColumn("origin", "origin"));
    }
    for (const RooflinePoint& point : chart.points) {
        Cell intensity = Cell::number(point.at.intensity);
        intensity.shown = siText(point.at.intensity);
        std::vector<Cell> cells{nameCell(point.title),
                                intensity,
                                Cell::rate(point.at.flopsPerSecond),
                                Cell::seconds(point.seconds),
                                point.share ? Cell::share(*point.share) : missingCell(),
                                Cell::text(std::string(enumName(point.binding)))};
        if (hasMeasured) {
            cells.push_back(Cell::text(point.origin == Origin::computed ? "at least" : "measured"));
        }
        made.add(point.component, std::move(cells));
    }
    made.table = inCommonUnits(std::move(made.table));
    return made;
}

} // namespace flopsmith
