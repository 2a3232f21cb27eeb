// SPDX-License-Identifier: MIT
#include "core/present/cost/waterfall.h"

#include "core/base/text.h"
#include "core/lens/lens_total.h"
#include "core/present/base/design_marks.h"

#include <algorithm>
#include <utility>

namespace flopsmith {
namespace {

constexpr const char* kMinus = "\xE2\x88\x92";

// Above this share of the largest total, all totals are so close that steps need a closer look.
constexpr double kCloseTotals = 0.8;

std::string signedText(Count amount, const std::string& text)
{
    return (amount < 0 ? kMinus : "+") + text;
}

WaterfallBar totalBar(WaterfallBar::Kind kind, LensId id, Count figure)
{
    const Lens& by = lens(id);
    const ShortNumber number = shortNumber(toDouble(figure));
    return {.kind = kind,
            .title = std::string(by.name),
            .after = toDouble(figure),
            .amount = figure,
            .valueText = number.figure + " " + number.prefix + std::string(by.unit),
            .exactText = groupedDigits(figure) + " " + std::string(by.unit),
            .note = std::string(by.rule)};
}

Count sizeOf(const Count& amount)
{
    return amount < 0 ? -amount : amount;
}

// Of the bar or the longest of its ghosts.
Count longestOf(const WaterfallBar& bar)
{
    Count longest = sizeOf(bar.amount);
    for (const WaterfallGhost& ghost : bar.ghosts) {
        longest = std::max(longest, sizeOf(ghost.amount));
    }
    return longest;
}

// "−19.3 G"; "0" of a step that a design does not have.
std::string stepText(const Count& amount)
{
    return amount == 0 ? "0" : signedText(amount, siText(toDouble(sizeOf(amount))));
}

WaterfallBar stepBar(std::string title, Count amount, std::string note)
{
    WaterfallBar bar{.title = std::move(title), .amount = amount, .note = std::move(note)};
    bar.kind = amount < 0 ? WaterfallBar::Kind::fall : WaterfallBar::Kind::rise;
    bar.valueText = stepText(amount);
    bar.exactText = amount == 0 ? "0" : signedText(amount, groupedDigits(sizeOf(amount)));
    return bar;
}

// Places the steps between the totals before and after them; `barOf` returns the scenario's own bar
// or one of its ghosts.
template <class BarOf>
void hang(std::vector<WaterfallBar>& bars, const BarOf& barOf)
{
    Count at = barOf(bars.front()).amount;
    for (std::size_t i = 1; i + 1 < bars.size(); ++i) {
        auto& step = barOf(bars[i]);
        step.before = toDouble(at);
        at += step.amount;
        step.after = toDouble(at);
    }
}

void hang(std::vector<WaterfallBar>& bars)
{
    hang(bars, [](WaterfallBar& bar) -> WaterfallBar& { return bar; });
    for (std::size_t design = 0; design < bars.front().ghosts.size(); ++design) {
        hang(bars, [design](WaterfallBar& bar) -> WaterfallGhost& { return bar.ghosts[design]; });
    }
}

// Adds the amounts of a step's ghosts to the ghosts of another step.
void addGhosts(std::vector<WaterfallGhost>& sums, const std::vector<WaterfallGhost>& ghosts)
{
    sums.resize(ghosts.size());
    for (std::size_t i = 0; i < ghosts.size(); ++i) {
        sums[i].amount += ghosts[i].amount;
        sums[i].valueText = stepText(sums[i].amount);
    }
}

// Whether each bar is kept if `maxSteps` steps remain, of which the last stands for the rest.
std::vector<bool> keptSteps(const std::vector<WaterfallBar>& bars, std::size_t maxSteps)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 1; i + 1 < bars.size(); ++i) {
        order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&bars](std::size_t a, std::size_t b) {
        return longestOf(bars[a]) > longestOf(bars[b]);
    });
    std::vector<bool> kept(bars.size(), false);
    for (std::size_t i = 0; i + 1 < maxSteps; ++i) {
        kept[order[i]] = true;
    }
    return kept;
}

Status lensesAreDefined(LensId from, LensId to, const Workload& workload)
{
    const Status first = lensIsDefined(from, workload);
    return first.ok() ? lensIsDefined(to, workload) : first;
}

std::vector<ComparedDesign> definedUnder(LensId from,
                                         LensId to,
                                         std::span<const ComparedDesign> designs)
{
    std::vector<ComparedDesign> defined;
    for (const ComparedDesign& design : designs) {
        if (lensesAreDefined(from, to, design.scenario.workload).ok()) {
            defined.push_back(design);
        }
    }
    return defined;
}

std::string remarksOf(const Scenario& scenario, LensId id)
{
    std::string text;
    for (const std::string& remark : lensTotal(scenario, id).remarks) {
        text += (text.empty() ? std::string(lens(id).name) + ": " : "; ") + remark;
    }
    return text;
}

std::vector<std::string> pathsOfStep(const WaterfallStep& step, const CostTree<Count>& tree)
{
    std::vector<std::string> paths;
    for (int i = 1; step.topic && i < tree.size(); ++i) {
        if (addsToTopic(tree.node(i), *step.topic)) {
            paths.push_back(tree.path(i));
        }
    }
    return paths;
}

struct TotalsRange
{
    double low = 0.0;
    double high = 0.0;
};

TotalsRange totals(const std::vector<WaterfallBar>& bars)
{
    TotalsRange range{bars.front().after, bars.front().after};
    for (const WaterfallBar& bar : bars) {
        range.low = std::min(range.low, bar.after);
        range.high = std::max(range.high, bar.after);
        for (const WaterfallGhost& ghost : bar.ghosts) {
            range.low = std::min(range.low, ghost.after);
            range.high = std::max(range.high, ghost.after);
        }
    }
    return range;
}

bool hasStep(const std::vector<WaterfallStep>& steps, const std::string& name)
{
    return std::any_of(steps.begin(), steps.end(), [&name](const WaterfallStep& step) {
        return step.name == name;
    });
}

// Whether a step precedes another one: the lens's topics have an order, and the step between MACs
// and FLOPs, which has no topic, comes first.
bool isBefore(const WaterfallStep& step, const WaterfallStep& other)
{
    return other.topic.has_value() && (!step.topic || *step.topic < *other.topic);
}

/// The waterfalls of the compared designs.
class GhostFalls
{
public:
    GhostFalls(std::span<const ComparedDesign> others, LensId from, LensId to)
        : m_others(others)
    {
        for (const ComparedDesign& other : others) {
            m_falls.push_back(waterfall(other.scenario, from, to));
        }
    }

    // Adds the steps that only compared designs have, with an amount of 0 for the scenario.
    void addMissing(std::vector<WaterfallStep>& steps) const
    {
        for (const Waterfall& fall : m_falls) {
            for (const WaterfallStep& step : fall.steps) {
                if (!hasStep(steps, step.name)) {
                    const auto place = std::find_if(
                        steps.begin(), steps.end(), [&step](const WaterfallStep& next) {
                            return isBefore(step, next);
                        });
                    steps.insert(place, WaterfallStep{step.name, 0, step.note, step.topic});
                }
            }
        }
    }

    void addTo(std::vector<WaterfallBar>& bars, LensId from, LensId to) const
    {
        for (const Waterfall& fall : m_falls) {
            add(bars.front(), totalBar(WaterfallBar::Kind::start, from, fall.start));
            for (std::size_t i = 1; i + 1 < bars.size(); ++i) {
                add(bars[i], stepBar(bars[i].title, amountOf(fall, bars[i].title), ""));
            }
            add(bars.back(), totalBar(WaterfallBar::Kind::end, to, fall.end));
        }
    }

    std::vector<WaterfallDesign> legend(LensId to) const
    {
        std::vector<WaterfallDesign> entries;
        for (std::size_t i = 0; i < m_others.size(); ++i) {
            entries.push_back(
                {.mark = &designMark(m_others[i], i),
                 .title = m_others[i].name,
                 .text = totalBar(WaterfallBar::Kind::end, to, m_falls[i].end).valueText});
        }
        return entries;
    }

private:
    static void add(WaterfallBar& bar, const WaterfallBar& other)
    {
        bar.ghosts.push_back({.before = other.before,
                              .after = other.after,
                              .amount = other.amount,
                              .valueText = other.valueText});
    }

    static Count amountOf(const Waterfall& fall, const std::string& name)
    {
        for (const WaterfallStep& step : fall.steps) {
            if (step.name == name) {
                return step.amount;
            }
        }
        return 0;
    }

    std::span<const ComparedDesign> m_others;
    std::vector<Waterfall> m_falls;
};

void addSentence(std::string& text, const std::string& sentence)
{
    text += (text.empty() || sentence.empty() ? "" : ". ") + sentence;
}

} // namespace

bool WaterfallChart::isCut() const
{
    if (bars.empty()) {
        return false;
    }
    const TotalsRange range = totals(bars);
    return range.low > kCloseTotals * range.high;
}

TickAxis WaterfallChart::axis(int maxTicks) const
{
    if (bars.empty()) {
        return tickAxis(AxisScale::linear, 0.0, 1.0, maxTicks);
    }
    const TotalsRange range = totals(bars);
    if (!isCut()) {
        return tickAxis(AxisScale::linear, std::min(range.low, 0.0), range.high, maxTicks);
    }
    const double span = range.high - range.low;
    return tickAxis(AxisScale::linear, range.low - span / 2.0, range.high, maxTicks);
}

WaterfallChart WaterfallChart::withSteps(std::size_t maxSteps) const
{
    maxSteps = std::max<std::size_t>(maxSteps, 1);
    if (bars.size() <= maxSteps + 2) {
        return *this;
    }
    const std::vector<bool> kept = keptSteps(bars, maxSteps);
    WaterfallChart joined = *this;
    joined.bars = {bars.front()};
    Count rest = 0;
    std::vector<WaterfallGhost> ghosts;
    std::string names;
    std::vector<std::string> paths;
    std::size_t smaller = 0;
    for (std::size_t i = 1; i + 1 < bars.size(); ++i) {
        if (kept[i]) {
            joined.bars.push_back(bars[i]);
        } else {
            rest += bars[i].amount;
            addGhosts(ghosts, bars[i].ghosts);
            paths.insert(paths.end(), bars[i].paths.begin(), bars[i].paths.end());
            names += (names.empty() ? "" : ", ") + bars[i].title;
            ++smaller;
        }
    }
    joined.bars.push_back(stepBar(std::to_string(smaller) + " smaller steps", rest, names));
    joined.bars.back().paths = std::move(paths);
    joined.bars.back().ghosts = std::move(ghosts);
    joined.bars.push_back(bars.back());
    hang(joined.bars);
    return joined;
}

WaterfallChart waterfallChart(const Scenario& scenario,
                              LensId from,
                              LensId to,
                              std::span<const ComparedDesign> others)
{
    WaterfallChart chart{.title = scenario.model.name + ": from " + std::string(lens(from).name)
                             + " to " + std::string(lens(to).name),
                         .unit = std::string(lens(to).unit)};
    if (const Status defined = lensesAreDefined(from, to, scenario.workload); !defined.ok()) {
        chart.emptyText = defined.error().message + ".";
        return chart;
    }
    const std::vector<ComparedDesign> comparable = definedUnder(from, to, others);
    Waterfall fall = waterfall(scenario, from, to);
    const GhostFalls ghosts(comparable, from, to);
    ghosts.addMissing(fall.steps);
    if (fall.steps.empty()) {
        chart.emptyText = from == to ? "Choose two lenses that differ."
                                     : "Both lenses say the same of this model.";
        return chart;
    }
    const CostTree<Count> tree = costTree(scenario);
    chart.bars.push_back(totalBar(WaterfallBar::Kind::start, from, fall.start));
    for (const WaterfallStep& step : fall.steps) {
        chart.bars.push_back(stepBar(step.name, step.amount, step.note));
        chart.bars.back().paths = pathsOfStep(step, tree);
    }
    chart.bars.push_back(totalBar(WaterfallBar::Kind::end, to, fall.end));
    ghosts.addTo(chart.bars, from, to);
    chart.others = ghosts.legend(to);
    hang(chart.bars);
    chart.note = remarksOf(scenario, from);
    addSentence(chart.note, remarksOf(scenario, to));
    addSentence(chart.note, ownWorkloads(scenario.workload, others));
    return chart;
}

} // namespace flopsmith
