// SPDX-License-Identifier: MIT
#include "core/lab/task/task.h"

#include "core/lab/task/task_sources.h"

#include <algorithm>
#include <type_traits>
#include <variant>

namespace flopsmith {

Random taskStream(std::uint64_t seed, TaskStream purpose, std::int64_t step)
{
    Random mixed(seed);
    std::uint64_t state = mixed.next() ^ static_cast<std::uint64_t>(purpose);
    state = Random(state).next() ^ static_cast<std::uint64_t>(step);
    return Random(Random(state).next());
}

std::vector<TrainingBatch<float>> batchesOf(const std::vector<LabelledSequence>& sequences,
                                            int batch)
{
    std::vector<TrainingBatch<float>> batches;
    const auto size = static_cast<std::size_t>(batch);
    for (std::size_t first = 0; first < sequences.size(); first += size) {
        TrainingBatch<float> next;
        for (std::size_t i = first; i < first + size; ++i) {
            const bool isFilling = i >= sequences.size();
            const LabelledSequence& from = sequences[isFilling ? first : i];
            next.inputs.tokens.insert(
                next.inputs.tokens.end(), from.tokens.begin(), from.tokens.end());
            for (const int label : from.labels) {
                next.targets.labels.push_back(isFilling ? kNoLabel : label);
            }
        }
        batches.push_back(std::move(next));
    }
    return batches;
}

Result<std::unique_ptr<Task>> makeTask(const TaskSpec& spec,
                                       int dModel,
                                       std::uint64_t seed,
                                       const Engine<float>& engine)
{
    if (const Status legal = validatedTask(spec, dModel); !legal) {
        return Error{"task " + std::string(info(spec).id) + ": " + legal.error().message};
    }
    return std::visit(
        [&](const auto& task) -> MadeTask {
            if constexpr (std::is_same_v<std::decay_t<decltype(task)>, TeacherTask>) {
                return taskOf(task, dModel, seed, engine);
            } else {
                return taskOf(task, dModel, seed);
            }
        },
        spec);
}

Result<std::vector<ReferenceScore>> referenceScores(TaskSpec spec, int dModel)
{
    if (auto* teacher = std::get_if<TeacherTask>(&spec)) {
        teacher->draws = std::min(teacher->draws, teacher->batch); // theory says it without them
    }
    FLOPSMITH_TRY(const auto task, makeTask(spec, dModel, 1));
    return task->references();
}

} // namespace flopsmith
