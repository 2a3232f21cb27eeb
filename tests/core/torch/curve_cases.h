// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/ffn/ffn_variants.h"
#include "core/lab/plan/arms.h"
#include "core/lab/task/learner.h"
#include "core/lab/task/task.h"
#include "core/mixer/mixer_variants.h"
#include "core/model/operation.h"
#include "core/model/presets.h"
#include "core/model/values.h"
#include "core/torch/training_folder.h"
#include "core/train/training_start.h"
#include "tests/support/small_scenario.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Small models of every variant whose loss curves are compared with PyTorch's.
namespace flopsmith::test {

inline constexpr std::int64_t kCurveSteps = 100;

/// A model that is trained for a loss curve.
struct CurveCase
{
    std::string name;
    Scenario scenario; ///< a training step
    bool chooses = false; ///< the k largest of activations: a tie may be broken another way
};

/// Sizes of the models: those of the golden curves, or the preset nano.
struct CurveSizes
{
    LabSizes model{.dModel = 32, .layers = 2, .heads = 4};
    GrammarTask task{.sequence = 16, .batch = 4, .test = 4};
};

inline CurveSizes nanoSizes()
{
    return {.model = {}, .task = {}};
}

inline std::vector<std::pair<std::string, FfnSpec>> curveFfns(int dModel)
{
    std::vector<std::pair<std::string, FfnSpec>> ffns;
    for (const ArmName& arm : armNames()) {
        ffns.emplace_back(std::string(arm.name), armNamed(arm.name, dModel).value());
    }
    ffns.emplace_back("spectral_top_k",
                      SpectralFfn{.kFreq = dModel / 4, .selection = BinSelection::topK});
    ffns.emplace_back("polynomial_top_k", PolynomialFfn{.selection = ChannelSelection::topK});
    ffns.emplace_back("micro_refine_iterations",
                      MicroRefineFfn{.keepRatio = 0.5,
                                     .mode = MicroRefineMode::iterative,
                                     .selection = ChannelSelection::fixed});
    ffns.emplace_back("token_feedback_top_k",
                      TokenFeedbackFfn{.rank = dModel / 4, .window = FeatureWindow::topK});
    ffns.emplace_back("token_feedback_previous",
                      TokenFeedbackFfn{.rank = dModel / 4, .feedback = Feedback::previousToken});
    ffns.emplace_back("moe_shared",
                      MoeFfn{.experts = 4,
                             .perToken = 2,
                             .dFf = dModel,
                             .routerBias = true,
                             .sharedExperts = 1,
                             .sharedDFf = dModel,
                             .sharedGate = true});
    return ffns;
}

inline std::vector<std::pair<std::string, MixerSpec>> curveMixers(int dModel)
{
    const int head = dModel / 4;
    return {{"mixer_none", NoMixer{}},
            {"mixer_fourier", FourierMixer{}},
            {"attention_rotary",
             Attention{.heads = 4,
                       .kvHeads = 2,
                       .qkvBias = false,
                       .outBias = false,
                       .rotary = true,
                       .window = 5,
                       .qkNorm = QkNorm::perHead,
                       .sinks = true,
                       .softCap = 20.0}},
            {"attention_relative",
             Attention{.heads = 4,
                       .kvHeads = 4,
                       .positionBias = PositionBias::relative,
                       .relativeBuckets = 8}},
            {"latent_attention",
             LatentAttention{.heads = 4,
                             .qLoraRank = dModel / 2,
                             .kvLoraRank = dModel / 2,
                             .qkNopeDim = head,
                             .qkRopeDim = head / 2,
                             .vHeadDim = head,
                             .bias = true}},
            {"mamba2",
             Mamba2{.heads = 4,
                    .headDim = 2 * head,
                    .stateDim = head,
                    .groups = 2,
                    .normGroups = 2,
                    .chunk = 5}}};
}

/// Whether an FFN chooses by comparing activations, as its cost tells.
inline bool choosesByActivations(const FfnSpec& ffn, int dModel)
{
    const CostTree<Count> tree = costTree(Operation{.what = ffn, .dModel = dModel});
    return std::ranges::any_of(tree.nodes(), [](const CostTree<Count>::Node& node) {
        return node.kind == OpKind::selection && node.cost.count.cmp > 0;
    });
}

/// The task that the models learn. An encoder-decoder learns a map of tokens, see curveBatch().
inline std::unique_ptr<Task> curveTask(const CurveSizes& sizes)
{
    return makeTask(sizes.task, sizes.model.dModel, 1).value();
}

/// One for each named arm, further choices, each mixer, and an encoder-decoder with cross-attention.
inline std::vector<CurveCase> curveCases(const CurveSizes& sizes)
{
    const TaskShape shape = curveTask(sizes)->shape();
    std::vector<CurveCase> cases;
    for (const auto& [name, ffn] : curveFfns(sizes.model.dModel)) {
        cases.push_back({name,
                         labScenario(shape, sizes.model, ffn),
                         choosesByActivations(ffn, sizes.model.dModel)});
    }
    for (const auto& [name, mixer] : curveMixers(sizes.model.dModel)) {
        Scenario scenario =
            labScenario(shape, sizes.model, DenseFfn{.dFf = 2 * sizes.model.dModel});
        scenario.model.runs.front().block.mixer = mixer;
        cases.push_back({name, scenario, false});
    }
    Scenario t5 = smallPreset("t5-small", Phase::train);
    t5.model = withoutValues(t5.model); // the golden curve is of the usual epsilon
    cases.push_back({"cross_attention", t5, false});
    return cases;
}

/// The batch of a step: the task's, or random tokens, each labelled with a fixed one.
inline TrainingBatch<float> curveBatch(const Task& task, const ModelPlan& plan, std::int64_t step)
{
    if (!plan.hasEncoder) {
        return task.training(step);
    }
    Random random(static_cast<std::uint64_t>(step));
    TrainingBatch<float> batch;
    for (int i = 0; i < plan.decoder.batch * plan.decoder.sequence; ++i) {
        batch.inputs.tokens.push_back(static_cast<int>(random.integer(0, plan.vocab - 1)));
        batch.targets.labels.push_back((3 * batch.inputs.tokens.back() + 1) % plan.vocab);
    }
    for (int i = 0; i < plan.encoder.batch * plan.encoder.sequence; ++i) {
        batch.inputs.source.push_back(static_cast<int>(random.integer(0, plan.vocab - 1)));
    }
    return batch;
}

/// AdamW at a rate of 10⁻³ with warm-up and cool-down, as labs have it.
inline TrainingSettings curveSettings()
{
    return {.rate = 1e-3, .schedule = {.steps = kCurveSteps, .warmup = 10}};
}

/// What PyTorch is to train: the first `steps` of 100.
inline torch::Training curveTraining(const CurveCase& each,
                                     const CurveSizes& sizes,
                                     std::int64_t steps,
                                     bool isDouble)
{
    const std::unique_ptr<Task> task = curveTask(sizes);
    torch::Training training{.scenario = each.scenario,
                             .plan = planOf(each.scenario).value(),
                             .settings = curveSettings(),
                             .isDouble = isDouble,
                             .until = steps};
    TrainingStart start = trainingStart(training.plan, 7);
    training.recipes = std::move(start.recipes);
    training.state.weights = std::move(start.weights);
    for (std::int64_t step = 1; step <= steps; ++step) {
        training.batches.push_back(curveBatch(*task, training.plan, step));
    }
    return training;
}

/// The losses of the same training here.
template <class S>
std::vector<double> curveHere(const torch::Training& training, const Engine<S>& engine)
{
    TrainingStart start = trainingStart(training.plan, 7);
    Trainer<S> trainer(start, engine.model(training.plan), training.settings);
    std::vector<double> losses;
    for (const TrainingBatch<float>& batch : training.batches) {
        const Result<StepReport> report = trainer.step(batchAs<S>(batch));
        if (!report) {
            return losses;
        }
        losses.push_back(report->loss);
    }
    return losses;
}

} // namespace flopsmith::test
