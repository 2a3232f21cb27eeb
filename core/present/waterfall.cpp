// SPDX-License-Identifier: MIT
#include "core/present/waterfall.h"

#include "core/base/text.h"
#include "core/model/lens_total.h"

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

WaterfallBar stepBar(const WaterfallStep& step, Count before)
{
    const Count size = step.amount < 0 ? -step.amount : step.amount;
    return {.kind = step.amount < 0 ? WaterfallBar::Kind::fall : WaterfallBar::Kind::rise,
            .title = step.name,
            .before = toDouble(before),
            .after = toDouble(before + step.amount),
            .amount = step.amount,
            .valueText = signedText(step.amount, siText(toDouble(size))),
            .exactText = signedText(step.amount, groupedDigits(size)),
            .note = step.note};
}

// The largest steps in their order, and one for the rest.
std::vector<WaterfallStep> shownSteps(const std::vector<WaterfallStep>& all, std::size_t most)
{
    if (all.size() <= most) {
        return all;
    }
    const auto size = [](const WaterfallStep& step) {
        return step.amount < 0 ? -step.amount : step.amount;
    };
    std::vector<Count> sizes;
    for (const WaterfallStep& step : all) {
        sizes.push_back(size(step));
    }
    std::sort(sizes.rbegin(), sizes.rend());
    std::vector<WaterfallStep> shown;
    WaterfallStep rest;
    std::size_t smaller = 0;
    for (const WaterfallStep& step : all) {
        if (shown.size() + 1 < most && size(step) >= sizes[most - 2]) {
            shown.push_back(step);
        } else {
            rest.amount += step.amount;
            rest.note += (rest.note.empty() ? "" : ", ") + step.name;
            ++smaller;
        }
    }
    rest.name = std::to_string(smaller) + " smaller steps";
    shown.push_back(rest);
    return shown;
}

std::string remarksOf(const Scenario& scenario, LensId id)
{
    std::string text;
    for (const std::string& remark : lensTotal(scenario, id).remarks) {
        text += (text.empty() ? std::string(lens(id).name) + ": " : "; ") + remark;
    }
    return text;
}

struct Range
{
    double low = 0.0;
    double high = 0.0;
};

Range totals(const std::vector<WaterfallBar>& bars)
{
    Range range{bars.front().after, bars.front().after};
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
    const Range range = totals(bars);
    return range.low > kCloseTotals * range.high;
}

TickAxis WaterfallChart::axis(int mostTicks) const
{
    if (bars.empty()) {
        return tickAxis(AxisScale::linear, 0.0, 1.0, mostTicks);
    }
    const Range range = totals(bars);
    if (!isCut()) {
        return tickAxis(AxisScale::linear, std::min(range.low, 0.0), range.high, mostTicks);
    }
    const double room = range.high - range.low;
    return tickAxis(AxisScale::linear, range.low - room / 2.0, range.high, mostTicks);
}

WaterfallChart waterfallChart(const Scenario& scenario,
                              LensId from,
                              LensId to,
                              std::size_t mostSteps)
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
    chart.bars.push_back(totalBar(WaterfallBar::Kind::start, from, fall.start));
    Count at = fall.start;
    for (const WaterfallStep& step : shownSteps(fall.steps, std::max<std::size_t>(mostSteps, 2))) {
        chart.bars.push_back(stepBar(step, at));
        at += step.amount;
    }
    chart.bars.push_back(totalBar(WaterfallBar::Kind::end, to, fall.end));
    chart.note = remarksOf(scenario, from);
    const std::string second = remarksOf(scenario, to);
    chart.note += (chart.note.empty() || second.empty() ? "" : ". ") + second;
    return chart;
}

} // namespace flopsmith
