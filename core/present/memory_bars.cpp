// SPDX-License-Identifier: MIT
#include "core/present/memory_bars.h"

#include "core/base/text.h"
#include "core/count/by_component.h"

#include <algorithm>

namespace flopsmith {
namespace {

// A limit further away than this many times the longest bar would leave nothing to see of the bars.
constexpr double kFarLimit = 4.0;

std::string share(Count part, Count whole)
{
    return percentText(whole > 0 ? toDouble(part) / toDouble(whole) : 0.0);
}

MemorySegment segmentOf(const MemoryItem& item, double start, Count whole)
{
    const std::string kindTitle(title(item.kind));
    return {.kind = item.kind,
            .component = item.component,
            .bytes = item.bytes,
            .start = start,
            .end = start + toDouble(item.bytes),
            .title = std::string(item.component->title) + ", " + kindTitle,
            .text = bytesText(toDouble(item.bytes)),
            .exactText =
                groupedDigits(item.bytes) + " bytes, " + share(item.bytes, whole) + " of all"};
}

MemoryBar barOf(const Memory& memory, std::optional<MemoryKind> kind)
{
    const Count whole = memory.total();
    MemoryBar bar{.kind = kind, .title = kind ? std::string(title(*kind)) : "everything"};
    double start = 0.0;
    for (const MemoryItem& item : memory.items) {
        if (!kind || item.kind == *kind) {
            bar.segments.push_back(segmentOf(item, start, whole));
            start = bar.segments.back().end;
            bar.bytes += item.bytes;
        }
    }
    bar.text = bytesText(toDouble(bar.bytes));
    bar.shareText = share(bar.bytes, whole);
    return bar;
}

std::vector<MemoryLegendEntry> legendOf(const Memory& memory)
{
    ByComponent<Count> sums;
    for (const MemoryItem& item : memory.items) {
        sums.add(*item.component, item.bytes);
    }
    std::vector<MemoryLegendEntry> legend;
    for (const auto& entry : sums.entries()) {
        legend.push_back({.component = entry.component,
                          .title = std::string(entry.component->title),
                          .bytes = entry.amount,
                          .text = bytesText(toDouble(entry.amount))});
    }
    return legend;
}

std::string titleOf(const Scenario& scenario)
{
    const Workload& workload = scenario.workload;
    return scenario.model.name + ": " + std::string(enumName(workload.phase)) + ", batch "
        + std::to_string(workload.batch) + ", " + scenario.tokensText();
}

} // namespace

TickAxis MemoryChart::axis(int mostTicks) const
{
    double longest = 0.0;
    for (const MemoryBar& bar : bars) {
        longest = std::max(longest, toDouble(bar.bytes));
    }
    if (limit && limit->bytes <= kFarLimit * longest) {
        longest = std::max(longest, limit->bytes);
    }
    // Round in the unit that the labels have: 5 GiB, not 4.657.
    double unit = 1.0;
    while (longest / unit >= 1024.0) {
        unit *= 1024.0;
    }
    TickAxis axis = tickAxis(AxisScale::linear, 0.0, longest / unit, mostTicks);
    axis.low *= unit;
    axis.high *= unit;
    for (Tick& tick : axis.ticks) {
        tick.position *= unit;
        tick.value *= unit;
        tick.label = tickText(tick.value, TickUnit::iecBytes);
    }
    return axis;
}

MemoryChart memoryChart(const Scenario& scenario, const Hardware* hardware)
{
    const Memory needed = memory(scenario);
    MemoryChart chart{.title = titleOf(scenario), .legend = legendOf(needed)};
    chart.bars.push_back(barOf(needed, std::nullopt));
    for (std::size_t i = 0; i < enumNames<MemoryKind>().size(); ++i) {
        const auto kind = static_cast<MemoryKind>(i);
        if (needed.total(kind) > 0) {
            chart.bars.push_back(barOf(needed, kind));
        }
    }
    if (hardware != nullptr && hardware->memoryBytes) {
        const double there = hardware->memoryBytes->value;
        chart.limit = {.bytes = there,
                       .text = hardware->name + ": " + bytesText(there),
                       .exceeded = toDouble(needed.total()) > there};
    }
    chart.note = "on one device, without copies; an allocator's losses come on top";
    if (!needed.largestOperation.empty()) {
        chart.note += "; the largest temporary is that of " + needed.largestOperation;
    }
    return chart;
}

} // namespace flopsmith
