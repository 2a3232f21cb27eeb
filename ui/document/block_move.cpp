// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/block_move.h"

#include "core/model/pattern.h"
#include "ui/document/block_paste.h"
#include "ui/document/scenario_edit.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>
#include <utility>

namespace flopsmith::ui {
namespace {

QString moveSentence(const char* source)
{
    return QCoreApplication::translate("BlockMove", source);
}

const BlockRun& movedRun(const Model& model, int run)
{
    return model.runs.at(static_cast<std::size_t>(run));
}

int endOf(const Model& model, int run)
{
    return model.firstBlock(run) + movedRun(model, run).repeat;
}

int encoderLayers(const Model& model)
{
    int layers = 0;
    for (const BlockRun& run : model.runs) {
        layers += run.block.isEncoder() ? run.repeat : 0;
    }
    return layers;
}

// Whether the gap is in or beside the blocks, so that moving them there moves nothing.
bool isHere(const Model& model, const PickedBlocks& picked, int gap)
{
    if (picked.oneBlock) {
        return gap >= model.firstBlock(picked.current) && gap <= endOf(model, picked.current);
    }
    return areNeighbours(picked.runs) && gap >= model.firstBlock(picked.runs.front())
        && gap <= endOf(model, picked.runs.back());
}

int pickedBlocks(const Scenario& scenario, const PickedBlocks& picked)
{
    return picked.oneBlock ? 1 : blocksIn(scenario, picked.runs);
}

QString whyNotHere(const Model& model, const PickedBlocks& picked)
{
    return picked.oneBlock && movedRun(model, picked.current).repeat > 1
        ? moveSentence("The blocks of this run are equal: move the block out of it.")
        : moveSentence("The blocks are here already.");
}

BlockClip clipOf(const Model& model, const PickedBlocks& picked)
{
    if (!picked.oneBlock) {
        return copied(model, picked.runs);
    }
    BlockClip clip = copied(model, {picked.current});
    clip.runs.front().repeat = 1;
    return clip;
}

// Runs of a pattern are those of all its repeats, which no other place has.
QString whyPatternForbids(const Model& model, const BlockMove& move)
{
    const PickedBlocks& picked = move.picked;
    const std::vector<int> runs = picked.oneBlock ? std::vector<int>{picked.current} : picked.runs;
    const bool isOfPattern = std::any_of(
        runs.begin(), runs.end(), [&model](int run) { return patternOf(model, run) >= 0; });
    if (move.kind == MoveKind::move && isOfPattern) {
        return moveSentence("Blocks of a pattern stay in it: Alt+Up and Alt+Down move them inside, "
                            "Ctrl+Shift+G takes the pattern apart.");
    }
    return isInsidePattern(model, move.gap) ? whyNotInsidePattern() : QString();
}

QString whyNoFfnCopied(const Model& model, const BlockMove& move)
{
    const Block& source = movedRun(model, move.picked.current).block;
    if (!source.holdsFfn()) {
        return moveSentence("The dragged block has no FFN to copy.");
    }
    if (move.target < 0) {
        return moveSentence("An FFN is copied onto blocks: drop it on some.");
    }
    const Block& target = movedRun(model, move.target).block;
    return target.ffn == source.ffn && !target.ffnMuted
        ? moveSentence("These blocks have this FFN already.")
        : QString();
}

// The runs with the picked ones on their own, and where those go.
struct Pieces
{
    std::vector<BlockRun> runs;
    std::vector<bool> picked;
    std::vector<Pattern> patterns; ///< of these runs
    std::size_t place = 0; ///< before this run

    bool isInPattern(std::size_t run) const
    {
        return std::any_of(patterns.begin(), patterns.end(), [run](const Pattern& pattern) {
            return pattern.holds(static_cast<int>(run));
        });
    }
};

// Inside a picked run blocks land before it.
int gapBesidePicked(const Model& model, const BlockMove& move)
{
    const int run = model.runOf(move.gap);
    const auto& runs = move.picked.runs;
    const bool inside = std::find(runs.begin(), runs.end(), run) != runs.end();
    return inside && !move.picked.oneBlock ? model.firstBlock(run) : move.gap;
}

Pieces piecesOf(Model model, const BlockMove& move)
{
    const PickedBlocks& picked = move.picked;
    const int gap = gapBesidePicked(model, move);
    const int alone = model.firstBlock(picked.current);
    std::vector<bool> isPicked; // of each block, because splitting changes the runs
    for (int run = 0; run < static_cast<int>(model.runs.size()); ++run) {
        const bool whole = !picked.oneBlock
            && std::find(picked.runs.begin(), picked.runs.end(), run) != picked.runs.end();
        isPicked.insert(
            isPicked.end(), static_cast<std::size_t>(movedRun(model, run).repeat), whole);
    }
    if (picked.oneBlock) {
        model.isolateBlock(alone);
        isPicked[static_cast<std::size_t>(alone)] = true;
    }
    model.splitBefore(gap);
    Pieces pieces;
    int block = 0;
    for (const BlockRun& run : model.runs) {
        pieces.place += block < gap ? 1U : 0U;
        pieces.runs.push_back(run);
        pieces.picked.push_back(isPicked[static_cast<std::size_t>(block)]);
        block += run.repeat;
    }
    pieces.patterns = model.patterns;
    return pieces;
}

// Builds the new runs from left to right and remembers which are the moved ones.
struct MovedStack
{
    std::vector<BlockRun> runs;
    std::vector<int> moved;
    std::vector<int> places{}; ///< of each piece that stays, among the new runs
    bool behindStaying = false; ///< the last run is not a moved one and in no pattern
    bool behindHole = false; ///< whole runs were taken away behind it

    void addMoved(const Pieces& pieces)
    {
        for (std::size_t i = 0; i < pieces.runs.size(); ++i) {
            if (pieces.picked[i]) {
                moved.push_back(static_cast<int>(runs.size()));
                runs.push_back(pieces.runs[i]);
            }
        }
        behindStaying = false;
    }

    void addStaying(const BlockRun& run, bool isInPattern)
    {
        if (behindStaying && behindHole && !isInPattern && runs.back().block == run.block) {
            runs.back().repeat += run.repeat;
        } else {
            runs.push_back(run);
        }
        behindStaying = !isInPattern;
        behindHole = false;
    }
};

std::vector<int> movedBlocks(Model& model, const BlockMove& move)
{
    const Pieces pieces = piecesOf(model, move);
    const bool leavesHole =
        !move.picked.oneBlock || movedRun(model, move.picked.current).repeat == 1;
    MovedStack stack;
    for (std::size_t i = 0; i < pieces.runs.size(); ++i) {
        if (i == pieces.place) {
            stack.addMoved(pieces);
        }
        if (pieces.picked[i]) {
            stack.behindHole = leavesHole;
        } else {
            stack.addStaying(pieces.runs[i], pieces.isInPattern(i));
        }
        stack.places.push_back(static_cast<int>(stack.runs.size()) - 1);
    }
    if (pieces.place == pieces.runs.size()) {
        stack.addMoved(pieces);
    }
    model.runs = std::move(stack.runs);
    model.patterns = pieces.patterns;
    for (Pattern& pattern : model.patterns) {
        pattern.firstRun = stack.places[static_cast<std::size_t>(pattern.firstRun)];
    }
    return stack.moved;
}

std::vector<int> copiedBlocks(Model& model, const BlockMove& move)
{
    const BlockClip clip = clipOf(model, move.picked);
    model.splitBefore(move.gap);
    const int run = model.runOf(move.gap);
    const int place = run < 0 ? static_cast<int>(model.runs.size()) : run;
    model.runs.insert(model.runs.begin() + place, clip.runs.begin(), clip.runs.end());
    shiftPatterns(model, place, static_cast<int>(clip.runs.size()));
    std::vector<int> copies(clip.runs.size());
    std::iota(copies.begin(), copies.end(), place);
    return copies;
}

// The run of the current one among those that it has become.
int currentOf(const PickedBlocks& picked, const std::vector<int>& moved)
{
    const auto found = std::find(picked.runs.begin(), picked.runs.end(), picked.current);
    return picked.oneBlock ? moved.front()
                           : moved.at(static_cast<std::size_t>(found - picked.runs.begin()));
}

QString stepText(MoveKind kind)
{
    switch (kind) {
    case MoveKind::move: return moveSentence("Move blocks");
    case MoveKind::duplicate: return moveSentence("Duplicate blocks");
    case MoveKind::copyFfn: return moveSentence("Copy the FFN");
    }
    return {};
}

bool applyFfn(Document& document, const BlockMove& move)
{
    return document.apply(stepText(move.kind), [&move](DocumentState& state) {
        const BlockClip clip = copied(state.scenario.model, {move.picked.current});
        pasteFfn(state.scenario, clip, {move.target});
        state.selection = Selection::ofRun(move.target);
    });
}

QString targetText(const Model& model, int target)
{
    const int first = model.firstBlock(target) + 1;
    const int last = endOf(model, target);
    return first == last
        ? moveSentence("Copy the FFN onto block %1").arg(first)
        : moveSentence("Copy the FFN onto blocks %1 \u2013 %2").arg(first).arg(last);
}

} // namespace

QString whyNotMoved(const Scenario& scenario, const BlockMove& move)
{
    const Model& model = scenario.model;
    if (move.kind == MoveKind::copyFfn) {
        return whyNoFfnCopied(model, move);
    }
    if (!isInOwnHalf(model, move.picked, move.gap)) {
        return moveSentence("Blocks of the encoder stay before those of the decoder.");
    }
    if (const QString why = whyPatternForbids(model, move); !why.isEmpty()) {
        return why;
    }
    if (move.kind == MoveKind::duplicate) {
        return whyNotPasted(model, clipOf(model, move.picked));
    }
    return staysInPlace(scenario, move) ? whyNotHere(model, move.picked) : QString();
}

bool staysInPlace(const Scenario& scenario, const BlockMove& move)
{
    if (move.kind != MoveKind::move || !isInOwnHalf(scenario.model, move.picked, move.gap)
        || !whyPatternForbids(scenario.model, move).isEmpty()) {
        return false;
    }
    Scenario after = scenario;
    moveBlocks(after, move);
    return isHere(scenario.model, move.picked, move.gap) || after == scenario; // among equal blocks
}

QString moveText(const Scenario& scenario, const BlockMove& move)
{
    const Model& model = scenario.model;
    if (move.kind == MoveKind::copyFfn) {
        return move.target < 0 ? moveSentence("Copy the FFN") : targetText(model, move.target);
    }
    const int count = pickedBlocks(scenario, move.picked);
    const bool moves = move.kind == MoveKind::move;
    const QString what = count == 1
        ? (moves ? moveSentence("Move 1 block") : moveSentence("Duplicate 1 block"))
        : (moves ? moveSentence("Move %1 blocks") : moveSentence("Duplicate %1 blocks")).arg(count);
    return QStringLiteral("%1 %2").arg(what, gapText(model, move.gap));
}

QString gapText(const Model& model, int gap)
{
    if (gap <= 0) {
        return moveSentence("before block 1");
    }
    return gap >= model.layers() ? moveSentence("behind block %1").arg(gap)
                                 : moveSentence("between block %1 and %2").arg(gap).arg(gap + 1);
}

std::vector<int> moveBlocks(Scenario& scenario, const BlockMove& move)
{
    return move.kind == MoveKind::move ? movedBlocks(scenario.model, move)
                                       : copiedBlocks(scenario.model, move);
}

bool applyMove(Document& document, const BlockMove& move)
{
    if (!whyNotMoved(document.scenario(), move).isEmpty()) {
        return false;
    }
    if (move.kind == MoveKind::copyFfn) {
        return applyFfn(document, move);
    }
    return document.apply(stepText(move.kind), [&move](DocumentState& state) {
        const std::vector<int> moved = moveBlocks(state.scenario, move);
        state.selection = Selection::ofRuns(moved, currentOf(move.picked, moved));
    });
}

bool isInOwnHalf(const Model& model, const PickedBlocks& picked, int gap)
{
    const std::vector<int> runs = picked.oneBlock ? std::vector<int>{picked.current} : picked.runs;
    const int border = encoderLayers(model);
    return std::all_of(runs.begin(), runs.end(), [&](int run) {
        return movedRun(model, run).block.isEncoder() ? gap <= border : gap >= border;
    });
}

bool isInsidePattern(const Model& model, int gap)
{
    const int run = model.runOf(gap);
    const int pattern = run < 0 ? -1 : patternOf(model, run);
    return pattern >= 0
        && gap != model.firstBlock(model.patterns[static_cast<std::size_t>(pattern)].firstRun);
}

QString whyNotInsidePattern()
{
    return moveSentence(
        "Between the blocks of a pattern nothing lands: A inserts behind one of its "
        "blocks, in all repeats.");
}

int gapOf(const Model& model, const PickedBlocks& picked)
{
    return model.firstBlock(picked.oneBlock ? picked.current : picked.runs.front());
}

int nextGap(const Model& model, const PickedBlocks& picked, int gap, int by, GapStep step)
{
    const auto isStop = [&](int at) {
        const int run = model.runOf(at);
        if (isInsidePattern(model, at)) {
            return false;
        }
        return step == GapStep::block || run < 0 || model.firstBlock(run) == at;
    };
    const int home = gapOf(model, picked);
    for (int at = gap + by; at >= 0 && at <= model.layers(); at += by) {
        if (isStop(at) && (at == home || !isHere(model, picked, at))) {
            return at;
        }
    }
    return gap;
}

int runPassed(const Model& model, const PickedBlocks& picked, int gap)
{
    return gap > gapOf(model, picked) ? model.runOf(gap - 1) : model.runOf(gap);
}

} // namespace flopsmith::ui
