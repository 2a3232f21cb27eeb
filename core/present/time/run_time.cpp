// SPDX-License-Identifier: MIT
#include "core/present/time/run_time.h"

#include "core/base/text.h"
#include "core/present/base/ffn_title.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

namespace flopsmith {
namespace {

/// The work of one use of a part: operations and bytes.
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

constexpr double kMatters = 0.05; // share of the total
constexpr double kScatter = 1.05; // of two measurements

const std::string kAbout = "\xE2\x89\x88 ";

void bound(RunTimeRow& row, const Work& work, const MachineRoofs& roofs, const RoofConditions& as)
{
    RoofBound bound = lowerBound(work.flops, work.bytes, roofs, as);
    bound.seconds *= row.uses;
    RoofBound standing = standingBound(bound, row.seconds);
    row.beatsPeaks = bound.seconds > 0.0 && standing.seconds == 0.0;
    row.lowerBoundSeconds = standing.seconds;
    row.binding = standing.binding;
    row.level = std::move(standing.level);
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
        + (table.beatsPeaks() ? "\nno outline where a time beats it: the peaks are of a busier "
                                "machine; measure them again"
                              : "");
}

std::string failedText(const std::string& first, std::ptrdiff_t others, const std::string& why)
{
    const std::string more = others > 0 ? " and " + std::to_string(others) + " more" : "";
    return "failed: " + first + more
        + (why.empty() ? "" : ": " + why.substr(0, why.find_last_not_of('.') + 1));
}

// The number of failed parts, with the first of them and its reason.
std::string failedNote(const std::vector<RunTimeRow>& rows)
{
    const auto hasFailed = [](const RunTimeRow& row) { return row.state == PartState::failed; };
    const auto first = std::find_if(rows.begin(), rows.end(), hasFailed);
    if (first == rows.end()) {
        return "";
    }
    const auto others = std::count_if(first + 1, rows.end(), hasFailed);
    return "\n" + failedText(first->titleText, others, first->sentence);
}

// A note on times that have not settled: the longest of them and the reason.
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
    return "\n" + kAbout + longest->titleText + ": " + why.substr(0, why.find_last_not_of('.') + 1);
}

// For repeated measurements that differ by more than the usual scatter.
std::string rangeTextOf(const RunTimeRow& row)
{
    return row.lowestSeconds > 0.0 && row.highestSeconds > kScatter * row.lowestSeconds
        ? durationText(row.lowestSeconds) + " to " + durationText(row.highestSeconds)
        : "";
}

std::string usesText(const std::string& title, int uses)
{
    return uses > 1 ? title + " \xC3\x97" + std::to_string(uses) : title;
}

void word(RunTimeRow& row)
{
    row.titleText = usesText(row.title, row.uses);
    if (row.seconds > 0.0) {
        const bool rough = row.state == PartState::notSettled;
        row.timeText = (rough ? kAbout : "") + durationText(row.seconds);
        row.rangeText = rangeTextOf(row);
        row.spreadText = "\xC2\xB1 " + percentText(row.madSeconds / row.seconds);
        row.flopsPerSecond = row.flops / row.seconds;
    }
    if (row.flopsPerSecond > 0.0) {
        row.rateText = rateText(row.flopsPerSecond, "FLOP/s");
    }
    if (row.lowerBoundSeconds > 0.0) {
        row.boundText = "at least " + durationText(row.lowerBoundSeconds) + bindingText(row);
    } else if (row.beatsPeaks) {
        row.boundText = "beaten: peaks of a busier machine";
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
                   .elsewhere = part.elsewhere,
                   .title = part.title,
                   .uses = part.uses,
                   .isStage = !part.addsToTotal(),
                   .state = time.state,
                   .flops = part.uses * work.flops,
                   .bytes = part.uses * work.bytes,
                   .relativeError = time.relativeError,
                   .timeText = partStateText(time),
                   .sentence = time.sentence};
    if (time.hasTime()) {
        row.seconds = time.medianSeconds * part.uses;
        row.madSeconds = time.madSeconds * part.uses;
        const bool repeated = time.highestSeconds > 0.0;
        row.lowestSeconds = part.uses * (repeated ? time.lowestSeconds : time.medianSeconds);
        row.highestSeconds = part.uses * (repeated ? time.highestSeconds : time.medianSeconds);
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

// "Dense, block 3", "Dense ×5, from block 2": distinguishes rows with the same name.
void tellApart(std::vector<RunTimeRow>& rows)
{
    std::map<std::string, int> named;
    for (const RunTimeRow& row : rows) {
        ++named[row.title];
    }
    for (RunTimeRow& row : rows) {
        row.shortTitleText = firstWords(row.title) + row.titleText.substr(row.title.size());
        const std::size_t open = row.path.find("blocks[");
        if (named[row.title] > 1 && open != std::string::npos) {
            const int block = std::atoi(row.path.c_str() + open + std::strlen("blocks["));
            row.titleText += (row.uses > 1 ? ", from block " : ", block ")
                + std::to_string(block + 1); // counted from 1
        }
    }
}

// Rates of the whole include only parts with a time; its lower bound includes every part.
RunTimeRow totalOf(const std::vector<RunTimeRow>& rows)
{
    RunTimeRow total{.component = nullptr, .path = "", .title = "Total"};
    double timedFlops = 0.0;
    bool complete = true;
    bool settled = true;
    for (const RunTimeRow& row : rows) {
        if (row.isStage) {
            continue;
        }
        total.seconds += row.seconds;
        total.madSeconds += row.madSeconds;
        total.lowestSeconds += row.lowestSeconds;
        total.highestSeconds += row.highestSeconds;
        settled = settled && (row.state != PartState::notSettled || row.seconds <= 0.0);
        total.lowerBoundSeconds += row.lowerBoundSeconds;
        total.flops += row.flops;
        total.bytes += row.bytes;
        timedFlops += row.seconds > 0.0 ? row.flops : 0.0;
        complete = complete && row.seconds > 0.0;
    }
    total.beatsPeaks = std::any_of(rows.begin(), rows.end(), [&total](const RunTimeRow& row) {
        return !row.isStage && row.beatsPeaks && row.seconds > kMatters * total.seconds;
    });
    total.lowerBoundSeconds = total.beatsPeaks ? 0.0 : total.lowerBoundSeconds;
    total.state = settled ? PartState::settled : PartState::notSettled; // for its words
    total.timeText = "not measured";
    word(total);
    total.state = complete && !rows.empty() ? total.state : PartState::pending;
    if (total.seconds > 0.0) {
        total.flopsPerSecond = timedFlops / total.seconds;
        total.rateText = rateText(total.flopsPerSecond, "FLOP/s");
        total.sentence = complete ? "" : "Some parts are still missing.";
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

} // namespace

std::string partStateText(const PartTime& time)
{
    switch (time.state) {
    case PartState::pending: return "not measured";
    case PartState::queued: return "waiting";
    case PartState::running:
        return time.silentSeconds > 0 ? "no answer for " + std::to_string(time.silentSeconds) + " s"
                                      : "measuring \xE2\x80\xA6";
    case PartState::failed: return "failed";
    case PartState::settled:
    case PartState::notSettled: break;
    }
    return "no time";
}

std::string failedPartsText(std::span<const MeasuredPart> parts, std::span<const PartTime> times)
{
    const auto known = times.first(std::min(times.size(), parts.size()));
    const auto hasFailed = [](const PartTime& time) { return time.state == PartState::failed; };
    const auto first = std::find_if(known.begin(), known.end(), hasFailed);
    if (first == known.end()) {
        return "";
    }
    const MeasuredPart& part = parts[static_cast<std::size_t>(first - known.begin())];
    return failedText(usesText(part.title, part.uses),
                      std::count_if(first + 1, known.end(), hasFailed),
                      first->sentence);
}

bool RunTimeTable::isTotalKnown() const
{
    return total.seconds > 0.0 && total.state != PartState::pending;
}

std::string RunTimeTable::headline() const
{
    const std::string in = ", in " + std::string(enumName(format));
    return isTotalKnown() ? total.timeText + " in all" + in + (allStored ? ", stored" : "")
                          : parts.text() + " measured" + in;
}

bool RunTimeTable::hasUnsettled() const
{
    return std::any_of(rows.begin(), rows.end(), [](const RunTimeRow& row) {
        return row.state == PartState::notSettled && row.seconds > 0.0;
    });
}

RoofBound standingBound(const RoofBound& bound, double measuredSeconds)
{
    if (measuredSeconds <= 0.0 || bound.seconds <= measuredSeconds) {
        return bound;
    }
    if (bound.seconds > kScatter * measuredSeconds) {
        return {};
    }
    RoofBound lowered = bound;
    lowered.seconds = measuredSeconds;
    return lowered;
}

double lowerBoundSeconds(const MeasuredPart& part,
                         const RoofConditions& as,
                         const MachineRoofs& roofs)
{
    const Work work = workOf(part, as.precision());
    return part.uses * lowerBound(work.flops, work.bytes, roofs, as).seconds;
}

RunTimeTable runTimeTable(std::span<const MeasuredPart> parts,
                          std::span<const PartTime> times,
                          const RoofConditions& as,
                          const std::optional<MachineRoofs>& roofs)
{
    RunTimeTable table;
    table.format = as.format;
    table.peaksKnown = roofs && roofs->peaks(as.format).known();
    bool running = false;
    bool stored = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const PartTime time = i < times.size() ? times[i] : PartTime{};
        table.rows.push_back(rowOf(parts[i], time, as, roofs));
        table.measured += isDone(table.rows.back()) ? 1 : 0;
        running = running || time.state == PartState::running || time.state == PartState::queued;
        stored = stored || !table.rows.back().storedText.empty();
    }
    table.parts = partsMeasured(parts, times);
    tellApart(table.rows);
    sayStored(table);
    table.total = totalOf(table.rows);
    table.note = "filled: measured, median of the samples";
    table.note += stored ? "\nstored: measured earlier on this device, as it is now" : "";
    table.note += boundNote(table, as) + unsettledNote(table.rows) + failedNote(table.rows);
    table.key = keyOf(table);
    if (table.measured == 0 && !running) {
        table.emptyText = parts.empty() ? "This model has nothing to measure."
                                        : "Not measured yet. Press Measure to time every part.";
    }
    return table;
}

} // namespace flopsmith
