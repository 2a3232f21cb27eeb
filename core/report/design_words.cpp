// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/design_words.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/lens/cost_summary.h"
#include "core/report/design_tables.h"
#include "core/report/report.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr std::size_t kMaxRunsTold = 3;

std::string howMany(Count count, const std::string& thing)
{
    return (count == 1 ? "one" : groupedDigits(count)) + " " + thing + (count == 1 ? "" : "s");
}

std::string withDetail(const StackPart& part)
{
    const std::string title = part.muted ? part.title + " (muted)" : part.title;
    return part.detail.empty() ? title : title + " (" + part.detail + ")";
}

std::string stackWords(const CostReport& report)
{
    const Model& model = report.scenario.model;
    const CostSummary sum = summary(report.tree, report.scenario, report.lens);
    const std::string kind = model.hasEncoder() ? " is an encoder-decoder of " : " is a stack of ";
    std::string text = reportWords(model.name) + kind + howMany(model.layers(), "transformer block")
        + ", " + groupedDigits(model.dModel) + " features wide, with "
        + howMany(sum.parameters, "parameter");
    if (sum.activeParameters != sum.parameters) {
        text += ", of which " + groupedDigits(sum.activeParameters) + " multiply for one token";
    }
    return text + ".";
}

std::string partWords(const StackPicture& picture)
{
    std::string text;
    std::size_t runs = 0;
    for (const StackRow& row : picture.rows) {
        if (row.kind != StackRow::Kind::run || row.parts.empty() || ++runs > kMaxRunsTold) {
            continue;
        }
        std::string parts;
        for (const StackPart& part : row.parts) {
            parts += (parts.empty() ? "" : " and ") + withDetail(part);
        }
        text += " " + row.title + " hold" + (row.repeat == 1 ? "s " : " ") + parts + ".";
    }
    if (runs > kMaxRunsTold) {
        text += " The other blocks stand in the table.";
    }
    return text;
}

std::string costWords(const CostReport& report, const Memory& memory)
{
    const std::string needs = " It needs " + bytesText(toDouble(memory.total())) + " of memory.";
    if (!report.total.figure) {
        return " For " + passWords(report.scenario) + ", " + report.total.remarks.front() + "."
            + needs;
    }
    const Count total = *report.total.figure;
    const std::string unit(lens(report.lens).unit);
    std::string text = " " + passWords(report.scenario) + " takes " + groupedDigits(total) + " "
        + unit + " as the lens \xE2\x80\x9C" + std::string(lens(report.lens).title)
        + "\xE2\x80\x9D counts";
    const std::vector<ComponentCost> costs = componentCosts(report);
    const auto largest = std::max_element(
        costs.begin(), costs.end(), [](const ComponentCost& a, const ComponentCost& b) {
            return a.flops < b.flops;
        });
    if (largest != costs.end() && largest->flops > 0) {
        text += "; the largest part of it is " + std::string(largest->component->title) + " with "
            + percentText(toDouble(largest->flops) / toDouble(total));
    }
    return text + "." + needs;
}

} // namespace

std::string designParagraph(const CostReport& report,
                            const StackPicture& picture,
                            const Memory& memory)
{
    return stackWords(report) + partWords(picture) + costWords(report, memory);
}

std::string passWords(const Scenario& scenario)
{
    const Workload& workload = scenario.workload;
    const std::string sequences = howMany(workload.batch, "sequence");
    const std::string tokens = howMany(scenario.queryTokens(), "token");
    std::string text;
    switch (workload.phase) {
    case Phase::prefill: text = "One forward pass over " + sequences + " of " + tokens; break;
    case Phase::decode:
        text = "One new token for " + sequences + " with a context of "
            + howMany(scenario.keys(), "token");
        break;
    case Phase::train: text = "One training step on " + sequences + " of " + tokens; break;
    }
    return scenario.model.hasEncoder()
        ? text + " and a source of " + howMany(scenario.sourceTokens(), "token")
        : text;
}

std::string lensWords(LensId id, PairsRule pairs)
{
    const Lens& rule = lens(id);
    std::string text = std::string(rule.title);
    text += rule.title == rule.name ? "" : " (" + std::string(rule.name) + ")";
    text += ": " + std::string(rule.rule) + ". Source: " + std::string(rule.source) + ". ";
    switch (pairs) {
    case PairsRule::exact: return text + "Of causal attention it charges the pairs of the mask.";
    case PairsRule::half: return text + "Of causal attention it charges half of all pairs.";
    case PairsRule::full: return text + "Of causal attention it charges all pairs, masked or not.";
    }
    return text;
}

std::string hardwareWords(const Hardware& hardware, const Precision& precision)
{
    const auto sourced = [](const std::string& source) { return " (" + excerpt(source) + ")"; };
    std::string text = reportWords(hardware.name) + ": memory moves "
        + rateText(hardware.bytesPerSecond.value, "B/s") + sourced(hardware.bytesPerSecond.source);
    if (const ComputePeak* peak = peakFor(hardware, precision)) {
        text += "; " + std::string(enumName(peak->format)) + " computes "
            + rateText(peak->flopsPerSecond, "FLOP/s") + sourced(peak->source);
    }
    if (hardware.memoryBytes) {
        text += "; it holds " + bytesText(hardware.memoryBytes->value)
            + sourced(hardware.memoryBytes->source);
    }
    return text + ".";
}

} // namespace flopsmith
