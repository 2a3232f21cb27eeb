// SPDX-License-Identifier: MIT
#include "core/lab/task/trained_teacher.h"

#include "core/base/printable.h"
#include "core/base/sha256.h"
#include "core/io/safetensors/mapped_file.h"
#include "core/lab/task/learner.h"
#include "core/lab/task/saved_model.h"
#include "core/lab/task/task.h"
#include "core/run/model_plan.h"

#include <algorithm>
#include <string>
#include <utility>

namespace flopsmith {
namespace {

constexpr int kTrainingBatches = 48; ///< of the model's task

Status hasHash(const TeacherTask& spec)
{
    FLOPSMITH_TRY(const std::string hash, fileHash(spec.file));
    if (!spec.sha256.empty() && hash != spec.sha256) {
        return Error{printable(spec.file)
                     + " has changed since the lab was begun; name the old file or another log"};
    }
    return Done{};
}

// The steps of a model up to what the FFN of a layer reads, which become its outputs.
Result<ModelPlan> planUpToFfn(ModelPlan plan, const std::string& ffn, const std::string& file)
{
    const auto found = std::ranges::find(plan.parts, ffn, &ModelPart::path);
    if (found == plan.parts.end() || found == plan.parts.begin()) {
        return Error{file + ": there is no FFN in " + ffn + "; choose another layer or model"};
    }
    plan.parts.erase(found, plan.parts.end());
    plan.parts.back().writes = Flow::outputs;
    return plan;
}

std::vector<float> outputsOf(Executor<float>& executor,
                             const std::vector<TrainingBatch<float>>& batches)
{
    std::vector<float> all;
    for (const TrainingBatch<float>& batch : batches) {
        const auto outputs = executor.forward(batch.inputs, Keep::nothing);
        if (outputs) {
            all.insert(all.end(), outputs->begin(), outputs->end());
        }
    }
    return all;
}

Weights<float> inFloat(const Weights<double>& weights)
{
    Weights<float> result;
    for (const std::vector<double>& tensor : weights) {
        std::vector<float> values;
        for (const double value : tensor) {
            values.push_back(static_cast<float>(value));
        }
        result.push_back(std::move(values));
    }
    return result;
}

} // namespace

Result<std::string> fileHash(const std::string& path)
{
    FLOPSMITH_TRY(const MappedFile file, MappedFile::open(path));
    const std::span<const std::byte> bytes = file.bytes();
    return sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()}); // NOLINT: bytes
}

Result<TrainedTeacher> trainedTeacher(const TeacherTask& spec,
                                      int dModel,
                                      std::uint64_t seed,
                                      const Engine<float>& engine)
{
    const std::string file = printable(spec.file);
    FLOPSMITH_RETURN_IF_ERROR(hasHash(spec));
    FLOPSMITH_TRY(const SavedModel saved, savedModel(spec.file));
    if (saved.plan.sizes.dModel != dModel) {
        return Error{file + ": this model is " + std::to_string(saved.plan.sizes.dModel)
                     + " wide, and its students would be " + std::to_string(dModel)
                     + "; choose that width, --d of flopsmith lab distil"};
    }
    const auto task = makeTask(saved.plan.task, dModel, seed, engine);
    if (!task) {
        return Error{file + ": " + task.error().message};
    }
    FLOPSMITH_TRY(const ModelPlan whole,
                  planOf(labScenario((*task)->shape(), saved.plan.sizes, saved.ffn)));
    const std::string path = "blocks[" + std::to_string(spec.layer) + "]/ffn";
    FLOPSMITH_TRY(const ModelPlan before, planUpToFfn(whole, path, file));
    const Weights<float> weights = inFloat(saved.weights);
    TrainedTeacher teacher{.ffn = saved.ffn};
    for (const std::size_t tensor :
         std::ranges::find(whole.parts, path, &ModelPart::path)->tensors) {
        teacher.weights.push_back(weights[tensor]);
    }
    const auto executor = engine.model(before)(weights);
    std::vector<TrainingBatch<float>> batches;
    for (int step = 1; step <= kTrainingBatches; ++step) {
        batches.push_back((*task)->training(step));
    }
    teacher.inputs = outputsOf(*executor, batches);
    teacher.testInputs = outputsOf(*executor, (*task)->test());
    if (teacher.inputs.empty() || teacher.testInputs.empty()) {
        return Error{file + ": what this FFN reads cannot be computed"};
    }
    return teacher;
}

} // namespace flopsmith
