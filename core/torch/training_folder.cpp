// SPDX-License-Identifier: MIT
#include "core/torch/training_folder.h"

#include "core/base/text_file.h"
#include "core/export/torch/class_list.h"
#include "core/export/torch/model_source.h"
#include "core/export/torch/tensors/expected_outputs.h"
#include "core/export/torch/tensors/stored_tensors.h"
#include "core/export/torch/tensors/weight_source.h"
#include "core/ffn/composed.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/json/json_text.h"
#include "core/kernels/expert_balance.h"
#include "core/torch/batch_file.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

namespace flopsmith::torch {
namespace {

constexpr const char* kStateFile = "/state.safetensors";
constexpr const char* kGroups[] = {"weights.", "first_moment.", "second_moment."};

Json scheduleJson(const Schedule& schedule)
{
    return {{"steps", schedule.steps},
            {"warmup", schedule.warmup},
            {"decay", schedule.decay == Decay::linear ? "linear" : "cosine"},
            {"cooldown", schedule.cooldown},
            {"floor", schedule.floor}};
}

Json optimizerJson(const TrainingSettings& settings)
{
    return {{"rate", settings.rate},
            {"beta1", settings.optimizer.beta1},
            {"beta2", settings.optimizer.beta2},
            {"epsilon", settings.optimizer.epsilon},
            {"decay", settings.optimizer.decay},
            {"clip", settings.clip}};
}

// Of the tensors that learn.
Json parametersJson(const Training& training, const std::vector<StoredTensor>& stored)
{
    Json parameters = Json::array();
    for (const StoredTensor& tensor : stored) {
        const TensorRecipe& recipe = training.recipes[tensor.tensor];
        if (!training.plan.tensors[tensor.tensor].shape.trainable) {
            continue;
        }
        Json entry{{"name", tensor.name}, {"rate", recipe.rate}, {"decays", recipe.decays}};
        if (!recipe.columns.empty()) {
            entry["transposed"] = tensor.transposed;
            for (const ColumnRecipe& column : recipe.columns) {
                entry["columns"].push_back(column.rate);
            }
        }
        parameters.push_back(std::move(entry));
    }
    return parameters;
}

// The mixtures of experts of an FFN whose loads are balanced, as modules of the program.
void addBalanced(const FfnSpec& ffn, const std::string& module, Json& names)
{
    if (const auto* moe = get_if<MoeFfn>(&ffn)) {
        if (ExpertBalance::hasBalanceLoss(*moe)) {
            names.push_back(module);
        }
    } else if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
        for (std::size_t i = 0; i < composed->stages.size(); ++i) {
            addBalanced(composed->stages[i].spec, module + ".stages." + std::to_string(i), names);
        }
    }
}

Json balanceJson(const Training& training)
{
    Json names = Json::array();
    for (const TorchPart& part : torchParts(training.scenario.model)) {
        const auto found = std::ranges::find(training.plan.parts, part.path, &ModelPart::path);
        const auto* ffn =
            found == training.plan.parts.end() ? nullptr : std::get_if<FfnSpec>(&found->spec);
        if (ffn != nullptr) { // the prefix of its tensors ends with a point
            addBalanced(*ffn, part.prefix.substr(0, part.prefix.size() - 1), names);
        }
    }
    return {{"coefficient", training.settings.expertBalance}, {"modules", std::move(names)}};
}

std::string settingsText(const Training& training, const std::vector<StoredTensor>& stored)
{
    const Json json{{"precision", training.isDouble ? "F64" : "F32"},
                    {"step", training.state.step},
                    {"until", training.until},
                    {"evaluate_every", training.evaluateEvery},
                    {"first_loss", training.progress.firstLoss},
                    {"smoothed_loss", training.progress.smoothedLoss},
                    {"seconds", training.progress.seconds},
                    {"optimizer", optimizerJson(training.settings)},
                    {"schedule", scheduleJson(training.settings.schedule)},
                    {"expert_balance", balanceJson(training)},
                    {"parameters", parametersJson(training, stored)}};
    return jsonText(json, 1) + "\n";
}

// Weights, first and second moments of a tensor as the state dict has them.
std::vector<std::vector<double>> stateOf(const Training& training, const StoredTensor& stored)
{
    const WeightShape& shape = training.plan.tensors[stored.tensor].shape;
    const std::vector<double>& moments = training.state.moments[stored.tensor];
    const auto middle = moments.begin() + std::ssize(moments) / 2;
    return {storedOrder(stored, shape, training.state.weights[stored.tensor]),
            storedOrder(stored, shape, std::vector<double>(moments.begin(), middle)),
            storedOrder(stored, shape, std::vector<double>(middle, moments.end()))};
}

Status writeState(const std::string& path,
                  const Training& training,
                  const std::vector<StoredTensor>& stored)
{
    std::vector<std::vector<std::vector<double>>> values;
    std::vector<TensorToWrite> tensors;
    for (const StoredTensor& tensor : stored) {
        if (training.plan.tensors[tensor.tensor].shape.trainable) {
            values.push_back(stateOf(training, tensor));
            for (std::size_t group = 0; group < std::size(kGroups); ++group) {
                tensors.push_back({.name = kGroups[group] + tensor.name,
                                   .type = training.isDouble ? TensorType::f64 : TensorType::f32,
                                   .shape = tensor.shape,
                                   .values = std::span<const double>(values.back()[group])});
            }
        }
    }
    const std::vector<double> progress{static_cast<double>(training.state.step),
                                       training.progress.firstLoss,
                                       training.progress.smoothedLoss,
                                       training.progress.seconds};
    tensors.push_back({.name = "progress",
                       .type = TensorType::f64,
                       .shape = {std::ssize(progress)},
                       .values = std::span<const double>(progress)});
    const auto written = writeSafetensors(path, tensors, {{"format", "pt"}});
    return written ? Status(Done{}) : Status(written.error());
}

Status writeTexts(const std::string& folder,
                  const std::vector<std::pair<std::string, std::string>>& texts)
{
    for (const auto& [name, text] : texts) {
        FLOPSMITH_RETURN_IF_ERROR(writeFile(folder + "/" + name, text));
    }
    return Done{};
}

std::string installedText(std::string_view path)
{
    return std::string(templateAt(path).value_or(""));
}

// One group of a tensor's values, as the plan has them.
Result<std::vector<double>> readGroup(const SafetensorsFile& file,
                                      const std::string& group,
                                      const StoredTensor& stored,
                                      WeightShape shape)
{
    FLOPSMITH_TRY(std::vector<double> values, file.readAs<double>(group + stored.name));
    if (std::ssize(values) != shape.size()) {
        return Error{file.path() + ": " + group + stored.name
                     + " has another size than the model's"};
    }
    std::swap(shape.rows, shape.columns);
    return storedOrder(stored, shape, std::move(values));
}

Status readTensor(const SafetensorsFile& file,
                  const Training& training,
                  const StoredTensor& stored,
                  TrainingState<double>& state)
{
    const WeightShape& shape = training.plan.tensors[stored.tensor].shape;
    std::vector<std::vector<double>> groups;
    for (const char* group : kGroups) {
        FLOPSMITH_TRY(std::vector<double> values, readGroup(file, group, stored, shape));
        groups.push_back(std::move(values));
    }
    state.weights[stored.tensor] = std::move(groups[0]);
    groups[1].insert(groups[1].end(), groups[2].begin(), groups[2].end());
    state.moments[stored.tensor] = std::move(groups[1]);
    return Done{};
}

} // namespace

Status writeTraining(const std::string& folder, const Training& training)
{
    FLOPSMITH_TRY(const auto stored, storedTensors(training.scenario.model, training.plan));
    Status done = writeBatches(folder + "/batches.safetensors", training.plan, training.batches);
    if (done && !training.tests.empty()) {
        done = writeBatches(folder + "/test.safetensors", training.plan, training.tests);
    }
    if (done && training.state.step > 0) {
        done = writeState(folder + kStateFile, training, stored);
    }
    return done ? writeTexts(folder,
                             {{"training.json", settingsText(training, stored)},
                              {"train.py", installedText("export/train.py")},
                              {"check.py", installedText("export/check.py")}})
                : done;
}

std::string trainingFilesText(const Training& training)
{
    return "* `train.py`: trains the model as a lab of Flopsmith does, from step "
        + std::to_string(training.state.step + 1) + " to " + std::to_string(training.until)
        + ", by `python train.py` or `torchrun --nproc-per-node 2 train.py`. It saves its state in "
          "`state.safetensors` and continues from there.\n"
        + "* `training.json`, `batches.safetensors`, `test.safetensors`: its numbers, the examples "
          "of each step and those of the evaluations.\n";
}

Status writeTrainingModel(const std::string& folder, const Training& training)
{
    const Model& model = training.scenario.model;
    const auto stored = storedTensors(model, training.plan);
    const auto source = modelSource(checkedScenario(training.scenario));
    if (!stored || !source) {
        return stored ? source.error() : stored.error();
    }
    const WeightSource weights{.trained =
                                   std::make_shared<const Weights<double>>(training.state.weights)};
    std::vector<TensorToWrite> tensors = tensorsToWrite(training.plan, *stored, weights);
    const std::vector<TorchBuffer> buffers = storedBuffers(model);
    for (const TorchBuffer& buffer : buffers) {
        tensors.push_back({buffer.name,
                           TensorType::i64,
                           buffer.shape,
                           std::span<const std::int64_t>(buffer.values)});
    }
    const auto written = writeSafetensorsFolder(folder, tensors, {{"format", "pt"}});
    return written ? writeTexts(folder, {{"model.py", *source}}) : Status(written.error());
}

Result<SavedTraining> savedTraining(const std::string& folder, const Training& training)
{
    const auto stored = storedTensors(training.scenario.model, training.plan);
    const auto file = SafetensorsFile::open(folder + kStateFile);
    if (!stored || !file) {
        return stored ? file.error() : stored.error();
    }
    const Result<std::vector<double>> progress = file->readAs<double>("progress");
    if (!progress || progress->size() != 4) {
        return Error{file->path() + " is no state that train.py saved"};
    }
    SavedTraining saved{.state = training.state,
                        .progress = {.firstLoss = (*progress)[1],
                                     .smoothedLoss = (*progress)[2],
                                     .seconds = (*progress)[3]}};
    saved.state.step = static_cast<std::int64_t>((*progress)[0]);
    saved.state.moments.resize(saved.state.weights.size());
    for (std::size_t i = 0; i < saved.state.weights.size(); ++i) {
        saved.state.moments[i].resize(2 * saved.state.weights[i].size());
    }
    for (const StoredTensor& tensor : *stored) {
        if (training.plan.tensors[tensor.tensor].shape.trainable) {
            FLOPSMITH_RETURN_IF_ERROR(readTensor(*file, training, tensor, saved.state));
        }
    }
    return saved;
}

} // namespace flopsmith::torch
