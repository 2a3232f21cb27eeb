// SPDX-License-Identifier: MIT
#include "core/torch/design_training.h"

#include "core/base/printable.h"
#include "core/lab/plan/lab_plan.h"
#include "core/lab/task/task.h"
#include "core/mixer/mixer.h"
#include "core/train/training_start.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace flopsmith::torch {
namespace {

Status hidesLabels(const Model& model, const TaskInfo& task)
{
    const auto reveals = [](const BlockRun& run) {
        return seesLaterTokens(run.block.activeMixer());
    };
    if (task.labelsAreLaterInputs && std::ranges::any_of(model.runs, reveals)) {
        return Error{printable(model.name)
                     + " has a mixer that sees all tokens, and the labels of the task "
                     + std::string(task.id)
                     + " are later ones; set causal, or choose a task whose labels are no later "
                       "tokens, such as mqar or induction"};
    }
    return Done{};
}

Status learns(const Model& model, const TaskShape& shape, const TaskInfo& info)
{
    const std::string task(info.id);
    if (shape.learns != Learns::tokens) {
        return Error{"the task " + task
                     + " does not train a model of tokens; choose grammar, text, mqar or another "
                       "sequence task"};
    }
    if (model.hasEncoder()) {
        return Error{printable(model.name)
                     + " is an encoder-decoder, and no task has a source for it"};
    }
    if (model.embedding.readsPatches() || model.head.kind != HeadKind::lm) {
        return Error{printable(model.name)
                     + " does not read tokens and give logits for each of them"};
    }
    if (model.embedding.vocab < shape.vocab) {
        return Error{printable(model.name) + " knows " + std::to_string(model.embedding.vocab)
                     + " tokens, and the task " + task + " has " + std::to_string(shape.vocab)
                     + "; set vocab to at least that"};
    }
    return hidesLabels(model, info);
}

} // namespace

Result<Training> designTraining(Scenario scenario, const DesignTrainingOptions& options)
{
    FLOPSMITH_TRY(const auto task, makeTask(options.task, scenario.model.dModel, options.seed));
    const TaskShape shape = task->shape();
    FLOPSMITH_RETURN_IF_ERROR(learns(scenario.model, shape, info(options.task)));
    scenario.workload = {.phase = Phase::train, .batch = shape.batch, .sequence = shape.sequence};
    FLOPSMITH_TRY(const ModelPlan plan, planOf(scenario));
    Training training{.scenario = scenario,
                      .plan = plan,
                      .settings = settingsOf({.task = options.task}, options.rate, options.steps),
                      .until = options.steps,
                      .batches = {}};
    TrainingStart start = trainingStart(plan, options.seed);
    training.recipes = std::move(start.recipes);
    training.state.weights = std::move(start.weights);
    for (std::int64_t step = 1; step <= options.steps; ++step) {
        training.batches.push_back(task->training(step));
    }
    training.tests = task->test();
    return training;
}

} // namespace flopsmith::torch
