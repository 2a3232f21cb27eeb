// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/stack_units.h"
#include "core/parameter/parameter_table.h"
#include "ui/document/run_access.h"
#include "ui/document/scenario_edit.h"

#include <algorithm>

// Edits of several runs at once.
namespace flopsmith::ui {
namespace {

// Without the runs that change together with an earlier one because they share its parameters.
std::vector<int> oneOfEachGroup(const Scenario& scenario, const std::vector<int>& runs)
{
    std::vector<int> apart;
    for (const int run : runs) {
        const Block& block = runAt(scenario, run).block;
        const bool follows = std::any_of(apart.begin(), apart.end(), [&](int earlier) {
            return block.sharesParameters()
                && runAt(scenario, earlier).block.shareGroup == block.shareGroup;
        });
        if (!follows) {
            apart.push_back(run);
        }
    }
    return apart;
}

// An encoder or decoder that is left alone becomes a plain model, in which nothing crosses.
void settleHalves(Scenario& scenario)
{
    repair(scenario);
    for (BlockRun& left : scenario.model.runs) {
        if (!scenario.model.hasEncoder()) {
            withoutCross(left.block);
        }
    }
    repair(scenario);
}

// In the pattern of the runs, if they are all of one; else behind it.
std::vector<int> copiesBehind(Model& model, const std::vector<int>& runs)
{
    std::vector<BlockRun> originals;
    bool together = true;
    for (const int run : runs) {
        originals.push_back(model.runs.at(static_cast<std::size_t>(run)));
        together = together && patternOf(model, run) == patternOf(model, runs.front());
    }
    std::vector<int> copies;
    for (const BlockRun& original : originals) {
        const int last = copies.empty() ? runs.back() : copies.back();
        copies.push_back(together || !copies.empty() ? insertRunBehind(model, last, original)
                                                     : insertRunOutside(model, last + 1, original));
    }
    return copies;
}

} // namespace

void replaceFfn(Scenario& scenario, const std::vector<int>& runs, const FfnSpec& ffn)
{
    for (const int run : oneOfEachGroup(scenario, runs)) {
        replaceFfn(scenario, run, ffn);
    }
}

void replaceMixer(Scenario& scenario, const std::vector<int>& runs, const MixerSpec& mixer)
{
    for (const int run : oneOfEachGroup(scenario, runs)) {
        replaceMixer(scenario, run, mixer);
    }
}

void addStage(Scenario& scenario, const std::vector<int>& runs, const FfnSpec& stage)
{
    for (const int run : oneOfEachGroup(scenario, runs)) {
        addStage(scenario, run, stage);
    }
}

std::vector<int> duplicateRuns(Scenario& scenario, const std::vector<int>& runs)
{
    std::vector<int> copies;
    const int before = runCount(scenario);
    for (const Stack half : {Stack::encoder, Stack::decoder}) {
        std::vector<int> originals;
        for (const int run : runs) {
            const int now = run + runCount(scenario) - before; // behind the encoder's copies
            if (runAt(scenario, now).block.stack == half) {
                originals.push_back(now);
            }
        }
        const std::vector<int> added = copiesBehind(scenario.model, originals);
        copies.insert(copies.end(), added.begin(), added.end());
    }
    return copies;
}

void removeRuns(Scenario& scenario, const std::vector<int>& runs)
{
    eraseRuns(scenario.model, runs);
    settleHalves(scenario);
}

bool canRemoveRuns(const Scenario& scenario, const std::vector<int>& runs)
{
    return !runs.empty() && runs.size() < shownRuns(scenario.model).size();
}

int blocksIn(const Scenario& scenario, const std::vector<int>& runs)
{
    int blocks = 0;
    for (const int run : runs) {
        const auto repeats = static_cast<int>(repeatsOf(scenario.model, run).size());
        blocks += runAt(scenario, run).repeat * repeats;
    }
    return blocks;
}

} // namespace flopsmith::ui
