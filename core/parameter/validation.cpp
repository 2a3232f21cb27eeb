// SPDX-License-Identifier: MIT
#include "core/parameter/validation.h"

#include "core/ffn/composed.h"
#include "core/mixer/attention.h"
#include "core/model/training_step.h"
#include "core/parameter/known_legal.h"
#include "core/parameter/parameter_table.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr int kMaxNesting = 8;

bool isError(const Problem& problem)
{
    return problem.severity == Problem::Severity::error;
}

void checkStages(const FfnSpec& ffn, const std::string& key, int depth, std::vector<Problem>& found)
{
    const auto* composed = get_if<ComposedFfn>(&ffn);
    if (composed == nullptr) {
        return;
    }
    if (composed->stages.empty()) {
        found.push_back(
            {Problem::Severity::error, key, "a composed FFN has no stages; it needs at least one"});
    }
    if (depth >= kMaxNesting) {
        found.push_back(
            {Problem::Severity::error,
             key,
             "composed FFNs are nested more than " + std::to_string(kMaxNesting) + " deep"});
        return;
    }
    for (const FfnStage& stage : composed->stages) {
        checkStages(stage.spec, key, depth + 1, found);
    }
}

// Whether the value is legal.
bool checkValue(const Scenario& scenario, const Parameter& parameter, std::vector<Problem>& found)
{
    if (!parameter.applies(scenario)) {
        return true;
    }
    const FieldValue value = parameter.value(scenario);
    const LegalValues legal = parameter.legal(scenario);
    const bool isLegal = legal.contains(value);
    if (!isLegal && parameter.key != "phase") { // see checkPhase()
        found.push_back({Problem::Severity::error,
                         parameter.key,
                         valueText(value) + " is not legal; legal is " + legal.text()});
    }
    return isLegal;
}

void checkValues(const Scenario& scenario, std::vector<Problem>& found)
{
    bool areLegal = true;
    const Unjudged unjudged(scenario);
    for (const ParameterList& part : parameterTable(scenario)) {
        for (const Parameter& parameter : *part) {
            if (parameter.legal.holdsAlways() == HoldsAlways::no
                && unjudged.needsVerdict(parameter)) {
                areLegal = checkValue(scenario, parameter, found) && areLegal;
            }
        }
    }
    if (areLegal) {
        rememberLegal(scenario);
    }
}

void checkSharing(const Model& model, std::vector<Problem>& found)
{
    for (std::size_t i = 0; i < model.runs.size(); ++i) {
        const Block& block = model.runs[i].block;
        for (std::size_t j = 0; block.sharesParameters() && j < i; ++j) {
            if (model.runs[j].block.shareGroup == block.shareGroup
                && model.runs[j].block != block) {
                const auto first = [&](std::size_t run) {
                    return std::to_string(model.firstBlock(static_cast<int>(run)));
                };
                found.push_back({Problem::Severity::error,
                                 "blocks[" + first(i) + "].share_group",
                                 "blocks of one share group must be equal, but block " + first(i)
                                     + " differs from block " + first(j) + "; make them equal or "
                                     + "set its share_group to 0"});
                break;
            }
        }
    }
}

std::string blockKey(const Model& model, std::size_t run)
{
    return "blocks[" + std::to_string(model.firstBlock(static_cast<int>(run))) + "]";
}

// Encoder blocks come first, and some decoder block must read their output.
void checkStacks(const Model& model, std::vector<Problem>& found)
{
    for (std::size_t run = 1; run < model.runs.size(); ++run) {
        if (model.runs[run].block.isEncoder() && !model.runs[run - 1].block.isEncoder()) {
            found.push_back({Problem::Severity::error,
                             blockKey(model, run) + ".stack",
                             "an encoder block stands behind a decoder block; encoder blocks come "
                             "first"});
            return;
        }
    }
    if (!model.runs.empty() && model.runs.back().block.isEncoder()) {
        found.push_back({Problem::Severity::error,
                         blockKey(model, model.runs.size() - 1) + ".stack",
                         "the model has encoder blocks but no decoder block behind them; the "
                         "blocks of an encoder alone, as in BERT, are decoder blocks whose "
                         "attention is not causal"});
    }
}

void addCrossProblem(const Model& model,
                     std::size_t run,
                     std::string_view slot,
                     const std::string& message,
                     std::vector<Problem>& found)
{
    found.push_back(
        {Problem::Severity::error, blockKey(model, run) + "." + std::string(slot), message});
}

// Only `cross` of a decoder block may read an encoder.
void checkCross(const Model& model, std::vector<Problem>& found)
{
    const bool hasEncoder = model.hasEncoder();
    for (std::size_t run = 0; run < model.runs.size(); ++run) {
        const Block& block = model.runs[run].block;
        if (readsSource(block.mixer)) {
            const std::string title(info(block.mixer).title);
            addCrossProblem(model,
                            run,
                            "mixer",
                            title
                                + " looks at an encoder's output, not at the block's own tokens; "
                                  "it belongs into the block's cross slot",
                            found);
        }
        if (!block.holdsCross()) {
            continue;
        }
        const std::string title(info(block.cross).title);
        if (!readsSource(block.cross)) {
            addCrossProblem(model,
                            run,
                            "cross",
                            title
                                + " does not look at an encoder's output; it belongs into the "
                                  "block's mixer slot",
                            found);
        } else if (block.isEncoder() || !hasEncoder) {
            addCrossProblem(model,
                            run,
                            "cross",
                            title
                                + " needs an encoder's output; it belongs into the decoder "
                                  "blocks of a model that has encoder blocks",
                            found);
        }
    }
}

// An encoder-decoder without cross-attention would be two models.
void checkCrossing(const Model& model, std::vector<Problem>& found)
{
    const bool crosses = std::any_of(model.runs.begin(), model.runs.end(), [](const BlockRun& run) {
        return run.block.hasCross();
    });
    if (model.hasEncoder() && !crosses) {
        found.push_back(
            {Problem::Severity::note, "blocks", "no decoder block looks at the encoder's output"});
    }
}

void checkPatterns(const Model& model, std::vector<Problem>& found)
{
    if (const std::optional<PatternProblem> problem = patternProblem(model)) {
        found.push_back({Problem::Severity::error,
                         "patterns[" + std::to_string(problem->pattern) + "]",
                         problem->sentence});
    }
}

// A causal encoder is possible and unusual.
void checkEncoderMask(const Model& model, std::vector<Problem>& found)
{
    for (std::size_t run = 0; run < model.runs.size(); ++run) {
        const Block& block = model.runs[run].block;
        const auto* attention = get_if<Attention>(&block.activeMixer());
        if (block.isEncoder() && attention != nullptr && attention->causal) {
            found.push_back({Problem::Severity::note,
                             blockKey(model, run) + ".mixer.causal",
                             "the attention of an encoder block is causal, so its tokens do not "
                             "see later ones; encoders are usually not causal"});
            return;
        }
    }
}

// Of the phase, the reason is worth more than the legal values.
void checkPhase(const Scenario& scenario, std::vector<Problem>& found)
{
    if (scenario.workload.phase != Phase::decode) {
        return;
    }
    if (scenario.model.embedding.readsPatches()) {
        found.push_back({Problem::Severity::error,
                         "phase",
                         "images are read at once and there is no token to decode; use prefill"});
        return;
    }
    for (std::size_t run = 0; run < scenario.model.runs.size(); ++run) {
        const MixerSpec& mixer = scenario.model.runs[run].block.activeMixer();
        if (!scenario.model.runs[run].block.isEncoder() && !canDecode(mixer)) {
            const int block = scenario.model.firstBlock(static_cast<int>(run));
            found.push_back({Problem::Severity::error,
                             "phase",
                             std::string(info(mixer).title) + " in blocks[" + std::to_string(block)
                                 + "] mixes whole sequences and has no cache to decode from; use "
                                   "prefill"});
            return;
        }
    }
}

void checkPositions(const Scenario& scenario, std::vector<Problem>& found)
{
    const Embedding& embedding = scenario.model.embedding;
    const int longest = std::max(scenario.keys(), scenario.sourceTokens());
    if (embedding.positions == Positions::learned && !embedding.readsPatches()
        && longest > embedding.positionRows) {
        found.push_back({Problem::Severity::note,
                         "position_rows",
                         "sequences of " + std::to_string(longest)
                             + " tokens are longer than the position table of "
                             + std::to_string(embedding.positionRows)
                             + " rows; cost is counted as if the table were long enough"});
    }
}

bool fits(const Attention* owner, const Attention& reader)
{
    return owner != nullptr && owner->heads == reader.heads
        && owner->relativeBuckets == reader.relativeBuckets;
}

// The last block before the run that would own the reader's table if it were not muted, or -1.
int mutedOwnerBefore(const Model& model, std::size_t run, const Attention& reader)
{
    while (run-- > 0) {
        const Block& block = model.runs[run].block;
        const auto* owner = get_if<Attention>(&block.mixer);
        if (block.mixerMuted && fits(owner, reader)
            && owner->positionBias == PositionBias::relative) {
            return model.firstBlock(static_cast<int>(run));
        }
    }
    return -1;
}

// Advice on how the reader in the run gets a table to share.
std::string sharedBiasAdvice(const Model& model, std::size_t run, const Attention& reader)
{
    const int muted = mutedOwnerBefore(model, run, reader);
    return muted < 0 ? "Set position_bias of an earlier block to relative"
                     : "Unmute the mixer of blocks[" + std::to_string(muted) + "], which owns one";
}

// A shared table of relative positions belongs to the last earlier block that owns one.
void checkSharedBias(const Model& model, std::vector<Problem>& found)
{
    const Attention* owner = nullptr;
    for (std::size_t run = 0; run < model.runs.size(); ++run) {
        const auto* attention = get_if<Attention>(&model.runs[run].block.activeMixer());
        if (attention == nullptr) {
            continue;
        }
        if (attention->positionBias == PositionBias::relative) {
            owner = attention;
        } else if (attention->positionBias == PositionBias::sharedRelative
                   && !fits(owner, *attention)) {
            const int block = model.firstBlock(static_cast<int>(run));
            found.push_back({Problem::Severity::note,
                             "blocks[" + std::to_string(block) + "].mixer.position_bias",
                             "no earlier block owns a table of relative positions for "
                                 + std::to_string(attention->heads) + " heads and "
                                 + std::to_string(attention->relativeBuckets)
                                 + " buckets; its parameters are not counted. "
                                 + sharedBiasAdvice(model, run, *attention)});
        }
    }
}

// Training settings that are legal but hardly intended.
void checkTraining(const Scenario& scenario, std::vector<Problem>& found)
{
    const Workload& workload = scenario.workload;
    if (workload.phase != Phase::train) {
        return;
    }
    if (workload.checkpointing == Checkpointing::selective && !recomputes(scenario)) {
        found.push_back(
            {Problem::Severity::note,
             "checkpointing",
             "selective checkpointing has nothing to drop: no attention here writes its "
             "scores (flash attention computes them again in any case)"});
    }
    if (workload.optimizer == Optimizer::adamMixed && workload.precision.weightBits == 32) {
        found.push_back({Problem::Severity::note,
                         "optimizer",
                         "adam_mixed keeps a 32-bit copy beside weights that have 32 bits already; "
                         "its weights are meant to have 16 (weight_bits)"});
    }
}

} // namespace

std::vector<Problem> problems(const Scenario& scenario)
{
    std::vector<Problem> found;
    const Model& model = scenario.model;
    if (model.runs.empty()) {
        found.push_back({Problem::Severity::error, "blocks", "the stack has no block; add one"});
        return found;
    }
    checkPatterns(model, found);
    if (!found.empty()) {
        return found; // the following checks rely on them
    }
    for (std::size_t run = 0; run < model.runs.size(); ++run) {
        checkStages(model.runs[run].block.ffn, blockKey(model, run) + ".ffn", 0, found);
    }
    checkSharing(model, found);
    checkStacks(model, found);
    checkCross(model, found);
    checkCrossing(model, found);
    checkEncoderMask(model, found);
    checkValues(scenario, found);
    checkPhase(scenario, found);
    if (std::none_of(found.begin(), found.end(), isError)) { // notes compute with legal sizes
        checkPositions(scenario, found);
        checkSharedBias(model, found);
        checkTraining(scenario, found);
    }
    return found;
}

Status validated(const Scenario& scenario)
{
    std::string text;
    for (const Problem& problem : problems(scenario)) {
        if (isError(problem)) {
            text += (text.empty() ? "" : "; ") + problem.key + ": " + problem.message;
        }
    }
    if (text.empty()) {
        return Done{};
    }
    return Error{text};
}

Result<std::vector<std::string>> repairedWithNotes(Scenario& scenario)
{
    Scenario legal = scenario;
    repair(legal);
    FLOPSMITH_RETURN_IF_ERROR(validated(legal));
    std::vector<std::string> notes;
    const std::vector<Parameter> after = allParameters(legal);
    for (const Problem& problem : problems(scenario)) {
        const auto same = std::find_if(after.begin(), after.end(), [&](const Parameter& parameter) {
            return parameter.key == problem.key;
        });
        if (isError(problem) && same != after.end()) {
            notes.push_back(problem.key + ": " + problem.message + "; opened with "
                            + valueText(same->value(legal)) + ".");
        }
    }
    scenario = std::move(legal);
    return notes;
}

} // namespace flopsmith
