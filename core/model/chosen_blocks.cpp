// SPDX-License-Identifier: MIT
#include "core/model/chosen_blocks.h"

#include "core/base/check.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace flopsmith {
namespace {

std::string countedBlocks(std::size_t count)
{
    return count == 1 ? "There is only one block."
                      : "There are only " + std::to_string(count) + " blocks.";
}

Result<std::vector<int>> everyNthBlock(const BlockChoice& choice, const std::vector<int>& stretch)
{
    std::size_t at = static_cast<std::size_t>(choice.n) - 1;
    if (choice.from > 0) {
        const auto found = std::find(stretch.begin(), stretch.end(), choice.from - 1);
        if (found == stretch.end()) {
            return Error{"Block " + std::to_string(choice.from) + " is not among these blocks."};
        }
        at = static_cast<std::size_t>(found - stretch.begin());
    }
    if (at >= stretch.size()) {
        return Error{countedBlocks(stretch.size())};
    }
    std::vector<int> blocks;
    for (; at < stretch.size(); at += static_cast<std::size_t>(choice.n)) {
        blocks.push_back(stretch[at]);
    }
    return blocks;
}

// Blocks that share parameters with blocks that are not chosen get parameters of their own.
void leaveSharedWithOthers(Model& model, const std::vector<bool>& isChosen)
{
    const auto chosen = [&](int run) {
        return isChosen[static_cast<std::size_t>(model.firstBlock(run))];
    };
    const int count = static_cast<int>(model.runs.size());
    std::vector<int> kept; // groups with blocks that are not chosen
    for (int run = 0; run < count; ++run) {
        const Block& block = model.runs[static_cast<std::size_t>(run)].block;
        if (block.sharesParameters() && !chosen(run)) {
            kept.push_back(block.shareGroup);
        }
    }
    for (int run = 0; run < count; ++run) {
        Block& block = model.runs[static_cast<std::size_t>(run)].block;
        const bool isKept = std::find(kept.begin(), kept.end(), block.shareGroup) != kept.end();
        if (block.sharesParameters() && isKept && chosen(run)) {
            block.shareGroup = 0;
        }
    }
}

// Joins equal neighbours of the runs first … last, which are in no pattern; returns the new last.
int joinedBetween(Model& model, int first, int last)
{
    for (int run = last; run > first; --run) {
        BlockRun& upper = model.runs[static_cast<std::size_t>(run) - 1];
        const BlockRun& lower = model.runs[static_cast<std::size_t>(run)];
        if (upper.block == lower.block) {
            upper.repeat += lower.repeat;
            model.runs.erase(model.runs.begin() + run);
            shiftPatterns(model, run, -1);
            --last;
        }
    }
    return last;
}

// Groups what repeats among the runs first … last, which are in no pattern.
void groupBetween(Model& model, int first, int last)
{
    const std::vector<BlockRun> runs(model.runs.begin() + first, model.runs.begin() + last + 1);
    for (Pattern pattern : foundPatterns(runs)) {
        pattern.firstRun += first;
        const auto behind = std::find_if(
            model.patterns.begin(), model.patterns.end(), [&pattern](const Pattern& other) {
                return other.firstRun > pattern.firstRun;
            });
        model.patterns.insert(behind, pattern);
    }
}

} // namespace

Result<std::vector<int>> chosenBlocks(const BlockChoice& choice, const std::vector<int>& stretch)
{
    if (choice.n < 1) {
        return Error{"Count from 1 on: every 4th block is blocks 4, 8, 12."};
    }
    if (choice.kind == BlockChoice::Kind::everyNth) {
        return everyNthBlock(choice, stretch);
    }
    const auto n = static_cast<std::size_t>(choice.n);
    if (n > stretch.size()) {
        return Error{countedBlocks(stretch.size())};
    }
    const auto count = static_cast<std::ptrdiff_t>(n);
    return choice.kind == BlockChoice::Kind::first
        ? std::vector<int>(stretch.begin(), stretch.begin() + count)
        : std::vector<int>(stretch.end() - count, stretch.end());
}

std::vector<int> blocksOfRuns(const Model& model, const std::vector<int>& runs)
{
    std::vector<int> blocks;
    if (runs.empty()) {
        blocks.resize(static_cast<std::size_t>(model.layers()));
        std::iota(blocks.begin(), blocks.end(), 0);
        return blocks;
    }
    for (const int run : runs) {
        for (const int each : repeatsOf(model, run)) {
            const int first = model.firstBlock(each);
            for (int i = 0; i < model.runs.at(static_cast<std::size_t>(each)).repeat; ++i) {
                blocks.push_back(first + i);
            }
        }
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
}

void separateBlocks(Model& model, const std::vector<int>& blocks)
{
    std::vector<bool> isChosen(static_cast<std::size_t>(model.layers()), false);
    for (const int block : blocks) {
        isChosen.at(static_cast<std::size_t>(block)) = true;
    }
    std::erase_if(model.patterns, [&](const Pattern& pattern) {
        const int end = model.firstBlock(pattern.end());
        return std::any_of(isChosen.begin() + model.firstBlock(pattern.firstRun),
                           isChosen.begin() + end,
                           [](bool chosen) { return chosen; });
    });
    for (const int block : blocks) {
        const auto at = static_cast<std::size_t>(block);
        if (block > 0 && !isChosen[at - 1]) {
            model.splitBefore(block);
        }
        if (at + 1 < isChosen.size() && !isChosen[at + 1]) {
            model.splitBefore(block + 1);
        }
    }
    leaveSharedWithOthers(model, isChosen);
}

void regroupBlocks(Model& model, int first, int last)
{
    const int behind = model.runOf(last) + 1; // counted from the end, as runs before it are joined
    const int kept = static_cast<int>(model.runs.size()) - behind;
    int run = model.runOf(first);
    while (run < static_cast<int>(model.runs.size()) - kept) {
        if (const int pattern = patternOf(model, run); pattern >= 0) {
            run = model.patterns[static_cast<std::size_t>(pattern)].end();
            continue;
        }
        int end = run;
        while (end + 1 < static_cast<int>(model.runs.size()) - kept
               && patternOf(model, end + 1) < 0) {
            ++end;
        }
        end = joinedBetween(model, run, end);
        groupBetween(model, run, end);
        run = end + 1;
    }
}

BlockStretch unitsAround(const Model& model, const std::vector<int>& blocks)
{
    FLOPSMITH_CHECK(!blocks.empty());
    int first = model.runOf(blocks.front());
    int last = model.runOf(blocks.back());
    if (const int pattern = patternOf(model, first); pattern >= 0) {
        first = model.patterns[static_cast<std::size_t>(pattern)].firstRun;
    }
    if (const int pattern = patternOf(model, last); pattern >= 0) {
        last = model.patterns[static_cast<std::size_t>(pattern)].end() - 1;
    }
    return {model.firstBlock(first), model.firstBlock(last + 1) - 1};
}

} // namespace flopsmith
