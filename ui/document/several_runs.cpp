// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
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
    mend(scenario);
    for (BlockRun& left : scenario.model.runs) {
        if (!scenario.model.hasEncoder()) {
            withoutCross(left.block);
        }
    }
    mend(scenario);
}

// Whether it stays in its half of the model.
bool canMoveRun(const Scenario& scenario, int run, int by)
{
    const bool inside = run + by >= 0 && run + by < runCount(scenario);
    return inside && runAt(scenario, run).block.stack == runAt(scenario, run + by).block.stack;
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
    for (const Stack half : {Stack::encoder, Stack::decoder}) {
        std::vector<int> originals;
        for (const int run : runs) {
            const int now = run + static_cast<int>(copies.size()); // behind the encoder's copies
            if (runAt(scenario, now).block.stack == half) {
                originals.push_back(now);
            }
        }
        int place = originals.empty() ? 0 : originals.back() + 1;
        for (const int original : originals) {
            insertRun(scenario, place, runAt(scenario, original));
            copies.push_back(place++);
        }
    }
    return copies;
}

void removeRuns(Scenario& scenario, const std::vector<int>& runs)
{
    auto& all = scenario.model.runs;
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        all.erase(all.begin() + *run);
    }
    settleHalves(scenario);
}

bool canRemoveRuns(const Scenario& scenario, const std::vector<int>& runs)
{
    return !runs.empty() && static_cast<int>(runs.size()) < runCount(scenario);
}

std::vector<int> moveRuns(Scenario& scenario, const std::vector<int>& runs, int by)
{
    FLOPSMITH_CHECK(canMoveRuns(scenario, runs, by));
    const auto first = scenario.model.runs.begin() + runs.front();
    const auto end = scenario.model.runs.begin() + runs.back() + 1;
    if (by < 0) {
        std::rotate(first - 1, first, end);
    } else {
        std::rotate(first, end, end + 1);
    }
    std::vector<int> moved;
    for (const int run : runs) {
        moved.push_back(run + by);
    }
    return moved;
}

bool canMoveRuns(const Scenario& scenario, const std::vector<int>& runs, int by)
{
    if (runs.empty() || !areNeighbours(runs)) {
        return false;
    }
    const bool inOneHalf =
        runAt(scenario, runs.front()).block.stack == runAt(scenario, runs.back()).block.stack;
    return inOneHalf && canMoveRun(scenario, by < 0 ? runs.front() : runs.back(), by);
}

int blocksIn(const Scenario& scenario, const std::vector<int>& runs)
{
    int blocks = 0;
    for (const int run : runs) {
        blocks += runAt(scenario, run).repeat;
    }
    return blocks;
}

bool areNeighbours(const std::vector<int>& runs)
{
    return runs.empty() || runs.back() - runs.front() + 1 == static_cast<int>(runs.size());
}

} // namespace flopsmith::ui
