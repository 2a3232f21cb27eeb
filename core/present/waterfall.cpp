// SPDX-License-Identifier: MIT
#include "core/present/waterfall.h"

#include "core/base/text.h"
#include "core/lens/lens_total.h"

#include <algorithm>

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

Count sizeOf(const WaterfallBar& bar)
{
    return bar.amount < 0 ? -bar.amount : bar.amount;
}

WaterfallBar stepBar(std::string title, Count amount, std::string note)
{
    WaterfallBar bar{.title = std::move(title), .amount = amount, .note = std::move(note)};
    bar.kind = amount < 0 ? WaterfallBar::Kind::fall : WaterfallBar::Kind::rise;
    bar.valueText = signedText(amount, siText(toDouble(sizeOf(bar))));
    bar.exactText = signedText(amount, groupedDigits(sizeOf(bar)));
    return bar;
}

// Hangs the steps between the totals before and after them.
void hang(std::vector<WaterfallBar>& bars)
{
    Count at = bars.front().amount;
    for (std::size_t i = 1; i + 1 < bars.size(); ++i) {
        bars[i].before = toDouble(at);
        at += bars[i].amount;
        bars[i].after = toDouble(at);
    }
}

// Whether each bar stays when `most` steps are left, of which the last stands for the rest.
std::vector<bool> keptSteps(const std::vector<WaterfallBar>& bars, std::size_t most)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 1; i + 1 < bars.size(); ++i) {
        order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&bars](std::size_t a, std::size_t b) {
        return sizeOf(bars[a]) > sizeOf(bars[b]);
    });
    std::vector<bool> kept(bars.size(), false);
    for (std::size_t i = 0; i + 1 < most; ++i) {
        kept[order[i]] = true;
    }
    return kept;
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
    }
    return range;
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

TickAxis WaterfallChart::axis(int mostTicks) const
{
    if (bars.empty()) {
        return tickAxis(AxisScale::linear, 0.0, 1.0, mostTicks);
    }
    const TotalsRange range = totals(bars);
    if (!isCut()) {
        return tickAxis(AxisScale::linear, std::min(range.low, 0.0), range.high, mostTicks);
    }
    const double room = range.high - range.low;
    return tickAxis(AxisScale::linear, range.low - room / 2.0, range.high, mostTicks);
}

WaterfallChart WaterfallChart::withSteps(std::size_t most) const
{
    most = std::max<std::size_t>(most, 1);
    if (bars.size() <= most + 2) {
        return *this;
    }
    const std::vector<bool> kept = keptSteps(bars, most);
    WaterfallChart joined = *this;
    joined.bars = {bars.front()};
    Count rest = 0;
    std::string names;
    std::vector<std::string> paths;
    std::size_t smaller = 0;
    for (std::size_t i = 1; i + 1 < bars.size(); ++i) {
        if (kept[i]) {
            joined.bars.push_back(bars[i]);
        } else {
            rest += bars[i].amount;
            paths.insert(paths.end(), bars[i].paths.begin(), bars[i].paths.end());
            names += (names.empty() ? "" : ", ") + bars[i].title;
            ++smaller;
        }
    }
    joined.bars.push_back(stepBar(std::to_string(smaller) + " smaller steps", rest, names));
    joined.bars.back().paths = std::move(paths);
    joined.bars.push_back(bars.back());
    hang(joined.bars);
    return joined;
}

WaterfallChart waterfallChart(const Scenario& scenario, LensId from, LensId to)
{
    const Waterfall fall = waterfall(scenario, from, to);
    WaterfallChart chart{.title = scenario.model.name + ": from " + std::string(lens(from).name)
                             + " to " + std::string(lens(to).name),
                         .unit = std::string(lens(to).unit)};
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
    hang(chart.bars);
    chart.note = remarksOf(scenario, from);
    const std::string second = remarksOf(scenario, to);
    chart.note += (chart.note.empty() || second.empty() ? "" : ". ") + second;
    return chart;
}

} // namespace flopsmith
