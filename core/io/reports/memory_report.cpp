// SPDX-License-Identifier: MIT
#include "core/io/reports/memory_report.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/io/project/version.h"
#include "core/json/json_text.h"
#include "core/json/spec_json.h"

#include <string_view>
#include <utility>

namespace flopsmith {
namespace {

std::string bitsText(int bits)
{
    return std::to_string(bits) + " bits each";
}

std::string formatText(const WeightFormat& format)
{
    if (!format.hasGroups()) {
        return bitsText(format.bits);
    }
    const double bits = format.bits + static_cast<double>(format.groupBits) / format.group;
    return numberText(bits) + " bits each: " + std::to_string(format.bits) + " and "
        + std::to_string(format.groupBits) + " per group of " + std::to_string(format.group);
}

std::string optimizerText(Optimizer optimizer)
{
    const int elements = stateElements(optimizer);
    return std::string(enumName(optimizer)) + ", " + std::to_string(elements)
        + (elements == 1 ? " element" : " elements") + " of 32 bits per parameter";
}

std::string cacheText(const Scenario& scenario, const Count& bytes)
{
    const Count whole = cacheBytesWithoutWindows(scenario);
    return std::to_string(scenario.keys()) + " tokens, "
        + bitsText(scenario.workload.precision.kvBits)
        + (whole == bytes ? ""
                          : ", of windowed layers those in the window; "
                   + bytesText(toDouble(whole)) + " in an engine that keeps all");
}

// The sizes that determine the bytes of a kind.
std::string origin(MemoryKind kind, const Scenario& scenario, const Memory& memory)
{
    const Workload& workload = scenario.workload;
    const Precision& precision = workload.precision;
    switch (kind) {
    case MemoryKind::weights: return weightText(precision);
    case MemoryKind::fixed: return "not trained, 32 bits each";
    case MemoryKind::gradients: return bitsText(precision.bitsOfGradients());
    case MemoryKind::optimizer: return optimizerText(workload.optimizer);
    case MemoryKind::activations:
        return "checkpointing " + std::string(enumName(workload.checkpointing)) + ", "
            + bitsText(precision.activationBits)
            + "; each operation is one kernel, which saves its input (eager PyTorch keeps more)";
    case MemoryKind::kvCache: return cacheText(scenario, memory.total(kind));
    case MemoryKind::temporary: return memory.largestOperation;
    }
    return {};
}

std::vector<Cell> row(std::string path,
                      std::string_view shown,
                      int indent,
                      Count bytes,
                      Count whole,
                      std::string detail)
{
    return {Cell{.value = std::move(path), .shown = std::string(shown), .indent = indent},
            Cell::bytes(bytes),
            whole > 0 ? Cell::share(toDouble(bytes) / toDouble(whole)) : Cell{},
            Cell::text(std::move(detail))};
}

} // namespace

std::string weightText(const Precision& precision)
{
    constexpr std::pair<WeightKind, std::string_view> kKinds[]{
        {WeightKind::experts, "experts"},
        {WeightKind::embedding, "embedding"},
        {WeightKind::head, "head"},
        {WeightKind::vectors, "norms and biases"}};
    const WeightFormat usual = precision.format(WeightKind::matrices);
    std::string text = formatText(usual);
    for (const auto& [kind, name] : kKinds) {
        if (const WeightFormat own = precision.format(kind); own != usual) {
            text += "; " + std::string(name) + " " + formatText(own);
        }
    }
    return text;
}

std::string memoryHeadline(const Scenario& scenario)
{
    const Workload& workload = scenario.workload;
    return printable(scenario.model.name) + ": " + std::string(enumName(workload.phase))
        + ", batch " + std::to_string(workload.batch) + ", " + scenario.tokensText() + ", "
        + precisionText(workload.precision);
}

Table memoryTable(const Scenario& scenario, const Memory& memory)
{
    Table table{.caption =
                    memoryHeadline(scenario) + "; Flopsmith " + std::string(programVersion()),
                .columns = {{"part", "part", Align::left},
                            {"bytes", "bytes"},
                            {"share", "share"},
                            {"detail", "", Align::left}}};
    const Count whole = memory.total();
    table.rows.push_back(row("total", "total", 0, whole, whole, ""));
    for (std::size_t i = 0; i < enumNames<MemoryKind>().size(); ++i) {
        const auto kind = static_cast<MemoryKind>(i);
        const std::string name(enumName(kind));
        if (memory.total(kind) == 0) {
            continue;
        }
        table.rows.push_back(
            row(name, title(kind), 0, memory.total(kind), whole, origin(kind, scenario, memory)));
        for (const MemoryItem& item : memory.items) {
            if (item.kind == kind) {
                table.rows.push_back(row(name + "/" + std::string(item.component->id),
                                         item.component->title,
                                         1,
                                         item.bytes,
                                         whole,
                                         ""));
            }
        }
    }
    return table;
}

std::string fitText(const Memory& memory, const Hardware& hardware)
{
    if (!hardware.memoryBytes) {
        return {};
    }
    const double needed = toDouble(memory.total());
    const double there = hardware.memoryBytes->value;
    return bytesText(needed) + " of " + bytesText(there) + " on " + hardware.name + ": "
        + (needed <= there ? "fits" : "does not fit") + ", " + percentText(needed / there);
}

Json memoryJson(const Scenario& scenario, const Memory& memory, const Hardware* hardware)
{
    Json json;
    json["model"] = scenario.model.name;
    json["workload"] = toJson(scenario.workload);
    json["total_bytes"] = exactNumber(memory.total());
    json["largest_operation"] = memory.largestOperation;
    json["memory"] = Json::array();
    for (const MemoryItem& item : memory.items) {
        json["memory"].push_back({{"kind", std::string(enumName(item.kind))},
                                  {"component", std::string(item.component->id)},
                                  {"bytes", exactNumber(item.bytes)}});
    }
    if (hardware != nullptr && hardware->memoryBytes) {
        json["hardware"] = {{"id", hardware->id},
                            {"name", hardware->name},
                            {"memory_bytes", hardware->memoryBytes->value},
                            {"fits", toDouble(memory.total()) <= hardware->memoryBytes->value}};
    }
    return json;
}

} // namespace flopsmith
