// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/selection.h"

#include "core/model/model.h"
#include "core/model/tree_path.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string_view>

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

constexpr std::string_view kBlocksInPath = "blocks[";

bool startsWith(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

// The number in the brackets of the path's first segment; -1 without one.
int firstIndex(std::string_view path)
{
    const std::string_view first = path.substr(0, path.find('/'));
    const std::size_t open = first.find('[');
    int index = -1;
    if (open != std::string_view::npos) {
        std::from_chars(first.data() + open + 1, first.data() + first.size(), index);
    }
    return index;
}

// The run that the path leads into: that of its block, or the first that shares these parameters.
int runOfPath(std::string_view path, const Model& model)
{
    const int index = firstIndex(path);
    if (startsWith(path, kBlocksInPath)) {
        return model.runOf(index);
    }
    const auto shares = [index](const BlockRun& run) {
        return run.block.sharesParameters() && run.block.shareGroup == index;
    };
    const auto found = std::find_if(model.runs.begin(), model.runs.end(), shares);
    const bool isShared = startsWith(path, "shared_") && found != model.runs.end();
    return isShared ? static_cast<int>(found - model.runs.begin()) : -1;
}

std::optional<Selection::Part> partOfPath(std::string_view path)
{
    const std::string_view first = path.substr(0, path.find('/'));
    if (first == "embedding" || first == "decoder_embedding") {
        return Selection::Part::embedding;
    }
    if (first == "encoder_norm") {
        return Selection::Part::encoderNorm;
    }
    if (first == "final_norm") {
        return Selection::Part::finalNorm;
    }
    return first == "head" || first == "pooler" ? std::optional(Selection::Part::head)
                                                : std::nullopt;
}

// The same operation in the first block of the run, by which the cost tree names it.
std::string inFirstBlock(const std::string& path, int firstBlock)
{
    const std::string_view alone = withoutPass(path);
    const std::size_t end = alone.find(']');
    if (!startsWith(alone, kBlocksInPath) || end == std::string_view::npos) {
        return path;
    }
    return path.substr(0, path.size() - alone.size()) + std::string(kBlocksInPath)
        + std::to_string(firstBlock) + std::string(alone.substr(end));
}

} // namespace

Selection Selection::ofRuns(const std::vector<int>& runs, int current)
{
    Selection selection{Part::run, current, runs, {}};
    std::sort(selection.others.begin(), selection.others.end());
    selection.others.erase(std::unique(selection.others.begin(), selection.others.end()),
                           selection.others.end());
    selection.others.erase(std::remove(selection.others.begin(), selection.others.end(), current),
                           selection.others.end());
    return selection;
}

bool Selection::isOfSameParts(const Selection& other) const
{
    return part == other.part && run == other.run && others == other.others;
}

Selection Selection::withOperation(const std::string& path, const Model& model) const
{
    const std::string_view alone = withoutPass(path);
    const int inRun = runOfPath(alone, model);
    const std::optional<Part> inPart = partOfPath(alone);
    Selection selection = *this;
    if (inRun >= 0 && !(isRun() && run == inRun)) {
        selection = ofRun(inRun);
    } else if (inPart) {
        selection = of(*inPart);
    }
    selection.operation = path;
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
    if (left.size() == 1) {
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
        Selection selection = of(part);
        selection.operation = operation;
        return selection;
    }
    std::vector<int> left;
    for (const int other : others) {
        if (other >= 0 && other <= last && shownRun(model, other) == other) {
            left.push_back(other);
        }
    }
    Selection selection = ofRuns(left, shownRun(model, std::clamp(run, 0, last)));
    if (selection.run == run) {
        selection.operation = inFirstBlock(operation, model.firstBlock(run));
    }
    return selection;
}

} // namespace flopsmith::ui
