// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/results_table.h"

#include "core/base/text.h"
#include "core/json/json_text.h"
#include "core/json/spec_json.h"
#include "core/protocol/measuring/settling.h"
#include "core/protocol/wire/wire_names.h"
#include "core/store/when.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace flopsmith::app {
namespace {

struct Entry
{
    const StoredMachine* machine;
    const StoredResult* result;
};

template <class Enum, std::size_t size>
std::string nameOf(Enum value, const std::array<std::string_view, size>& names)
{
    return std::string(names.at(static_cast<std::size_t>(value)));
}

std::string fieldText(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : jsonText(value);
}

// The operation of the same kind with default settings.
Json defaultsOf(const Json& operation)
{
    Json plain = operation;
    const Json& spec = operation.at("spec");
    plain["spec"] = Json::object();
    if (spec.contains("kind")) {
        plain["spec"]["kind"] = spec["kind"];
    }
    const Result<Operation> read = operationFromJson(plain, "operation");
    return read ? toJson(*read).at("spec") : Json::object();
}

std::string operationKey(const Json& operation)
{
    const Json& spec = operation.at("spec");
    std::string text = fieldText(spec.contains("kind") ? spec["kind"] : operation.at("kind"));
    const Json defaults = defaultsOf(operation);
    for (const JsonMember& member : spec.items()) {
        const std::string& key = member.key();
        const Json& value = member.value();
        const bool plain = defaults.contains(key) && defaults[key] == value;
        if (key == "kind" || plain) {
            continue;
        }
        text += " " + key + "="
            + (value.is_structured() ? "[" + std::to_string(value.size()) + "]" : fieldText(value));
    }
    return text;
}

std::string stateText(const StoredMachine& machine)
{
    return machine.outdated ? "outdated" : "current";
}

std::vector<Entry> sorted(std::span<const MachineResults> machines, ResultOrder order)
{
    std::vector<Entry> entries;
    for (const MachineResults& machine : machines) {
        for (const StoredResult& result : machine.results) {
            entries.push_back({&machine.machine, &result});
        }
    }
    const auto by = [&entries](auto key) {
        std::stable_sort(entries.begin(), entries.end(), [&key](const Entry& a, const Entry& b) {
            return key(a) < key(b);
        });
    };
    by([](const Entry& entry) { return -entry.result->taken; });
    switch (order) {
    case ResultOrder::taken: break;
    case ResultOrder::median:
        by([](const Entry& entry) { return entry.result->measured.medianSeconds; });
        break;
    case ResultOrder::rate:
        by([](const Entry& entry) { return -entry.result->measured.flopsPerSecond; });
        break;
    case ResultOrder::operation:
        by([](const Entry& entry) { return operationText(entry.result->question); });
        break;
    case ResultOrder::device:
        by([](const Entry& entry) { return machineText(*entry.machine); });
        break;
    }
    return entries;
}

Cell storedRateCell(double flopsPerSecond)
{
    Cell cell = Cell::number(flopsPerSecond);
    cell.shown = flopsPerSecond > 0.0 ? siText(flopsPerSecond) + "FLOP/s" : "";
    return cell;
}

Cell sizesCell(const Operation& operation)
{
    std::string text =
        std::to_string(operation.batch) + "\xC3\x97" + std::to_string(operation.sequence);
    if (operation.context != operation.sequence) {
        text += ", C " + std::to_string(operation.context);
    }
    return Cell::text(text);
}

// Number of measurements of a result, this one included.
std::size_t timesOf(const Measured& measured)
{
    return std::max<std::size_t>(measured.medians.size(), 1);
}

// "3: 4.10 ms to 6.50 ms" of repeated measurements.
std::string repeatsText(const Measured& measured)
{
    const std::optional<Repeats> repeats = repeatsOf(measured);
    return repeats ? std::to_string(repeats->times) + ": " + durationText(repeats->lowestSeconds)
            + " to " + durationText(repeats->highestSeconds)
                   : "";
}

std::vector<Cell> fullRow(const Entry& entry)
{
    const MeasureRequest& question = entry.result->question;
    const Operation& operation = question.operation;
    const Measured& measured = entry.result->measured;
    const std::optional<Repeats> repeats = repeatsOf(measured);
    return {Cell::text(operationKey(toJson(operation))),
            Cell::count(operation.dModel),
            Cell::count(operation.batch),
            Cell::count(operation.sequence),
            Cell::count(operation.context),
            Cell::text(std::string(enumName(operation.pass))),
            Cell::text(nameOf(question.precision, wire::kPrecisions)),
            Cell::text(nameOf(question.cache, wire::kCacheStates)),
            Cell::count(measured.threads),
            Cell::seconds(measured.medianSeconds),
            Cell::seconds(measured.madSeconds),
            Cell::count(static_cast<Count>(measured.samples)),
            {.value = isSettled(measured), .shown = isSettled(measured) ? "yes" : "no"},
            Cell::count(static_cast<Count>(timesOf(measured))),
            repeats ? Cell::seconds(repeats->lowestSeconds) : Cell{},
            repeats ? Cell::seconds(repeats->highestSeconds) : Cell{},
            storedRateCell(measured.flopsPerSecond),
            {.value = Count{entry.result->taken}, .shown = std::to_string(entry.result->taken)},
            Cell::text(dateText(entry.result->taken)),
            Cell::text(entry.machine->described.device),
            Cell::text(entry.machine->described.kind),
            Cell::text(entry.machine->origin),
            Cell::text(entry.machine->described.program),
            Cell::text(stateText(*entry.machine))};
}

std::vector<Cell> shortRow(const Entry& entry, UnixSeconds now)
{
    const Measured& measured = entry.result->measured;
    const double spread =
        measured.medianSeconds > 0.0 ? measured.madSeconds / measured.medianSeconds : 0.0;
    return {Cell::text(operationText(entry.result->question)),
            Cell::count(entry.result->question.operation.dModel),
            sizesCell(entry.result->question.operation),
            Cell::seconds(measured.medianSeconds),
            Cell::text("\xC2\xB1 " + percentText(spread)),
            Cell::text(repeatsText(measured)),
            storedRateCell(measured.flopsPerSecond),
            Cell::text(ageText(entry.result->taken, now)),
            Cell::text(entry.machine->outdated ? "outdated" : ""),
            Cell::text(machineText(*entry.machine))};
}

} // namespace

std::string operationText(const MeasureRequest& question)
{
    std::string text = operationKey(toJson(question.operation));
    if (question.operation.pass == ComputePass::backward) {
        text += ", backward";
    }
    if (question.precision != ComputePrecision::float32) {
        text += ", " + nameOf(question.precision, wire::kPrecisions);
    }
    if (question.cache != CacheState::hot) {
        text += ", " + nameOf(question.cache, wire::kCacheStates);
    }
    if (question.threads > 0) {
        text += ", " + std::to_string(question.threads)
            + (question.threads == 1 ? " thread" : " threads");
    }
    return text;
}

std::string machineText(const StoredMachine& machine)
{
    return machine.isImported() ? machine.described.device + " of " + machine.origin + " (imported)"
                                : machine.described.device;
}

Table resultsTable(std::span<const MachineResults> machines, ResultOrder order)
{
    Table table{.columns = {{"operation", "operation", Align::left},
                            {"d_model", "d"},
                            {"batch", "B"},
                            {"sequence", "S"},
                            {"context", "C"},
                            {"pass", "pass", Align::left},
                            {"precision", "precision", Align::left},
                            {"cache", "cache", Align::left},
                            {"threads", "threads"},
                            {"median_seconds", "median"},
                            {"mad_seconds", "MAD"},
                            {"samples", "samples"},
                            {"settled", "settled", Align::left},
                            {"measurements", "times"},
                            {"lowest_median_seconds", "lowest"},
                            {"highest_median_seconds", "highest"},
                            {"flops_per_second", "rate"},
                            {"taken", "taken"},
                            {"taken_text", "date", Align::left},
                            {"device", "device", Align::left},
                            {"device_kind", "kind", Align::left},
                            {"imported_from", "imported from", Align::left},
                            {"program", "program", Align::left},
                            {"state", "state", Align::left}}};
    for (const Entry& entry : sorted(machines, order)) {
        table.rows.push_back(fullRow(entry));
    }
    return table;
}

Table resultsTableForPeople(std::span<const MachineResults> machines,
                            ResultOrder order,
                            UnixSeconds now)
{
    Table table{.columns = {{"operation", "operation", Align::left},
                            {"d_model", "d"},
                            {"tokens", "B\xC3\x97S", Align::left},
                            {"median_seconds", "median"},
                            {"spread", "MAD"},
                            {"medians", "medians", Align::left},
                            {"flops_per_second", "rate"},
                            {"taken", "measured"},
                            {"state", "", Align::left},
                            {"device", "on", Align::left}}};
    for (const Entry& entry : sorted(machines, order)) {
        table.rows.push_back(shortRow(entry, now));
    }
    return table;
}

} // namespace flopsmith::app
