// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/selection.h"

#include "core/model/model.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace flopsmith::ui {
namespace {

std::vector<int> consecutive(int first, int count)
{
    std::vector<int> runs(static_cast<std::size_t>(count));
    std::iota(runs.begin(), runs.end(), first);
    return runs;
}

int nearestTo(int wanted, const std::vector<int>& runs)
{
    return *std::min_element(runs.begin(), runs.end(), [wanted](int a, int b) {
        return std::abs(a - wanted) < std::abs(b - wanted);
    });
}

} // namespace

Selection Selection::ofRuns(const std::vector<int>& runs, int current)
{
    Selection selection{Part::run, current, runs};
    std::sort(selection.others.begin(), selection.others.end());
    selection.others.erase(std::unique(selection.others.begin(), selection.others.end()),
                           selection.others.end());
    selection.others.erase(std::remove(selection.others.begin(), selection.others.end(), current),
                           selection.others.end());
    return selection;
}

bool Selection::contains(int wanted) const
{
    return isRun() && (run == wanted || std::binary_search(others.begin(), others.end(), wanted));
}

std::vector<int> Selection::runs() const
{
    if (!isRun()) {
        return {};
    }
    std::vector<int> all = others;
    all.insert(std::lower_bound(all.begin(), all.end(), run), run);
    return all;
}

Selection Selection::withToggled(int toggled) const
{
    if (!isRun()) {
        return ofRun(toggled);
    }
    std::vector<int> left = runs();
    if (!contains(toggled)) {
        left.push_back(toggled);
        return ofRuns(left, toggled);
    }
    if (!isSeveral()) {
        return *this;
    }
    left.erase(std::remove(left.begin(), left.end(), toggled), left.end());
    return ofRuns(left, toggled == run ? nearestTo(run, left) : run);
}

Selection Selection::withRangeTo(int last) const
{
    if (!isRun()) {
        return ofRun(last);
    }
    return ofRuns(consecutive(std::min(run, last), std::abs(run - last) + 1), run);
}

int Selection::farEnd(int direction) const
{
    const std::vector<int> selected = runs();
    if (selected.empty() || run == selected.front()) {
        return selected.empty() ? run : selected.back();
    }
    return run == selected.back() || direction < 0 ? selected.front() : selected.back();
}

Selection Selection::all(const Model& model) const
{
    return ofRuns(consecutive(0, static_cast<int>(model.runs.size())), isRun() ? run : 0);
}

Selection Selection::within(const Model& model) const
{
    const int last = std::max(static_cast<int>(model.runs.size()) - 1, 0);
    const bool noHead = part == Part::head && model.head.kind == HeadKind::none;
    const bool noEncoder = part == Part::encoderNorm && !model.hasEncoder();
    if (noHead || noEncoder) {
        return ofRun(last);
    }
    if (!isRun()) {
        return of(part);
    }
    std::vector<int> left;
    for (const int other : others) {
        if (other >= 0 && other <= last && shownRun(model, other) == other) {
            left.push_back(other);
        }
    }
    return ofRuns(left, shownRun(model, std::clamp(run, 0, last)));
}

} // namespace flopsmith::ui
