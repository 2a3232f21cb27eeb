// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measuring/measuring_run.h"
#include "core/base/text.h"
#include "core/store/when.h"

#include <algorithm>

// Report texts about stored results.
namespace flopsmith::app {
namespace {

std::vector<UnixSeconds> storedTimes(const MeasuringRun& run)
{
    std::vector<UnixSeconds> times;
    for (std::size_t i = 0; i < run.plan.size(); ++i) {
        if (const auto storedAt = run.storedAtOf(i)) {
            times.push_back(*storedAt);
        }
    }
    return times;
}

Cell storedCell(std::optional<UnixSeconds> storedAt)
{
    return storedAt ? Cell{.value = dateText(*storedAt), .shown = ageText(*storedAt, unixNow())}
                    : Cell{};
}

} // namespace

std::string storedNote(const MeasuringRun& run)
{
    const std::vector<UnixSeconds> times = storedTimes(run);
    if (times.empty()) {
        const bool peaksAlone = run.plan.empty() && run.peaksStoredAt;
        return peaksAlone ? run.deviceName + ": its peaks were measured "
                + ageText(*run.peaksStoredAt, unixNow()) + "; --fresh measures them again"
                          : "";
    }
    const UnixSeconds oldest = *std::min_element(times.begin(), times.end());
    return run.deviceName + ": " + std::to_string(times.size()) + " of "
        + std::to_string(run.plan.size()) + " parts were measured before, the oldest "
        + ageText(oldest, unixNow()) + "; --fresh measures them again";
}

Table withStoredColumn(Table table, const MeasuringRun& run)
{
    if (storedTimes(run).empty()) {
        return table;
    }
    table.columns.push_back({"stored", "from the store"});
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const bool part = i < run.plan.size();
        table.rows[i].push_back(storedCell(part ? run.storedAtOf(i) : std::nullopt));
    }
    return table;
}

} // namespace flopsmith::app
