// SPDX-License-Identifier: MIT
#include "core/io/reports/peaks_report.h"

#include "core/base/text.h"
#include "core/json/json.h"

namespace flopsmith {
namespace {

Cell rateCell(double perSecond)
{
    Cell cell = Cell::number(perSecond);
    cell.shown = siText(perSecond);
    return cell;
}

std::vector<Cell> rowOf(std::string what, Cell size, int threads, Cell value, const char* unit)
{
    return {Cell::text(std::move(what)),
            std::move(size),
            Cell::count(threads),
            std::move(value),
            Cell::text(unit)};
}

} // namespace

Table peaksTable(const MachineRoofs& roofs)
{
    Table table{.caption = roofs.device + ": measured peaks",
                .columns = {{"peak", "peak", Align::left},
                            {"bytes", "size"},
                            {"threads", "threads"},
                            {"value", "at best"},
                            {"unit", "", Align::left}}};
    for (const ComputePeak& product : roofs.products) {
        table.rows.push_back(rowOf("product, " + std::string(enumName(product.format)),
                                   {},
                                   roofs.threads,
                                   rateCell(product.flopsPerSecond),
                                   "FLOP/s"));
    }
    for (const MemoryLevel& level : roofs.levels) {
        table.rows.push_back(
            rowOf("copy, " + level.name,
                  level.bytes > 0.0 ? Cell::bytes(static_cast<Count>(level.bytes)) : Cell{},
                  level.threads,
                  rateCell(level.bytesPerSecond),
                  "B/s"));
    }
    if (roofs.launchSeconds > 0.0) {
        Cell value = Cell::seconds(roofs.launchSeconds);
        const std::size_t space = value.shown.find(' ');
        const std::string unit = value.shown.substr(space + 1);
        value.shown.resize(space);
        table.rows.push_back(rowOf("empty step", {}, roofs.threads, value, "s"));
        table.rows.back().back().shown = unit;
    }
    return table;
}

std::string peaksHeadline(const MachineRoofs& roofs)
{
    std::string text = roofs.device;
    text += roofs.how.empty() ? "" : "\n  " + roofs.how;
    return text + (roofs.measuredAt > 0 ? "\n  measured " + dateText(roofs.measuredAt) : "");
}

Json peaksJson(const MachineRoofs& roofs)
{
    Json json{{"device", roofs.device},
              {"kind", std::string(enumName(roofs.kind))},
              {"threads", roofs.threads}};
    if (roofs.measuredAt > 0) {
        json["measured_at"] = dateText(roofs.measuredAt);
    }
    json["measured_with"] = roofs.how;
    json["products"] = Json::array();
    for (const ComputePeak& product : roofs.products) {
        json["products"].push_back({{"format", std::string(enumName(product.format))},
                                    {"flops_per_second", product.flopsPerSecond}});
    }
    json["levels"] = Json::array();
    for (const MemoryLevel& level : roofs.levels) {
        Json entry{{"name", level.name}};
        if (level.bytes > 0.0) {
            entry["bytes"] = level.bytes;
        }
        entry["bytes_per_second"] = level.bytesPerSecond;
        entry["threads"] = level.threads;
        json["levels"].push_back(std::move(entry));
    }
    if (roofs.launchSeconds > 0.0) {
        json["launch_seconds"] = roofs.launchSeconds;
    }
    return json;
}

} // namespace flopsmith
