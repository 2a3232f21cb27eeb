// SPDX-License-Identifier: MIT
#include "core/io/reports/roofline_report.h"

#include "core/base/text.h"
#include "core/budget/even_routing.h"
#include "core/io/project/version.h"
#include "core/io/reports/cost_report.h"
#include "core/io/reports/memory_report.h"
#include "core/io/reports/peaks_report.h"
#include "core/io/table/part_cell.h"
#include "core/json/json_text.h"
#include "core/json/spec_json.h"

namespace flopsmith {
namespace {

std::string line(const std::string& name, const std::string& text)
{
    constexpr std::size_t kNameColumns = 18;
    std::string start = "\n  " + name;
    start.resize(std::max(start.size() + 1, kNameColumns + 3), ' ');
    return start + text;
}

Cell intensityCell(const RooflinePart& part)
{
    Cell cell = Cell::number(part.intensity());
    cell.shown = part.bytes > 0 ? siText(part.intensity()) : "";
    return cell;
}

Json partJson(const RooflineReport& report, int i)
{
    const RooflinePart& part = report.roofline.parts[static_cast<std::size_t>(i)];
    return {{"path", report.tree.path(i)},
            {"flops", exactNumber(part.flops)},
            {"bytes", exactNumber(part.bytes)},
            {"intensity", part.intensity()},
            {"bound", std::string(enumName(part.binding))},
            {"seconds", part.seconds},
            {"times_used", exactNumber(part.uses)}};
}

Json wholeJson(const RooflineReport& report)
{
    const RooflinePart& whole = report.roofline.whole();
    Json json{{"flops", exactNumber(whole.flops)},
              {"matmul_flops", exactNumber(report.roofline.matmulFlops)},
              {"bytes", exactNumber(whole.bytes)},
              {"lower_bound_seconds", whole.seconds},
              {"bound", std::string(enumName(whole.binding))},
              {"mfu_at_lower_bound", report.roofline.mfuAtLowerBound()}};
    if (report.measuredSeconds) {
        json["measured_seconds"] = *report.measuredSeconds;
        json["mfu"] = *report.mfu();
    }
    return json;
}

// The roofs that the bound does not use, and when all of them were measured.
std::string machineLines(const MachineRoofs& machine)
{
    std::string roofs;
    const auto add = [&](std::string_view name, double perSecond, std::string_view unit) {
        roofs += (roofs.empty() ? "" : ", ") + std::string(name) + " " + rateText(perSecond, unit);
    };
    for (const ComputePeak& product : machine.products) {
        add(enumName(product.format), product.flopsPerSecond, "FLOP/s");
    }
    for (const MemoryLevel& level : machine.caches()) {
        add(level.name, level.bytesPerSecond, "B/s");
    }
    std::string text = line("measured roofs", roofs);
    if (machine.launchSeconds > 0.0) {
        text += line("empty step", durationText(machine.launchSeconds));
    }
    return text
        + (machine.measuredAt > 0 ? line("measured", dateText(machine.measuredAt)) : std::string());
}

std::string expertLines(const RooflineReport& report)
{
    if (!report.evenly) {
        return {};
    }
    const RooflinePart& evenly = report.evenly->whole();
    return line("experts read",
                expertReadsText(uncertainReads(report.tree)) + ": then "
                    + bytesText(toDouble(evenly.bytes)) + ", " + durationText(evenly.seconds)
                    + "; the lower bound takes the fewest");
}

Json expertsJson(const RooflineReport& report)
{
    Json list = Json::array();
    for (const RoutedExperts& kind : uncertainReads(report.tree)) {
        list.push_back({{"experts", kind.experts},
                        {"per_token", kind.perToken},
                        {"least", kind.min()},
                        {"expected", kind.expected()},
                        {"most", kind.max()}});
    }
    return list;
}

} // namespace

std::optional<double> RooflineReport::mfu() const
{
    if (!measuredSeconds) {
        return std::nullopt;
    }
    return utilisation(
        toDouble(roofline.matmulFlops), *measuredSeconds, 1.0, on.peak.flopsPerSecond);
}

RooflineReport rooflineReport(const Scenario& scenario,
                              const HardwarePeak& on,
                              LensId lens,
                              PairsRule pairs)
{
    RooflineReport report{.scenario = scenario, .on = on, .pairs = pairs};
    report.tree = costTree(scenario, pairs);
    report.roofline = roofline(report.tree, scenario.workload.precision, on.peaks(), lens);
    if (!uncertainReads(report.tree).empty()) {
        report.evenly =
            roofline(evenlyRouted(report.tree), scenario.workload.precision, on.peaks(), lens);
    }
    return report;
}

Table rooflineTable(const RooflineReport& report)
{
    const Lens& by = lens(report.roofline.lens);
    Table table{.caption = memoryHeadline(report.scenario) + ", on " + report.on.hardware.name
                    + "; Flopsmith " + std::string(programVersion()),
                .columns = {{"part", "part", Align::left},
                            {"times_used", "uses"},
                            {"flops", std::string(by.unit)},
                            {"bytes", "bytes moved"},
                            {"intensity", std::string(by.unit) + " per byte"},
                            {"bound", "bound by", Align::left},
                            {"seconds", "at least"},
                            {"share", "share"}}};
    const double whole = report.roofline.whole().seconds;
    for (int i = 0; i < report.tree.size(); ++i) {
        const RooflinePart& part = report.roofline.parts[static_cast<std::size_t>(i)];
        const double seconds = toDouble(part.uses) * part.seconds;
        if (part.bytes == 0 && part.flops == 0) {
            continue; // shared parameters, stored and not executed
        }
        table.rows.push_back({partCell(report.tree, i, report.scenario.model.name),
                              usesCell(part.uses),
                              Cell::count(part.uses * part.flops),
                              Cell::bytes(part.uses * part.bytes),
                              intensityCell(part),
                              Cell::text(std::string(enumName(part.binding))),
                              Cell::seconds(seconds),
                              whole > 0.0 ? Cell::share(seconds / whole) : Cell{}});
    }
    return table;
}

std::string rooflineHeadline(const RooflineReport& report)
{
    const Roofline& all = report.roofline;
    const Lens& by = lens(all.lens);
    const HardwarePeak& on = report.on;
    std::string text = memoryHeadline(report.scenario) + line("device", on.hardware.name)
        + line("peak",
               rateText(on.peak.flopsPerSecond, "FLOP/s") + " dense "
                   + std::string(enumName(on.peak.format)) + " (" + on.peak.source + ")")
        + line("bandwidth",
               rateText(on.hardware.bytesPerSecond.value, "B/s") + " ("
                   + on.hardware.bytesPerSecond.source + ")")
        + line("ridge", siText(all.peaks.ridge()) + " FLOPs per byte")
        + line("lower bound",
               durationText(all.whole().seconds) + ", mostly bound by "
                   + std::string(enumName(all.whole().binding)) + "; "
                   + siText(toDouble(all.whole().flops)) + " " + std::string(by.unit) + ", "
                   + bytesText(toDouble(all.whole().bytes)) + ", nothing fused")
        + expertLines(report) + line("MFU at that bound", percentText(all.mfuAtLowerBound()));
    if (report.machine) {
        text += machineLines(*report.machine);
    }
    if (report.measuredSeconds) {
        text += line("MFU",
                     percentText(*report.mfu()) + " in " + durationText(*report.measuredSeconds)
                         + ", " + siText(toDouble(all.matmulFlops)) + " matmul FLOPs");
    }
    return text;
}

Json rooflineJson(const RooflineReport& report)
{
    const HardwarePeak& on = report.on;
    Json json;
    json["model"] = report.scenario.model.name;
    json["workload"] = toJson(report.scenario.workload);
    json["lens"] = std::string(lens(report.roofline.lens).name);
    json["pairs"] = std::string(pairsName(report.pairs));
    json["hardware"] = {{"id", on.hardware.id}, {"name", on.hardware.name}};
    json["peak"] = {{"format", std::string(enumName(on.peak.format))},
                    {"flops_per_second", on.peak.flopsPerSecond},
                    {"source", on.peak.source}};
    json["bandwidth"] = {{"bytes_per_second", on.hardware.bytesPerSecond.value},
                         {"source", on.hardware.bytesPerSecond.source}};
    json["ridge"] = report.roofline.peaks.ridge();
    if (report.machine) {
        json["machine"] = peaksJson(*report.machine);
    }
    json["total"] = wholeJson(report);
    if (report.evenly) {
        const RooflinePart& evenly = report.evenly->whole();
        json["experts"] = expertsJson(report);
        json["even_routing"] = {{"bytes", exactNumber(evenly.bytes)}, {"seconds", evenly.seconds}};
    }
    json["tree"] = Json::array();
    for (int i = 1; i < report.tree.size(); ++i) {
        json["tree"].push_back(partJson(report, i));
    }
    return json;
}

} // namespace flopsmith
