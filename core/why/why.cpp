// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/why/why.h"

#include "core/base/text.h"
#include "core/budget/memory.h"
#include "core/formula/element_formula.h"
#include "core/lens/cost_summary.h"
#include "core/model/cache_cost.h"
#include "core/present/time/run_time.h"
#include "core/present/time/share.h"
#include "core/why/why_steps.h"

namespace flopsmith {
namespace {

// "Attention  40.6 G  18.8 %": the parts of a sum.
void addSlices(Why& why, const Donut& donut)
{
    for (const Slice& slice : donut.slices) {
        why.steps.push_back({.title = slice.title,
                             .arithmetic = percentText(slice.share),
                             .result = slice.valueText});
    }
}

Why whyCost(const HeadlineSource& source)
{
    const Scenario& scenario = source.scenario;
    const Lens& lens = flopsmith::lens(source.lens);
    Why why{.title = "Cost",
            .sentence = "What the model computes, counted by the lens " + std::string(lens.title)
                + ": " + std::string(lens.rule) + ".",
            .unit = std::string(lens.unit),
            .view = "formulas"};
    addFormula(why, scenario, [&] { return formulaOf(scenario, "", source.lens); });
    if (!lens.isFormula()) {
        addSlices(why, flopsDonut(source.tree, source.lens));
    }
    why.basis = {"Counted so by " + std::string(lens.source) + ".",
                 "Precision does not change how many operations there are."};
    return why;
}

// The format of each kind of weights, where they differ.
std::vector<WhyStep> weightSteps(const CostTree<Count>& tree, const Precision& precision)
{
    const Count all = tree.total().parameters.trainable;
    const WeightFormat format = precision.format(WeightKind::matrices);
    if (!precision.hasOneFormat()) {
        return {{.title = "bytes",
                 .arithmetic = "each kind of tensor with its own bits",
                 .result = bytesResult(weightBytes(tree, precision))}};
    }
    std::vector<WhyStep> steps{
        {.title = "bytes",
         .arithmetic = groupedDigits(all) + kTimes + bitText(format.bits) + kDividedBy + "8",
         .result = bytesResult(packedBytes(all, format.bits))}};
    if (format.hasGroups()) {
        const Count bytes = storedBytes(all, format);
        steps.push_back({.title = "with scales",
                         .arithmetic = bitText(format.groupBits) + " for every "
                             + std::to_string(format.group) + " weights",
                         .result = bytesResult(bytes)});
    }
    return steps;
}

Why whyParameters(const HeadlineSource& source)
{
    Why why{.title = "Parameters",
            .sentence = "The numbers that training changes; matrices that two parts share are "
                        "counted once.",
            .unit = "parameters",
            .view = "memory"};
    addFormula(why, source.scenario, [&] {
        return elementFormula(source.scenario, ElementKind::parameters);
    });
    addSlices(why, parametersDonut(source.tree));
    const Precision& precision = source.scenario.workload.precision;
    for (WhyStep& step : weightSteps(source.tree, precision)) {
        why.steps.push_back(std::move(step));
    }
    why.basis = {"Precision: " + precisionText(precision) + "."};
    return why;
}

namespace {

Why whyState(const Scenario& scenario, const Count& all)
{
    const int bits = scenario.workload.precision.kvBits;
    Why why{.title = "State",
            .sentence = "All that the blocks keep of earlier tokens is a state of fixed size, "
                        "which every token reads and changes.",
            .unit = "bytes",
            .view = "memory"};
    why.steps.push_back(
        {.title = "all blocks and sequences",
         .arithmetic = groupedDigits(all * 8 / bits) + kTimes + bitText(bits) + kDividedBy + "8",
         .result = bytesResult(all)});
    why.basis = {"Kept in " + bitText(bits) + "."};
    return why;
}

} // namespace

Why whyCache(const HeadlineSource& source)
{
    const Scenario& scenario = source.scenario;
    const Workload& workload = scenario.workload;
    Why why{.title = "Cache per token",
            .sentence =
                "Each token leaves its keys and values in every block, so that later tokens "
                "need not compute them again.",
            .unit = "elements per token",
            .view = "memory"};
    const Count perToken = kvCacheBytesPerToken(scenario);
    const Count all = cacheBytes(scenario);
    if (perToken == 0 && all > 0 && all == stateBytes(scenario)) {
        return whyState(scenario, all);
    }
    if (perToken == 0) {
        why.sentence = "No block of this model keeps anything of a token for later ones.";
        return why;
    }
    addFormula(why, scenario, [&] { return elementFormula(scenario, ElementKind::cachePerToken); });
    const std::string elements =
        groupedDigits(cacheOfOneToken(scenario, Numbers<Count>{}).total().traffic.kvWritten);
    why.steps.push_back(
        {.title = "bytes per token",
         .arithmetic = elements + kTimes + bitText(workload.precision.kvBits) + kDividedBy + "8",
         .result = bytesResult(perToken)});
    const Count tokens = Count{workload.batch} * scenario.keys();
    const bool grows = all == tokens * perToken;
    why.steps.push_back(
        {.title = workload.batch > 1 ? "all sequences" : "whole context",
         .arithmetic = grows
             ? (workload.batch > 1 ? groupedDigits(workload.batch) + kTimes : std::string())
                 + groupedDigits(scenario.keys()) + kTimes + groupedDigits(perToken)
             : "windows, states and the encoder's tokens are kept apart",
         .result = bytesResult(all)});
    why.basis = {"Cached in " + bitText(workload.precision.kvBits) + "."};
    return why;
}

Why whyTrainingMemory(const HeadlineSource& source)
{
    const Memory needed = memory(source.scenario);
    Why why{.title = "Memory of a training step",
            .sentence = "Everything that one device holds while it trains the whole model, without "
                        "what an allocator loses.",
            .view = "memory"};
    for (const MemoryKind kind : {MemoryKind::weights,
                                  MemoryKind::fixed,
                                  MemoryKind::gradients,
                                  MemoryKind::optimizer,
                                  MemoryKind::activations,
                                  MemoryKind::temporary}) {
        if (const Count bytes = needed.total(kind); bytes > 0) {
            why.steps.push_back(
                {.title = std::string(title(kind)),
                 .arithmetic = percentText(toDouble(bytes) / toDouble(needed.total())),
                 .result = bytesResult(bytes)});
        }
    }
    why.steps.push_back({.title = "together", .result = bytesResult(needed.total())});
    why.basis = {"Precision: " + precisionText(source.scenario.workload.precision) + "."};
    return why;
}

Why whyLeastTime(const HeadlineSource& source)
{
    Why why{.title = "Least possible time", .sentence = kLeastTimeSentence, .view = "roofline"};
    const Result<HardwarePeak> on = roofsOf(source);
    if (on) {
        addLeastTime(why, source, *on);
    } else {
        why.noFormula = on.error().message;
    }
    return why;
}

Why whyMeasured(const HeadlineSource& source, const std::string& device)
{
    Why why{.title = "Measured time", .sentence = kMeasuredSentence, .view = "run_time"};
    const RunTimeTable table = runTimeTable(source.parts, source.times, {}, std::nullopt);
    for (const RunTimeRow& row : table.rows) {
        if (!row.isStage && row.seconds > 0.0) {
            why.steps.push_back({.title = row.titleText,
                                 .arithmetic = row.uses > 1 ? std::to_string(row.uses) + kTimes
                                         + durationText(row.seconds / row.uses)
                                                            : std::string(),
                                 .result = row.timeText});
        }
    }
    if (table.isTotalKnown()) {
        why.steps.push_back({.title = "together",
                             .arithmetic = table.total.spreadText,
                             .result = table.total.timeText});
    } else {
        why.noFormula = failedPartsText(source.parts, source.times);
        why.noFormula =
            why.noFormula.empty() ? table.parts.text() + " measured so far." : why.noFormula + ".";
    }
    why.basis = {measuredBasis(table, device)};
    return why;
}

} // namespace

Why whyOf(HeadlineKind kind, const HeadlineSource& source, const std::string& device)
{
    switch (kind) {
    case HeadlineKind::cost: return whyCost(source);
    case HeadlineKind::parameters: return whyParameters(source);
    case HeadlineKind::memory:
        return source.scenario.workload.phase == Phase::train ? whyTrainingMemory(source)
                                                              : whyCache(source);
    case HeadlineKind::leastTime: return whyLeastTime(source);
    case HeadlineKind::measuredTime: return whyMeasured(source, device);
    }
    return {};
}

std::string whyText(const Why& why)
{
    std::string text = why.title + "\n" + why.sentence + "\n";
    if (why.formula) {
        text += why.formula->text + "\n= " + why.formula->numbers + "\n"
            + (why.formula->nominal ? "\xE2\x89\x88 " : "= ") + groupedDigits(why.formula->value)
            + " " + why.unit + "\n";
    }
    text += why.noFormula.empty() ? "" : why.noFormula + "\n";
    for (const WhyStep& step : why.steps) {
        text += step.title + ": " + step.arithmetic + (step.arithmetic.empty() ? "" : " = ")
            + step.result + "\n";
    }
    for (const std::string& line : why.basis) {
        text += line + "\n";
    }
    return text;
}

} // namespace flopsmith
