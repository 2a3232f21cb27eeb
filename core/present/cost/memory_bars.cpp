// SPDX-License-Identifier: MIT
#include "core/present/cost/memory_bars.h"

#include "core/base/text.h"
#include "core/count/by_component.h"
#include "core/present/base/design_marks.h"

#include <algorithm>

namespace flopsmith {
namespace {

// A limit further away than this many times the longest bar would make the bars too short to read.
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

/// Adds designs to the bars of a scenario.
class GhostBars
{
public:
    explicit GhostBars(std::span<const ComparedDesign> others)
        : m_others(others)
    {
        for (const ComparedDesign& other : others) {
            m_needed.push_back(other.memory != nullptr ? *other.memory : memory(other.scenario));
        }
    }

    bool need(MemoryKind kind) const
    {
        return std::any_of(m_needed.begin(), m_needed.end(), [kind](const Memory& needed) {
            return needed.total(kind) > 0;
        });
    }

    MemoryBar beside(MemoryBar bar) const
    {
        for (std::size_t i = 0; i < m_others.size(); ++i) {
            const Count bytes = bar.kind ? m_needed[i].total(*bar.kind) : m_needed[i].total();
            bar.ghosts.push_back({.mark = &designMark(m_others[i], i),
                                  .title = m_others[i].name,
                                  .bytes = bytes,
                                  .text = bytesText(toDouble(bytes))});
        }
        return bar;
    }

    std::vector<MemoryLegendEntry> legend() const
    {
        std::vector<MemoryLegendEntry> entries;
        for (const MemoryGhost& whole : beside({}).ghosts) {
            entries.push_back({.component = whole.mark,
                               .title = whole.title,
                               .bytes = whole.bytes,
                               .text = whole.text});
        }
        return entries;
    }

    // A note on designs with other tokens or another precision.
    std::string note(const Workload& workload) const
    {
        std::string text;
        for (const std::string& own :
             {ownWorkloads(workload, m_others), ownPrecisions(workload.precision, m_others)}) {
            text += own.empty() ? "" : "; " + own;
        }
        return text;
    }

private:
    std::span<const ComparedDesign> m_others;
    std::vector<Memory> m_needed;
};

} // namespace

TickAxis MemoryChart::axis(int maxTicks) const
{
    double longest = 0.0;
    for (const MemoryBar& bar : bars) {
        longest = std::max(longest, toDouble(bar.bytes));
        for (const MemoryGhost& ghost : bar.ghosts) {
            longest = std::max(longest, toDouble(ghost.bytes));
        }
    }
    if (limit && limit->bytes <= kFarLimit * longest) {
        longest = std::max(longest, limit->bytes);
    }
    return tickAxis(AxisScale::linear, 0.0, longest, maxTicks, TickUnit::bytes);
}

MemoryChart memoryChart(const Scenario& scenario,
                        const Hardware* hardware,
                        std::span<const ComparedDesign> others)
{
    const Memory needed = memory(scenario);
    const GhostBars ghosts(others);
    MemoryChart chart{.title = titleOf(scenario),
                      .heading = bytesText(toDouble(needed.total())) + " "
                          + inPrecision(scenario.workload.precision),
                      .legend = legendOf(needed),
                      .others = ghosts.legend()};
    chart.bars.push_back(ghosts.beside(barOf(needed, std::nullopt)));
    for (std::size_t i = 0; i < enumNames<MemoryKind>().size(); ++i) {
        const auto kind = static_cast<MemoryKind>(i);
        if (needed.total(kind) > 0 || ghosts.need(kind)) {
            chart.bars.push_back(ghosts.beside(barOf(needed, kind)));
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
    chart.note += ghosts.note(scenario.workload);
    return chart;
}

} // namespace flopsmith
