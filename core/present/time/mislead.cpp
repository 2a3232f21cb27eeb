// SPDX-License-Identifier: MIT
#include "core/present/time/mislead.h"

#include "core/base/text.h"
#include "core/present/time/run_time.h"

#include <algorithm>

namespace flopsmith {
namespace {

MisleadRow rowOf(PartShare part)
{
    MisleadRow row{.part = std::move(part)};
    row.titleText = row.part.title;
    row.titleText += row.part.uses > 1 ? " \xC3\x97" + std::to_string(row.part.uses) : "";
    row.flopText = percentText(row.part.flopShare);
    row.timeText = percentText(row.part.timeShare);
    row.differenceText = differenceText(row.part.difference());
    row.reasonText = reasonText(row.part.reason);
    row.reasonText += row.part.sentence.empty() ? "" : ": " + row.part.sentence;
    return row;
}

// The slow part that differs most; without one, time follows FLOPs.
std::string headlineOf(const std::vector<MisleadRow>& rows)
{
    const auto slow = std::find_if(rows.begin(), rows.end(), [](const MisleadRow& row) {
        return row.part.difference() >= kShareThresholds.sameShare;
    });
    if (slow == rows.end()) {
        return "Every part takes the share of the time that its FLOPs say.";
    }
    return slow->titleText + ": " + slow->flopText + " of FLOPs, " + slow->timeText + " of time";
}

// While parts are missing there is no total to which the others have a share; failed parts stay
// missing and are left out. Empty if all other parts have a time, or none has.
std::string missingText(std::span<const MeasuredPart> parts, std::span<const PartTime> times)
{
    const PartsMeasured measured = partsMeasured(parts, times);
    return measured.timed == 0 || measured.timed + measured.failed == measured.all
        ? ""
        : measured.text() + " measured: shares of the time are known when all are.";
}

// Why none of the requested parts can be shown.
std::string emptyTextOf(const MisleadTable& table, std::span<const double> seconds)
{
    if (std::any_of(seconds.begin(), seconds.end(), [](double each) { return each > 0.0; })) {
        return "The peaks of this device are not measured. Measure them to see why time and FLOPs "
               "part.";
    }
    return table.leftOut.empty()
        ? "Not measured yet. Press Measure to see where time and FLOPs part."
        : "No part has a time; " + table.leftOut + ".";
}

} // namespace

MisleadTable misleadTable(std::span<const MeasuredPart> parts,
                          std::span<const PartTime> times,
                          const std::optional<MachineRoofs>& roofs,
                          const RoofConditions& as)
{
    MisleadTable table{.leftOut = failedPartsText(parts, times), .note = shareThresholdsText()};
    std::vector<double> seconds(parts.size(), 0.0);
    for (std::size_t i = 0; i < std::min(parts.size(), times.size()); ++i) {
        seconds[i] = times[i].hasTime() ? times[i].medianSeconds : 0.0;
    }
    table.emptyText = missingText(parts, times);
    if (!table.emptyText.empty()) {
        return table;
    }
    if (roofs) {
        for (PartShare& part : partShares(parts, seconds, *roofs, as)) {
            if (part.seconds > 0.0) {
                table.longest = std::max({table.longest, part.flopShare, part.timeShare});
                table.rows.push_back(rowOf(std::move(part)));
            }
        }
    }
    if (table.rows.empty()) {
        table.emptyText = emptyTextOf(table, seconds);
        return table;
    }
    table.headline = headlineOf(table.rows);
    return table;
}

} // namespace flopsmith
