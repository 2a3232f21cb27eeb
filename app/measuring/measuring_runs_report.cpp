// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measuring/measuring_runs.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/json/json.h"

#include <algorithm>

// The results of several measuring runs side by side.
namespace flopsmith::app {
namespace {

// The runs are those of one plan.
RunTimeComparison compared(std::span<const MeasuringRun> runs)
{
    return runTimeComparison(runs.front().plan, deviceTimes(runs), runs.front().conditions());
}

Cell only(std::string shown)
{
    return {.value = {}, .shown = std::move(shown)};
}

Cell ratioCell(double ratio)
{
    Cell cell = ratio > 0.0 ? Cell::number(ratio) : Cell{};
    cell.shown = ratioText(ratio);
    return cell;
}

Cell timeCell(const RunTimeColumn& column, const RunTimeRow& row)
{
    if (row.seconds > 0.0) {
        Cell cell = Cell::seconds(row.seconds);
        cell.shown = (row.state == PartState::notSettled ? "\xE2\x89\x88 " : "") + cell.shown;
        return cell;
    }
    return only(column.unavailable.empty() ? "failed" : "\xE2\x80\x93");
}

std::vector<Cell> partRow(const MeasuringRun& run, const RunTimeComparison& all, std::size_t i)
{
    const MeasuredPart& part = run.plan[i];
    std::vector<Cell> row{Cell::text(part.path), Cell::count(part.uses)};
    row[0].indent = part.addsToTotal() ? 0 : 1;
    row[1].shown = part.uses > 1 ? "\xC3\x97" + std::to_string(part.uses) : "";
    for (const RunTimeColumn& column : all.columns) {
        row.push_back(timeCell(column, column.table.rows[i]));
        if (&column != &all.columns.front()) {
            row.push_back(ratioCell(column.ratios[i]));
        }
    }
    return row;
}

// A sum with a missing part is left out of files; people see the partial sum.
std::vector<Cell> totalRow(std::span<const MeasuringRun> runs, const RunTimeComparison& all)
{
    std::vector<Cell> row{Cell::text("total"), Cell{}};
    for (std::size_t i = 0; i < all.columns.size(); ++i) {
        const RunTimeColumn& column = all.columns[i];
        const auto total = runs[i].totalSeconds();
        row.push_back(total ? Cell::seconds(*total) : only(column.totalText));
        row.back().shown = total ? column.table.total.timeText : row.back().shown;
        if (i > 0) {
            row.push_back(ratioCell(column.ratio));
        }
    }
    return row;
}

} // namespace

std::vector<DeviceTimes> deviceTimes(std::span<const MeasuringRun> runs)
{
    std::vector<DeviceTimes> all;
    for (const MeasuringRun& run : runs) {
        all.push_back({.device = run.deviceName,
                       .times = partTimes(run),
                       .roofs = run.roofs(),
                       .unavailable = run.uselessness().value_or(""),
                       .processor = run.outcome.described ? run.outcome.described->device : ""});
    }
    return all;
}

std::optional<Outcome> failureOf(std::span<const MeasuringRun> runs)
{
    std::string sentences;
    for (const MeasuringRun& run : runs) {
        const std::optional<std::string> sentence = run.uselessness();
        if (!sentence) {
            return std::nullopt;
        }
        sentences += (sentences.empty() ? "" : "; ") + *sentence;
    }
    return Outcome::failure(ExitCode::deviceUnavailable, sentences);
}

std::vector<std::string> failureNotes(std::span<const MeasuringRun> runs)
{
    std::vector<std::string> notes;
    for (const MeasuringRun& run : runs) {
        if (const std::optional<std::string> sentence = run.uselessness()) {
            notes.push_back(*sentence);
            continue;
        }
        for (std::size_t i = 0; i < run.plan.size(); ++i) {
            const PartResult& part = run.outcome.parts.at(i);
            if (!part.measured) {
                notes.push_back(run.deviceName + ": " + run.plan[i].path + ": " + part.sentence);
            }
        }
        for (std::string& note : run.notes()) {
            notes.push_back(std::move(note));
        }
    }
    return notes;
}

Table sideBySideTable(std::span<const MeasuringRun> runs)
{
    const RunTimeComparison all = compared(runs);
    Table table{.caption = printable(runs.front().scenario.model.name) + " on "
                    + std::to_string(runs.size()) + " devices",
                .columns = {{"path", "part", Align::left}, {"uses", "uses"}}};
    for (const RunTimeColumn& column : all.columns) {
        table.columns.push_back({"all_uses_seconds " + column.device, column.device});
        if (&column != &all.columns.front()) {
            table.columns.push_back({"ratio " + column.device, "ratio"});
        }
    }
    for (std::size_t i = 0; i < runs.front().plan.size(); ++i) {
        table.rows.push_back(partRow(runs.front(), all, i));
    }
    table.rows.push_back(totalRow(runs, all));
    return table;
}

Json sideBySideJson(std::span<const MeasuringRun> runs)
{
    const RunTimeComparison all = compared(runs);
    Json json;
    Json devices = Json::array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        Json one = measuringJson(runs[i]);
        for (const char* shared : {"model", "workload", "pass", "precision", "cache"}) {
            json[shared] = one[shared];
            one.erase(shared);
        }
        const RunTimeColumn& column = all.columns[i];
        if (!column.unavailable.empty()) {
            one["unavailable"] = column.unavailable;
        }
        if (column.ratio > 0.0) {
            one["ratio_to_first"] = column.ratio;
        }
        for (std::size_t part = 0; part < column.ratios.size(); ++part) {
            if (column.ratios[part] > 0.0) {
                one["parts"][part]["ratio_to_first"] = column.ratios[part];
            }
        }
        devices.push_back(std::move(one));
    }
    json["devices"] = std::move(devices);
    return json;
}

std::string sideBySideHeadline(std::span<const MeasuringRun> runs)
{
    const RunTimeComparison all = compared(runs);
    const std::string alone = measuringHeadline(runs.front());
    std::string text = alone.substr(0, alone.find('\n'));
    std::size_t longest = 0;
    for (const MeasuringRun& run : runs) {
        longest = std::max(longest, run.deviceName.size());
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const RunTimeColumn& column = all.columns[i];
        text += "\n  " + column.device + std::string(longest + 2 - column.device.size(), ' ')
            + column.totalText;
        text += column.ratioText.empty() ? "" : ", " + column.ratioText;
        if (const auto& described = runs[i].outcome.described) {
            text += " (" + described->device + ")";
        }
    }
    return text + "\n  ratio: time over that of " + all.columns.front().device
        + ", of the parts that both have measured";
}

} // namespace flopsmith::app
