// SPDX-License-Identifier: MIT
#include "core/present/run_time.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace flopsmith {
namespace {

/// What one use of a part executes and moves.
struct Work
{
    double flops = 0.0;
    double bytes = 0.0;
};

Work workOf(const MeasuredPart& part, const Precision& precision)
{
    const Cost<Count> cost = costTree(part.operation).total();
    return {.flops = toDouble(priced(LensId::exact, cost.count)),
            .bytes = toDouble(bytes(cost.traffic, precision).total())};
}

void bound(RunTimeRow& row, const Work& work, const MachineRoofs& roofs, const RoofConditions& as)
{
    RoofBound least = lowerBound(work.flops, work.bytes, roofs, as);
    row.lowerBoundSeconds = row.uses * least.seconds;
    row.binding = least.binding;
    row.level = std::move(least.level);
}

std::string stateText(const PartTime& time)
{
    switch (time.state) {
    case PartState::pending: return "waiting";
    case PartState::running: return "measuring \xE2\x80\xA6";
    case PartState::failed: return "failed";
    case PartState::settled:
    case PartState::notSettled: break;
    }
    return "no time";
}

std::string scientific(double value)
{
    std::array<char, 32> buffer{};
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.1e", value);
    std::string text(buffer.data(), static_cast<std::size_t>(std::max(length, 0)));
    std::replace(text.begin(), text.end(), ',', '.'); // whatever the locale
    return text;
}

std::string bindingText(const RunTimeRow& row)
{
    switch (row.binding) {
    case Binding::compute: return " (compute)";
    case Binding::memory: return " (" + row.level + ")";
    case Binding::unknown: break;
    }
    return "";
}

// How the outlines are to be read.
std::string boundNote(const RunTimeTable& table, const RoofConditions& as)
{
    if (!table.peaksKnown) {
        return "\nno lower bound: the device's peaks are not measured yet";
    }
    return std::string("\noutline: lower bound by its peaks, operands ")
        + (as.coldCaches ? "in the memory" : "cached")
        + (table.beatsPeaks() ? "\nbars shorter than outlines: peaks of a busier machine" : "");
}

// What stands before times that have not settled, with the longest of them and its reason.
std::string unsettledNote(const std::vector<RunTimeRow>& rows)
{
    const RunTimeRow* longest = nullptr;
    for (const RunTimeRow& row : rows) {
        if (row.state == PartState::notSettled
            && (longest == nullptr || row.seconds > longest->seconds)) {
            longest = &row;
        }
    }
    if (longest == nullptr) {
        return "";
    }
    const std::string& why = longest->sentence;
    return "\n\xE2\x89\x88 " + longest->title + ": " + why.substr(0, why.find_last_not_of('.') + 1);
}

void word(RunTimeRow& row)
{
    row.titleText = row.title;
    if (row.uses > 1) {
        row.titleText += " \xC3\x97" + std::to_string(row.uses);
    }
    if (row.seconds > 0.0) {
        row.timeText = durationText(row.seconds);
        row.spreadText = "\xC2\xB1 " + percentText(row.madSeconds / row.seconds);
        row.flopsPerSecond = row.flops / row.seconds;
    }
    if (row.flopsPerSecond > 0.0) {
        row.rateText = rateText(row.flopsPerSecond, "FLOP/s");
    }
    if (row.lowerBoundSeconds > 0.0) {
        row.boundText = "at least " + durationText(row.lowerBoundSeconds) + bindingText(row);
    }
    if (row.relativeError) {
        row.errorText = "error " + scientific(*row.relativeError);
    }
}

RunTimeRow rowOf(const MeasuredPart& part,
                 const PartTime& time,
                 const RoofConditions& as,
                 const std::optional<MachineRoofs>& roofs)
{
    const Work work = workOf(part, as.precision());
    RunTimeRow row{.component = part.component,
                   .path = part.path,
                   .title = part.title,
                   .uses = part.uses,
                   .isStage = !part.addsToTotal(),
                   .state = time.state,
                   .flops = part.uses * work.flops,
                   .bytes = part.uses * work.bytes,
                   .relativeError = time.relativeError,
                   .timeText = stateText(time),
                   .sentence = time.sentence};
    if (time.hasTime()) {
        row.seconds = time.medianSeconds * part.uses;
        row.madSeconds = time.madSeconds * part.uses;
        row.storedText = time.storedAt ? dateText(*time.storedAt) : "";
    }
    if (time.state == PartState::notSettled && row.sentence.empty()) {
        row.sentence = "The time budget ended before the median settled.";
    }
    if (roofs) {
        bound(row, work, *roofs, as);
    }
    word(row);
    return row;
}

// Rates of the whole compare only what has a time; its lower bound is that of every part.
RunTimeRow totalOf(const std::vector<RunTimeRow>& rows)
{
    RunTimeRow total{.component = nullptr, .path = "", .title = "Total"};
    double timedFlops = 0.0;
    bool complete = true;
    for (const RunTimeRow& row : rows) {
        if (row.isStage) {
            continue;
        }
        total.seconds += row.seconds;
        total.madSeconds += row.madSeconds;
        total.lowerBoundSeconds += row.lowerBoundSeconds;
        total.flops += row.flops;
        total.bytes += row.bytes;
        timedFlops += row.seconds > 0.0 ? row.flops : 0.0;
        complete = complete && row.seconds > 0.0;
    }
    total.state = complete && !rows.empty() ? PartState::settled : PartState::pending;
    total.timeText = "waiting";
    word(total);
    if (total.seconds > 0.0) {
        total.flopsPerSecond = timedFlops / total.seconds;
        total.rateText = rateText(total.flopsPerSecond, "FLOP/s");
        if (!complete) {
            total.sentence = "Some parts are still missing.";
        } else if (total.lowerBoundSeconds > total.seconds) {
            total.boundText = "peaks of a busier machine"; // and no bound
        }
    }
    return total;
}

// Times of the store among others are marked each.
void sayStored(RunTimeTable& table)
{
    const auto isStored = [](const RunTimeRow& row) { return !row.storedText.empty(); };
    table.allStored = std::any_of(table.rows.begin(), table.rows.end(), isStored)
        && std::all_of(table.rows.begin(), table.rows.end(), [&](const RunTimeRow& row) {
                          return isStored(row) || row.seconds <= 0.0;
                      });
    for (RunTimeRow& row : table.rows) {
        row.timeText += !table.allStored && isStored(row) ? " stored" : "";
    }
}

std::string keyOf(const RunTimeTable& table)
{
    std::string key = table.peaksKnown ? "outline: lower bound" : "";
    if (table.hasUnsettled()) {
        key += (key.empty() ? "" : "; ") + std::string("\xE2\x89\x88: not settled");
    }
    return key;
}

bool isDone(const RunTimeRow& row)
{
    return row.seconds > 0.0 || row.state == PartState::failed || row.state == PartState::settled
        || row.state == PartState::notSettled;
}

constexpr double kMatters = 0.05; // share of the total
constexpr double kScatter = 1.05; // of two measurements

} // namespace

bool RunTimeTable::beatsPeaks() const
{
    return std::any_of(rows.begin(), rows.end(), [this](const RunTimeRow& row) {
        return !row.isStage && row.seconds > kMatters * total.seconds
            && row.lowerBoundSeconds > kScatter * row.seconds;
    });
}

bool RunTimeTable::hasUnsettled() const
{
    return std::any_of(rows.begin(), rows.end(), [](const RunTimeRow& row) {
        return row.state == PartState::notSettled && row.seconds > 0.0;
    });
}

RunTimeTable runTimeTable(std::span<const MeasuredPart> parts,
                          std::span<const PartTime> times,
                          const RoofConditions& as,
                          const std::optional<MachineRoofs>& roofs)
{
    RunTimeTable table;
    table.peaksKnown = roofs && roofs->peaks(as.format).known();
    bool running = false;
    bool stored = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const PartTime time = i < times.size() ? times[i] : PartTime{};
        table.rows.push_back(rowOf(parts[i], time, as, roofs));
        table.measured += isDone(table.rows.back()) ? 1 : 0;
        running = running || time.state == PartState::running;
        stored = stored || !table.rows.back().storedText.empty();
    }
    sayStored(table);
    table.total = totalOf(table.rows);
    table.note = "filled: measured, median of the samples";
    table.note += stored ? "\nstored: measured earlier on this device, as it is now" : "";
    table.note += boundNote(table, as) + unsettledNote(table.rows);
    table.key = keyOf(table);
    if (table.measured == 0 && !running) {
        table.emptyText = parts.empty() ? "This model has nothing to measure."
                                        : "Not measured yet. Press Measure to time every part.";
    }
    return table;
}

} // namespace flopsmith
