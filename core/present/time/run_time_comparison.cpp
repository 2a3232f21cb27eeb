// SPDX-License-Identifier: MIT
#include "core/present/time/run_time_comparison.h"

#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace flopsmith {
namespace {

bool isUnderway(const RunTimeTable& table)
{
    return std::any_of(table.rows.begin(), table.rows.end(), [](const RunTimeRow& row) {
        return row.state == PartState::running || row.state == PartState::queued;
    });
}

std::string totalText(const RunTimeColumn& column)
{
    const RunTimeTable& table = column.table;
    if (table.total.seconds <= 0.0) {
        const bool failed = table.complete() && !table.rows.empty();
        return !column.unavailable.empty() ? "unavailable"
            : failed                       ? "failed"
            : isUnderway(table)            ? "waiting"
                                           : "not measured";
    }
    return (table.parts.isComplete() ? "" : table.parts.text() + ", ") + table.total.timeText
        + (table.allStored ? " stored" : "");
}

// Sums over the parts that both have: a part that one of them lacks must not look like a gain.
void compare(RunTimeColumn& column, const RunTimeTable& first)
{
    double own = 0.0;
    double others = 0.0;
    for (std::size_t i = 0; i < column.table.rows.size(); ++i) {
        const RunTimeRow& row = column.table.rows[i];
        const RunTimeRow& reference = first.rows[i];
        const bool both = row.seconds > 0.0 && reference.seconds > 0.0;
        column.ratios.push_back(both ? row.seconds / reference.seconds : 0.0);
        if (both && !row.isStage) {
            own += row.seconds;
            others += reference.seconds;
            ++column.commonParts;
        }
    }
    column.ratio = others > 0.0 ? own / others : 0.0;
}

template <class Holds>
bool anyTable(const RunTimeComparison& comparison, Holds holds)
{
    return std::any_of(comparison.columns.begin(),
                       comparison.columns.end(),
                       [&](const RunTimeColumn& column) { return holds(column.table); });
}

void addNotes(RunTimeComparison& comparison, const RoofConditions& as)
{
    const bool bounds =
        anyTable(comparison, [](const RunTimeTable& table) { return table.peaksKnown; });
    comparison.note =
        "bar: measured in " + std::string(enumName(as.format)) + ", median of the samples";
    if (comparison.columns.size() > 1) {
        comparison.note += "\n\xC3\x97: time over that of " + comparison.columns.front().device
            + ", of the parts that both have measured";
    }
    if (bounds) {
        comparison.key = "tick: lower bound";
        comparison.note += "\ntick: lower bound by its peaks, operands "
            + std::string(as.coldCaches ? "in the memory" : "cached");
    }
    if (anyTable(comparison, [](const RunTimeTable& table) { return table.beatsPeaks(); })) {
        comparison.note +=
            "\nno tick where a time beats it: the peaks are of a busier machine; measure "
            "them again";
    }
    if (anyTable(comparison, [](const RunTimeTable& table) { return table.hasUnsettled(); })) {
        const std::string rough = "\xE2\x89\x88: not settled";
        comparison.note += "\n" + rough;
        comparison.key += (comparison.key.empty() ? "" : "; ") + rough;
    }
}

} // namespace

RunTimeComparison runTimeComparison(std::span<const MeasuredPart> parts,
                                    std::span<const DeviceTimes> devices,
                                    const RoofConditions& as)
{
    RunTimeComparison comparison;
    for (const DeviceTimes& device : devices) {
        RunTimeColumn column{.device = device.device,
                             .unavailable = device.unavailable,
                             .table = runTimeTable(parts, device.times, as, device.roofs)};
        column.totalText = totalText(column);
        comparison.columns.push_back(std::move(column));
    }
    bool empty = true;
    for (RunTimeColumn& column : comparison.columns) {
        compare(column, comparison.columns.front().table);
        const bool isFirst = &column == &comparison.columns.front();
        column.ratioText = isFirst ? "" : ratioText(column.ratio);
        empty = empty && !column.table.emptyText.empty();
    }
    if (empty && !comparison.columns.empty()) {
        comparison.emptyText = comparison.columns.front().table.emptyText;
    }
    addNotes(comparison, as);
    for (const DeviceTimes& device : devices) {
        const std::string failed = failedPartsText(parts, device.times);
        if (!failed.empty() && device.unavailable.empty()) { // otherwise every part says the same
            comparison.note += "\n" + device.device + ", " + failed;
        }
    }
    return comparison;
}

} // namespace flopsmith
