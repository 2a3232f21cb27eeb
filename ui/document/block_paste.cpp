// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/block_paste.h"

#include "core/model/stack_units.h"
#include "core/parameter/correction.h"
#include "core/parameter/differences.h"
#include "core/parameter/legal_structure.h"
#include "ui/document/layer_limit.h"

#include <QCoreApplication>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kRepairPasses = 4; // a repaired number can make another illegal: heads, kv_heads

const BlockRun& runOf(const Model& model, int run)
{
    return model.runs.at(static_cast<std::size_t>(run));
}

QString pasteSentence(const char* source)
{
    return QCoreApplication::translate("BlockPaste", source);
}

int decoderStart(const Model& model)
{
    const auto found = std::find_if(model.runs.begin(), model.runs.end(), [](const BlockRun& run) {
        return !run.block.isEncoder();
    });
    return static_cast<int>(found - model.runs.begin());
}

bool hasAny(const BlockClip& clip, bool (Block::*property)() const)
{
    return std::any_of(clip.runs.begin(), clip.runs.end(), [property](const BlockRun& run) {
        return (run.block.*property)();
    });
}

void addOnce(std::vector<std::string>& notes, std::string note)
{
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
        notes.push_back(std::move(note));
    }
}

// A block of the group must be equal to those that are there.
void leaveForeignGroup(Model& model, int run)
{
    Block& block = model.runs.at(static_cast<std::size_t>(run)).block;
    const bool foreign =
        block.sharesParameters()
        && std::any_of(model.runs.begin(), model.runs.end(), [&block](const BlockRun& other) {
               return other.block.shareGroup == block.shareGroup && other.block != block;
           });
    if (foreign) {
        block.shareGroup = 0;
        alignRepeats(model, run);
    }
}

bool isBehindShown(const Model& model, int place, Stack half)
{
    return place > 0 && shownRun(model, place - 1) == place - 1
        && runOf(model, place - 1).block.stack == half;
}

// Behind a run that stands for a pattern's repeats, in all of them.
int insertAt(Model& model, int place, const BlockRun& run)
{
    return isBehindShown(model, place, run.block.stack) ? insertRunBehind(model, place - 1, run)
                                                        : insertRunOutside(model, place, run);
}

// The place nearest to the wanted one in a half of the model.
int placeInHalfOf(const Model& model, Stack half, int wanted)
{
    const auto end = static_cast<int>(model.runs.size());
    const int decoders = decoderStart(model);
    return half == Stack::encoder ? std::clamp(wanted, 0, decoders)
                                  : std::clamp(wanted, decoders, end);
}

// How many blocks of the clip's half a paste adds: all of its runs go where the first one goes.
std::int64_t addedBlocks(const Model& model, const BlockClip& clip, Stack half, int place)
{
    std::int64_t blocks = 0;
    for (const BlockRun& run : clip.runs) {
        blocks += run.block.stack == half ? run.repeat : 0;
    }
    const int at = placeInHalfOf(model, half, place);
    return isBehindShown(model, at, half) ? addedBehind(model, at - 1, blocks) : blocks;
}

// Moves the run's own numbers to legal ones; whether there was anything.
bool repairOnce(Scenario& scenario, int run, std::vector<std::string>& notes)
{
    bool changed = false;
    for (const Parameter& parameter : blockParameters(scenario, run)) {
        const FieldValue value = parameter.value(scenario);
        if (!parameter.applies(scenario) || parameter.legal(scenario).contains(value)) {
            continue;
        }
        const LegalValues legal = parameter.legal(scenario);
        const FieldValue nearest = legal.nearest(value);
        addOnce(notes,
                reasonAgainst(legal, value, parameter.text.label) + ": " + valueText(nearest));
        parameter.assign(scenario, nearest);
        changed = true;
    }
    return changed;
}

// The pasted runs first, so that the model they are put into stays as it is where it can.
void repairPasted(Scenario& scenario, Pasted& pasted)
{
    for (const int run : pasted.runs) {
        for (int pass = 0; pass < kRepairPasses && repairOnce(scenario, run, pasted.notes);
             ++pass) {}
    }
    const Scenario before = scenario;
    repair(scenario);
    for (const ParameterDifference& change : parameterDifferences(before, scenario)) {
        addOnce(pasted.notes,
                std::string(change.parameter.text.label) + " " + valueText(change.before)
                    + " \xE2\x86\x92 " + valueText(change.after));
    }
}

} // namespace

BlockClip copied(const Model& model, const std::vector<int>& runs)
{
    BlockClip clip{model.dModel, {}};
    for (const int run : runs) {
        clip.runs.push_back(runOf(model, run));
    }
    return clip;
}

int placeBehind(const Model& model, const Selection& selection)
{
    switch (selection.part) {
    case Selection::Part::run: return selection.runs().back() + 1;
    case Selection::Part::embedding: return 0;
    case Selection::Part::encoderNorm: return decoderStart(model);
    case Selection::Part::finalNorm:
    case Selection::Part::head: break;
    }
    return static_cast<int>(model.runs.size());
}

QString whyNotPasted(const Model& model, const BlockClip& clip)
{
    return whyNotPasted(model, clip, 0); // before all, which is in no pattern
}

QString whyNotPasted(const Model& model, const BlockClip& clip, int place)
{
    if (!model.hasEncoder() && hasAny(clip, &Block::isEncoder)) {
        return pasteSentence("The copied blocks are an encoder's, and this model has no encoder.");
    }
    if (!model.hasEncoder() && hasAny(clip, &Block::holdsCross)) {
        return pasteSentence(
            "The copied blocks look at an encoder's output, and this model has no encoder.");
    }
    return whyTooManyLayers(model,
                            addedBlocks(model, clip, Stack::encoder, place)
                                + addedBlocks(model, clip, Stack::decoder, place));
}

QString whyNoFfn(const BlockClip& clip)
{
    const bool equal = std::all_of(clip.runs.begin(), clip.runs.end(), [&](const BlockRun& run) {
        return run.block.ffn == clip.runs.front().block.ffn;
    });
    return equal ? QString()
                 : pasteSentence("The copied blocks have different FFNs; copy blocks with one.");
}

Pasted pasteRuns(Scenario& scenario, const BlockClip& clip, int place)
{
    Model& model = scenario.model;
    Pasted pasted;
    const auto before = static_cast<int>(model.runs.size());
    for (const Stack half : {Stack::encoder, Stack::decoder}) {
        const auto grown = static_cast<int>(model.runs.size()) - before;
        int at = placeInHalfOf(model, half, place + grown);
        for (const BlockRun& run : clip.runs) {
            if (run.block.stack == half) {
                pasted.runs.push_back(insertAt(model, at, run));
                at = pasted.runs.back() + 1;
            }
        }
    }
    for (const int run : pasted.runs) {
        leaveForeignGroup(model, run);
    }
    repairPasted(scenario, pasted);
    return pasted;
}

Pasted pasteFfn(Scenario& scenario, const BlockClip& clip, const std::vector<int>& runs)
{
    Pasted pasted{runs, {}};
    for (const int run : runs) {
        Block& block = scenario.model.runs.at(static_cast<std::size_t>(run)).block;
        block.ffn = FfnSpec(clip.runs.front().block.ffn);
        block.ffnMuted = false;
        scenario.model.alignSharedWith(run);
    }
    repairPasted(scenario, pasted);
    return pasted;
}

} // namespace flopsmith::ui
