// SPDX-License-Identifier: MIT
#include "core/lab/task/learner.h"

#include "core/kernels/reference/counting_scalar.h"
#include "core/mixer/attention.h"
#include "core/mixer/fourier.h"
#include "core/parameter/validation.h"
#include "core/run/model_plan.h"

#include <utility>

namespace flopsmith {
namespace {

constexpr double kScaleRate = 3.0; ///< of the one scale in front of frozen classes

template <class S, class From>
std::vector<S> numbersAs(const std::vector<From>& values)
{
    std::vector<S> result;
    result.reserve(values.size());
    for (const From value : values) {
        result.push_back(static_cast<S>(value));
    }
    return result;
}

template <class S>
Result<Learner<S>> ffnLearner(const Task& task,
                              const LabSizes& sizes,
                              const FfnSpec& ffn,
                              const TrainingSettings& settings,
                              std::uint64_t seed,
                              const Engine<S>& engine)
{
    const TaskShape shape = task.shape();
    const Shape rows{.batch = shape.batch,
                     .sequence = shape.sequence,
                     .context = shape.sequence,
                     .dModel = sizes.dModel};
    Learner<S> learner{.start = trainingStart(ffn, sizes.dModel, seed), .executor = {}, .cost = {}};
    const std::vector<float> classes = task.classes();
    if (!classes.empty()) {
        learner.start.tensors.push_back({"scale", {"scale", 1, 1}});
        learner.start.recipes.push_back({.mean = 1.0, .rate = kScaleRate});
        learner.start.weights.push_back({1.0});
    }
    learner.executor = engine.ffn(ffn, rows, numbersAs<S>(classes));
    const auto classCount = static_cast<int>(classes.size()) / sizes.dModel;
    learner.cost = ffnStepCost(ffn, rows, classCount, learner.start, settings);
    return learner;
}

template <class S>
Result<Learner<S>> modelLearner(const Task& task,
                                const LabSizes& sizes,
                                const FfnSpec& ffn,
                                const TrainingSettings& settings,
                                std::uint64_t seed,
                                const Engine<S>& engine)
{
    const Scenario scenario = labScenario(task.shape(), sizes, ffn);
    FLOPSMITH_RETURN_IF_ERROR(validated(scenario));
    FLOPSMITH_TRY(const ModelPlan plan, planOf(scenario));
    Learner<S> learner{.start = trainingStart(plan, seed), .executor = {}, .cost = {}};
    learner.executor = engine.model(plan);
    learner.cost = modelStepCost(scenario, learner.start, settings);
    return learner;
}

} // namespace

Scenario labScenario(const TaskShape& shape, const LabSizes& sizes, const FfnSpec& ffn)
{
    Scenario scenario;
    Model& model = scenario.model;
    model.name = "lab";
    model.dModel = sizes.dModel;
    model.embedding.vocab = shape.vocab;
    model.embedding.positionRows = shape.sequence;
    Block block;
    if (sizes.mixer == LabMixer::fourier) {
        block.mixer = FourierMixer{};
    } else {
        block.mixer = Attention{.heads = sizes.heads, .kvHeads = sizes.heads};
    }
    block.ffn = ffn;
    model.runs = {{block, sizes.layers}};
    if (shape.learns == Learns::images) {
        model.embedding.input = InputKind::patches;
        model.embedding.imageSize = shape.imageSize;
        model.embedding.patchSize = 1;
        model.embedding.channels = shape.channels;
        model.embedding.extraTokens = 0;
        model.head.kind = HeadKind::none;
    }
    scenario.workload.phase = Phase::train;
    scenario.workload.batch = shape.batch;
    scenario.workload.sequence = shape.sequence;
    return scenario;
}

template <class S>
Result<Learner<S>> learnerOf(const Task& task,
                             const LabSizes& sizes,
                             const FfnSpec& ffn,
                             const TrainingSettings& settings,
                             std::uint64_t seed,
                             const Engine<S>& engine)
{
    const Learns learns = task.shape().learns;
    return learns == Learns::ffn || learns == Learns::classifyingFfn
        ? ffnLearner<S>(task, sizes, ffn, settings, seed, engine)
        : modelLearner<S>(task, sizes, ffn, settings, seed, engine);
}

template <class S>
TrainingBatch<S> batchAs(const TrainingBatch<float>& batch)
{
    return {.inputs = {.tokens = batch.inputs.tokens,
                       .features = numbersAs<S>(batch.inputs.features),
                       .source = batch.inputs.source},
            .targets = {.labels = batch.targets.labels,
                        .values = numbersAs<S>(batch.targets.values),
                        .places = batch.targets.places}};
}

#define FLOPSMITH_LEARNER_INSTANCE(S)                                                              \
    template Result<Learner<S>> learnerOf<S>(const Task&,                                          \
                                             const LabSizes&,                                      \
                                             const FfnSpec&,                                       \
                                             const TrainingSettings&,                              \
                                             std::uint64_t,                                        \
                                             const Engine<S>&);                                    \
    template TrainingBatch<S> batchAs<S>(const TrainingBatch<float>&);
FLOPSMITH_LEARNER_INSTANCE(float)
FLOPSMITH_LEARNER_INSTANCE(double)
FLOPSMITH_LEARNER_INSTANCE(reference::Counted)
#undef FLOPSMITH_LEARNER_INSTANCE

} // namespace flopsmith
