// SPDX-License-Identifier: MIT
#include "core/present/cost/comparison_bars.h"

#include "core/base/check.h"
#include "core/base/text.h"

#include <algorithm>

namespace flopsmith {
namespace {

// A formula's figure, which has no part per component.
constexpr Component kWholeModel{"whole", "Whole model", 0x4E5A66, Hatch::none};

// "291.6 GFLOPs"
std::string operationsText(Count count, const std::string& unit)
{
    const ShortNumber number = shortNumber(toDouble(count));
    return number.figure + " " + number.prefix + unit;
}

Count countOf(const ComparedFigure& figure, std::size_t design)
{
    return std::get<Count>(figure.values.at(design).value());
}

const ComparedFigure& operationsOf(const Comparison& comparison)
{
    const auto found =
        std::find_if(comparison.figures.begin(),
                     comparison.figures.end(),
                     [](const ComparedFigure& figure) { return figure.key == "flops"; });
    FLOPSMITH_CHECK(found != comparison.figures.end());
    return *found;
}

void addSegment(ComparisonBar& bar,
                const Component& component,
                Count count,
                const std::string& unit)
{
    if (count <= 0) {
        return;
    }
    const double start = bar.segments.empty() ? 0.0 : bar.segments.back().end;
    const double value = toDouble(count);
    bar.segments.push_back({.component = &component,
                            .count = count,
                            .start = start,
                            .end = start + value,
                            .text = operationsText(count, unit),
                            .shareText = percentText(value / toDouble(bar.count))});
}

ComparisonBar barOfDesign(const Comparison& comparison, std::size_t design)
{
    const ComparedFigure& whole = operationsOf(comparison);
    ComparisonBar bar{.title = comparison.designs[design].name, .count = countOf(whole, design)};
    bar.text = operationsText(bar.count, whole.unit);
    bar.ratioText = design == 0 ? "" : ratioText(whole.ratio(design).value_or(0.0));
    for (const ComparedFigure& figure : comparison.figures) {
        if (figure.component != nullptr) {
            addSegment(bar, *figure.component, countOf(figure, design), whole.unit);
        }
    }
    if (lens(comparison.lens).isFormula()) {
        addSegment(bar, kWholeModel, bar.count, whole.unit);
    }
    return bar;
}

Count sumOfDesigns(const ComparedFigure& figure)
{
    Count sum = 0;
    for (std::size_t design = 0; design < figure.values.size(); ++design) {
        sum += countOf(figure, design);
    }
    return sum;
}

// Every component of the figures is part of some design.
std::vector<ComparisonLegendEntry> comparisonLegend(const Comparison& comparison)
{
    if (lens(comparison.lens).isFormula()) {
        return {{&kWholeModel, sumOfDesigns(operationsOf(comparison))}};
    }
    std::vector<ComparisonLegendEntry> legend;
    for (const ComparedFigure& figure : comparison.figures) {
        if (figure.component != nullptr) {
            legend.push_back({figure.component, sumOfDesigns(figure)});
        }
    }
    return legend;
}

// "prefill, batch 1, sequence 1024"
std::string workloadText(const Scenario& scenario)
{
    return std::string(enumName(scenario.workload.phase)) + ", batch "
        + std::to_string(scenario.workload.batch) + ", " + scenario.tokensText();
}

// All designs have the first one's workload: options of a comparison apply to all of them.
std::string comparisonTitle(const Comparison& comparison)
{
    std::string names;
    for (const ComparedDesign& design : comparison.designs) {
        names += (names.empty() ? "" : " beside ") + design.name;
    }
    const std::string first = workloadText(comparison.designs.front().scenario);
    const bool same = std::all_of(
        comparison.designs.begin(), comparison.designs.end(), [&first](const ComparedDesign& each) {
            return workloadText(each.scenario) == first;
        });
    return names + ": " + (same ? first : "each with its own workload");
}

} // namespace

TickAxis ComparisonChart::axis(int maxTicks) const
{
    double longest = 0.0;
    for (const ComparisonBar& bar : bars) {
        longest = std::max(longest, toDouble(bar.count));
    }
    return tickAxis(AxisScale::linear, 0.0, longest, maxTicks);
}

ComparisonChart comparisonChart(const Comparison& comparison)
{
    const std::string unit = operationsOf(comparison).unit;
    ComparisonChart chart{.title = comparisonTitle(comparison),
                          .key = unit == "MACs" ? "macs" : "flops",
                          .unit = unit,
                          .legend = comparisonLegend(comparison)};
    for (std::size_t design = 0; design < comparison.designs.size(); ++design) {
        chart.bars.push_back(barOfDesign(comparison, design));
    }
    const bool trains = std::any_of(
        comparison.designs.begin(), comparison.designs.end(), [](const ComparedDesign& each) {
            return each.scenario.workload.phase == Phase::train;
        });
    chart.note = unit + (trains ? " of a training step, lens " : " of one pass, lens ")
        + std::string(lens(comparison.lens).name) + "; \xC3\x97: against "
        + comparison.designs.front().name;
    return chart;
}

} // namespace flopsmith
