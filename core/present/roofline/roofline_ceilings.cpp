// SPDX-License-Identifier: MIT
#include "core/present/roofline/roofline_ceilings.h"

#include "core/base/text.h"

#include <algorithm>

namespace flopsmith {
namespace {

void addCeiling(RooflineCeiling::Kind kind,
                double perSecond,
                std::string_view name,
                RooflineChart& chart)
{
    if (perSecond > 0.0) {
        const bool isProduct = kind == RooflineCeiling::Kind::product;
        chart.ceilings.push_back(
            {.kind = kind,
             .perSecond = perSecond,
             .text = std::string(name) + " " + rateText(perSecond, isProduct ? "FLOP/s" : "B/s")});
    }
}

// Parallel slopes leave no space for all of their texts. A unit follows only the first of the
// figures that share it: "fp32 116.5 GFLOP/s, bf16 761.5, L1 434.7 GB/s, L2 75.3".
std::string namesOf(const MachineRoofs& machine)
{
    std::string names;
    std::string last;
    const auto add = [&](std::string_view name, double perSecond, std::string_view unit) {
        const std::string rate = rateText(perSecond, unit);
        const std::size_t blank = rate.find(' ');
        const std::string own = blank == std::string::npos ? "" : rate.substr(blank);
        names += (names.empty() ? "" : ", ") + std::string(name) + " "
            + (own == last ? rate.substr(0, blank) : rate);
        last = own;
    };
    for (const ComputePeak& product : machine.products) {
        add(enumName(product.format), product.flopsPerSecond, "FLOP/s");
    }
    for (const MemoryLevel& level : machine.caches()) {
        add(level.name, level.bytesPerSecond, "B/s");
    }
    add("memory", machine.peaks().bytesPerSecond, "B/s");
    return names;
}

void addNotes(const MachineRoofs& machine, const Hardware& on, RooflineChart& chart)
{
    std::string text = "dashed roofs: measured on " + machine.device;
    text += machine.threads > 1 ? ", " + std::to_string(machine.threads) + " threads" : "";
    text += machine.measuredAt > 0 ? ", " + dateText(machine.measuredAt) : "";
    chart.notes.insert(chart.notes.begin(), {text, namesOf(machine)});
    if (chart.roofOrigin == Origin::computed) {
        chart.notes.insert(chart.notes.begin() + 2, "solid roof: data sheet of " + on.name);
    }
}

} // namespace

// Those of the machine's roofs that are not the main pair.
void addMachine(const MachineRoofs& machine, const HardwarePeak& on, RooflineChart& chart)
{
    using Kind = RooflineCeiling::Kind;
    const Peaks own = machine.peaks();
    const bool ownMemory = own.bytesPerSecond == chart.peaks.bytesPerSecond;
    const auto isMain = [&](double flopsPerSecond) {
        return ownMemory && flopsPerSecond == chart.peaks.flopsPerSecond;
    };
    for (const ComputePeak& product : machine.products) {
        const bool main = isMain(product.flopsPerSecond);
        chart.roofOrigin = main ? Origin::measured : chart.roofOrigin;
        if (!main) {
            addCeiling(Kind::product, product.flopsPerSecond, enumName(product.format), chart);
        }
    }
    for (const MemoryLevel& level : machine.caches()) {
        addCeiling(Kind::memory, level.bytesPerSecond, level.name, chart);
    }
    if (!ownMemory) {
        addCeiling(Kind::memory, own.bytesPerSecond, "memory", chart);
    }
    addNotes(machine, on.hardware, chart);
}

MeasuredExtent measuredExtent(const RooflineChart& chart)
{
    MeasuredExtent extent;
    const auto takeSlope = [&](double slope) {
        extent.steepest = std::max(extent.steepest, slope);
        extent.shallowest = extent.shallowest > 0.0 ? std::min(extent.shallowest, slope) : slope;
    };
    if (chart.roofOrigin == Origin::measured) {
        extent.highest = chart.peaks.flopsPerSecond;
        takeSlope(chart.peaks.bytesPerSecond);
    }
    for (const RooflineCeiling& ceiling : chart.ceilings) {
        if (ceiling.kind == RooflineCeiling::Kind::product) {
            extent.highest = std::max(extent.highest, ceiling.perSecond);
        } else {
            takeSlope(ceiling.perSecond);
        }
    }
    return extent;
}

std::vector<RooflinePlace> RooflineChart::line(const RooflineCeiling& ceiling,
                                               const TickAxis& xAxis) const
{
    const MeasuredExtent measured = measuredExtent(*this);
    const double left = xAxis.valueAt(0.0);
    const double right = xAxis.valueAt(1.0);
    if (ceiling.kind == RooflineCeiling::Kind::product) {
        const double from =
            measured.steepest > 0.0 ? std::max(left, ceiling.perSecond / measured.steepest) : left;
        return from < right
            ? std::vector<RooflinePlace>{{from, ceiling.perSecond}, {right, ceiling.perSecond}}
            : std::vector<RooflinePlace>{};
    }
    const double to = std::min(right, measured.highest / ceiling.perSecond);
    return left < to
        ? std::vector<RooflinePlace>{{left, left * ceiling.perSecond}, {to, to * ceiling.perSecond}}
        : std::vector<RooflinePlace>{};
}

} // namespace flopsmith
