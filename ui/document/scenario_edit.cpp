// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/scenario_edit.h"

#include "core/base/check.h"
#include "core/ffn/composed.h"
#include "core/ffn/no_ffn.h"
#include "core/mixer/attention.h"
#include "core/model/stack_units.h"
#include "core/parameter/parameter_table.h"
#include "ui/document/run_access.h"

namespace flopsmith::ui {
namespace {

constexpr std::string_view kHiddenWidth = "d_ff";

std::int64_t hiddenWidth(const FfnSpec& ffn, int dModel)
{
    for (const Field<FfnSpec>& field : fields(ffn)) {
        if (field.text.key == kHiddenWidth) {
            return std::get<std::int64_t>(field.value(ffn));
        }
    }
    return std::int64_t{4} * dModel;
}

// Applies the change to all runs that share the run's parameters, then repairs the numbers.
void settled(Scenario& scenario, int run)
{
    scenario.model.alignSharedWith(run);
    repair(scenario);
}

int appended(Scenario& scenario, Block block)
{
    auto& runs = scenario.model.runs;
    if (!runs.empty() && !(runs.back().block == block)) {
        block.shareGroup = 0; // it no longer equals the blocks it shared with
    }
    const bool lengthens = !runs.empty() && runs.back().block == block
        && patternOf(scenario.model, runCount(scenario) - 1) < 0;
    if (lengthens) {
        ++runs.back().repeat;
    } else {
        runs.push_back({block, 1});
    }
    repair(scenario);
    return runCount(scenario) - 1;
}

// Attention in an encoder block is bidirectional.
MixerSpec fitted(MixerSpec mixer, const Block& block)
{
    auto* attention = get_if<Attention>(&mixer);
    if (attention != nullptr && block.isEncoder()) {
        attention->causal = false;
    }
    return mixer;
}

// The block with its FFN replaced; the same variant keeps its numbers.
Block withFfn(const Scenario& scenario, Block block, const FfnSpec& ffn)
{
    if (block.ffn.index() != ffn.index()) {
        block.ffn = ui::fitted(ffn, block.ffn, scenario.model.dModel);
    }
    block.ffnMuted = false;
    return block;
}

Block withMixer(Block block, const MixerSpec& mixer)
{
    MixerSpec& place = readsSource(mixer) ? block.cross : block.mixer;
    if (place.index() != mixer.index()) {
        place = fitted(mixer, block);
    }
    (readsSource(mixer) ? block.crossMuted : block.mixerMuted) = false;
    return block;
}

bool holdsPart(const Block& block, BlockPart::Kind part)
{
    return part == BlockPart::Kind::mixer ? block.holdsMixer()
        : part == BlockPart::Kind::cross  ? block.holdsCross()
                                          : block.holdsFfn();
}

bool Block::*mutedFlag(BlockPart::Kind part)
{
    return part == BlockPart::Kind::mixer ? &Block::mixerMuted
        : part == BlockPart::Kind::cross  ? &Block::crossMuted
                                          : &Block::ffnMuted;
}

int inserted(Scenario& scenario, int afterRun, Block block)
{
    BlockRun& before = runAt(scenario, afterRun);
    if (before.block == block) {
        setRepeat(scenario, afterRun, before.repeat + 1);
        return afterRun;
    }
    block.shareGroup = 0; // it does not equal the blocks it would share with
    const int added = insertRunBehind(scenario.model, afterRun, {std::move(block), 1});
    repair(scenario);
    return added;
}

Block lastBlock(const Scenario& scenario)
{
    return scenario.model.runs.empty() ? Block{} : scenario.model.runs.back().block;
}

} // namespace

FfnSpec fitted(FfnSpec ffn, const FfnSpec& replaced, int dModel)
{
    for (const Field<FfnSpec>& field : fields(ffn)) {
        if (field.text.key == kHiddenWidth) {
            field.assign(ffn, hiddenWidth(replaced, dModel));
        }
    }
    return ffn;
}

void replaceFfn(Scenario& scenario, int run, const FfnSpec& ffn)
{
    Block& block = runAt(scenario, run).block;
    const bool same = block.ffn.index() == ffn.index() && !holds_alternative<ComposedFfn>(ffn);
    if (same && !block.ffnMuted) {
        return;
    }
    if (!same) { // the same variant keeps its numbers
        block.ffn = fitted(ffn, block.ffn, scenario.model.dModel);
    }
    block.ffnMuted = false;
    settled(scenario, run);
}

void replaceMixer(Scenario& scenario, int run, const MixerSpec& mixer)
{
    FLOPSMITH_CHECK(hasPlaceFor(scenario, run, mixer));
    Block& block = runAt(scenario, run).block;
    MixerSpec& place = readsSource(mixer) ? block.cross : block.mixer;
    bool& muted = readsSource(mixer) ? block.crossMuted : block.mixerMuted;
    if (place.index() == mixer.index() && !muted) {
        return;
    }
    if (place.index() != mixer.index()) {
        place = fitted(mixer, block);
    }
    muted = false;
    settled(scenario, run);
}

bool hasPlaceFor(const Scenario& scenario, int run, const MixerSpec& mixer)
{
    return !readsSource(mixer)
        || (scenario.model.hasEncoder() && !runAt(scenario, run).block.isEncoder());
}

void toggleMuted(Scenario& scenario, const std::vector<int>& runs, BlockPart::Kind part)
{
    FLOPSMITH_CHECK(canMute(scenario, runs, part));
    const bool muted = !isMuted(scenario, runs, part);
    for (const int run : runs) {
        Block& block = runAt(scenario, run).block;
        if (holdsPart(block, part)) {
            block.*mutedFlag(part) = muted;
            scenario.model.alignSharedWith(run);
        }
    }
}

bool isMuted(const Scenario& scenario, const std::vector<int>& runs, BlockPart::Kind part)
{
    return canMute(scenario, runs, part)
        && std::all_of(runs.begin(), runs.end(), [&scenario, part](int run) {
               const Block& block = runAt(scenario, run).block;
               return !holdsPart(block, part) || block.*mutedFlag(part);
           });
}

bool canMute(const Scenario& scenario, const std::vector<int>& runs, BlockPart::Kind part)
{
    return std::any_of(runs.begin(), runs.end(), [&scenario, part](int run) {
        return holdsPart(runAt(scenario, run).block, part);
    });
}

void removeCross(Scenario& scenario, int run)
{
    withoutCross(runAt(scenario, run).block);
    settled(scenario, run);
}

bool canRemoveCross(const Scenario& scenario, int run)
{
    return runAt(scenario, run).block.holdsCross();
}

void addStage(Scenario& scenario, int run, const FfnSpec& stage)
{
    FfnSpec& ffn = runAt(scenario, run).block.ffn;
    if (!holds_alternative<ComposedFfn>(ffn)) {
        ComposedFfn composed;
        if (!holds_alternative<NoFfn>(ffn)) {
            composed.stages.push_back({ffn});
        }
        ffn = composed;
    }
    get<ComposedFfn>(ffn).stages.push_back({fitted(stage, NoFfn{}, scenario.model.dModel)});
    settled(scenario, run);
}

void removeStage(Scenario& scenario, int run, int stage)
{
    auto& stages = get<ComposedFfn>(runAt(scenario, run).block.ffn).stages;
    FLOPSMITH_CHECK(stage >= 0 && stage < static_cast<int>(stages.size()));
    stages.erase(stages.begin() + stage);
    settled(scenario, run);
}

bool canRemoveStage(const Scenario& scenario, int run)
{
    const auto* composed = get_if<ComposedFfn>(&runAt(scenario, run).block.ffn);
    return composed != nullptr && composed->stages.size() > 1;
}

int isolated(Scenario& scenario, int run, Extent extent)
{
    if (extent == Extent::wholeRun) {
        return run;
    }
    if (runAt(scenario, run).repeat > 1) {
        splitRunBehind(scenario.model, run, 1);
    }
    runAt(scenario, run).block.shareGroup = 0; // a separate block has its own parameters
    alignRepeats(scenario.model, run);
    return run;
}

int splitRun(Scenario& scenario, int run)
{
    return splitRunBehind(scenario.model, run, (runAt(scenario, run).repeat + 1) / 2);
}

bool canSplitRun(const Scenario& scenario, int run)
{
    return runAt(scenario, run).repeat > 1;
}

int duplicateRun(Scenario& scenario, int run)
{
    return insertRunBehind(scenario.model, run, BlockRun(runAt(scenario, run)));
}

void setRepeat(Scenario& scenario, int run, int repeat)
{
    runAt(scenario, run).repeat = repeat;
    alignRepeats(scenario.model, run);
    repair(scenario);
}

int appendBlock(Scenario& scenario, const FfnSpec& ffn)
{
    return appended(scenario, withFfn(scenario, lastBlock(scenario), ffn));
}

int appendBlock(Scenario& scenario, const MixerSpec& mixer)
{
    return appended(scenario, withMixer(lastBlock(scenario), mixer));
}

int insertBlock(Scenario& scenario, int afterRun, const FfnSpec& ffn)
{
    return inserted(scenario, afterRun, withFfn(scenario, runAt(scenario, afterRun).block, ffn));
}

int insertBlock(Scenario& scenario, int afterRun, const MixerSpec& mixer)
{
    FLOPSMITH_CHECK(hasPlaceFor(scenario, afterRun, mixer));
    return inserted(scenario, afterRun, withMixer(runAt(scenario, afterRun).block, mixer));
}

int joinEqualRuns(Scenario& scenario, int run)
{
    const int block = scenario.model.firstBlock(run);
    scenario.model.joinEqualRuns();
    return scenario.model.runOf(block);
}

bool hasEqualNeighbours(const Scenario& scenario)
{
    return hasJoinableRuns(scenario.model);
}

} // namespace flopsmith::ui
