// SPDX-License-Identifier: MIT
#include "core/torch/lab_training.h"

#include "core/base/printable.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/json/json_text.h"
#include "core/lab/plan/lab_file.h"
#include "core/lab/run/prepared_run.h"
#include "core/train/training_state.h"

#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

namespace flopsmith::torch {
namespace {

template <class To, class From>
std::vector<std::vector<To>> numbersAs(const std::vector<std::vector<From>>& tensors)
{
    std::vector<std::vector<To>> result;
    for (const std::vector<From>& tensor : tensors) {
        std::vector<To>& values = result.emplace_back();
        values.reserve(tensor.size());
        for (const From value : tensor) {
            values.push_back(static_cast<To>(value));
        }
    }
    return result;
}

template <class S>
Result<SavedState<double>> loadedAs(const std::string& path,
                                    const std::vector<ModelTensor>& tensors)
{
    FLOPSMITH_TRY(const SavedState<S> saved, loadState<S>(path, tensors));
    return SavedState<double>{.state = {.step = saved.state.step,
                                        .weights = numbersAs<double>(saved.state.weights),
                                        .moments = numbersAs<double>(saved.state.moments)},
                              .metadata = saved.metadata};
}

Result<SavedState<double>> loaded(const std::string& path, const Training& training)
{
    return training.isDouble ? loadedAs<double>(path, training.plan.tensors)
                             : loadedAs<float>(path, training.plan.tensors);
}

// Older states do not know branches.
bool isOfWholeRun(const SafetensorsMetadata& metadata)
{
    const auto branch = metadata.find("branch");
    return branch == metadata.end() || branch->second.empty();
}

void take(LabTraining& lab, SavedState<double> saved)
{
    lab.cost = runCost(saved.metadata);
    lab.training.state = std::move(saved.state);
    lab.training.progress = {.firstLoss = lab.cost.first,
                             .smoothedLoss = lab.cost.smoothed,
                             .seconds = lab.cost.seconds};
}

} // namespace

Result<LabTraining> labTraining(const LabPlan& plan, const RunKey& key)
{
    FLOPSMITH_TRY(
        PreparedRun<float> run,
        preparedRun<float>(plan, key, referenceEngine<float>(), referenceEngine<float>()));
    const TaskShape shape = run.task->shape();
    if (shape.learns == Learns::ffn || shape.learns == Learns::classifyingFfn) {
        return Error{"the task " + std::string(info(plan.task).id)
                     + " trains an FFN alone; PyTorch gets whole models, as of grammar or text"};
    }
    const Scenario scenario = labScenario(shape, plan.sizes, plan.arm(key.arm)->ffn);
    LabTraining lab{.plan = plan,
                    .key = key,
                    .task = std::move(run.task),
                    .training = {.scenario = scenario,
                                 .plan = planOf(scenario).value(),
                                 .recipes = std::move(run.learner.start.recipes),
                                 .state = {.weights = std::move(run.learner.start.weights)},
                                 .settings = run.settings,
                                 .isDouble = plan.precision == LabPrecision::float64,
                                 .until = run.steps,
                                 .evaluateEvery = plan.evaluateEvery,
                                 .batches = {}},
                    .stepCost = run.learner.cost,
                    .steps = run.steps,
                    .parameters = run.parameters};
    for (const Calibration& each : run.learner.start.calibrations) {
        lab.calibration[each.path] = each.factor;
    }
    return lab;
}

void fillBatches(LabTraining& lab)
{
    Training& training = lab.training;
    training.batches.clear();
    for (std::int64_t step = training.state.step + 1; step <= training.until; ++step) {
        training.batches.push_back(lab.task->training(step));
    }
    training.tests = lab.task->test();
}

bool continueFrom(LabTraining& lab, const std::string& path, std::int64_t latest)
{
    std::error_code ignored;
    if (path.empty() || !std::filesystem::exists(path, ignored)) {
        return false;
    }
    Result<SavedState<double>> saved = loaded(path, lab.training);
    if (!saved || !isOfRun(saved->metadata, lab.plan, lab.key) || saved->state.step > latest
        || saved->state.step > lab.steps) {
        return false;
    }
    take(lab, std::move(*saved));
    return true;
}

Status saveLabState(const LabTraining& lab,
                    const std::string& path,
                    const TrainingState<double>& state,
                    const RunCost& cost,
                    const std::vector<std::string>& symbols)
{
    SafetensorsMetadata metadata = runMetadata(lab.plan, lab.key, cost);
    if (!symbols.empty()) {
        metadata["symbols"] = jsonText(Json(symbols));
    }
    const std::vector<ModelTensor>& tensors = lab.training.plan.tensors;
    if (lab.training.isDouble) {
        return saveState<double>(path, tensors, state, metadata);
    }
    return saveState<float>(path,
                            tensors,
                            {.step = state.step,
                             .weights = numbersAs<float>(state.weights),
                             .moments = numbersAs<float>(state.moments)},
                            metadata);
}

Result<LabTraining> savedLabTraining(const std::string& path)
{
    FLOPSMITH_TRY(const SafetensorsFile file, SafetensorsFile::open(path));
    const std::optional<RunKey> key = runKey(file.metadata());
    if (!key || !file.metadata().contains("lab")) {
        return Error{printable(path)
                     + " does not say which run of a lab it is of; name a state or a model that "
                       "flopsmith lab run of this version saved"};
    }
    if (!isOfWholeRun(file.metadata())) {
        return Error{
            printable(path)
            + " is the state of a branch that cools down for a view; name that of its run, "
              "without .branch at the end"};
    }
    const Result<LabPlan> plan = readLab(file.metadata().at("lab"), printable(path));
    FLOPSMITH_TRY(LabTraining lab, plan ? labTraining(*plan, *key) : plan.error());
    FLOPSMITH_TRY(SavedState<double> saved, loaded(path, lab.training));
    take(lab, std::move(saved));
    return lab;
}

} // namespace flopsmith::torch
