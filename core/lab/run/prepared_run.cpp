// SPDX-License-Identifier: MIT
#include "core/lab/run/prepared_run.h"

#include "core/base/printable.h"
#include "core/lab/progress/next_run.h"

#include <utility>

namespace flopsmith {
namespace {

std::int64_t trainedNumbers(const TrainingStart& start)
{
    std::int64_t sum = 0;
    for (const ModelTensor& tensor : start.tensors) {
        sum += tensor.shape.trainable ? tensor.shape.size() : 0;
    }
    return sum;
}

} // namespace

std::size_t comparedIn(const TrainingBatch<float>& batch)
{
    std::size_t labels = 0;
    for (const int label : batch.targets.labels) {
        labels += label == kNoLabel ? 0 : 1;
    }
    return batch.targets.labels.empty() ? batch.targets.values.size() : labels;
}

template <class S>
Result<PreparedRun<S>> preparedRun(const LabPlan& plan,
                                   const RunKey& key,
                                   const Engine<S>& engine,
                                   const Engine<float>& teachers)
{
    const Arm* arm = plan.arm(key.arm);
    if (arm == nullptr) {
        return Error{"the lab has no arm " + excerpt(key.arm)};
    }
    const auto seed = static_cast<std::uint64_t>(key.seed);
    FLOPSMITH_TRY(std::unique_ptr<Task> task,
                  makeTask(plan.task, plan.sizes.dModel, seed, teachers));
    // Counts do not depend on the length of the schedule.
    FLOPSMITH_TRY(
        Learner<S> learner,
        learnerOf<S>(*task, plan.sizes, arm->ffn, settingsOf(plan, key.rate, 1), seed, engine));
    const Count stepFlops = learner.cost.flops(comparedIn(task->training(1)));
    PreparedRun<S> run{.task = std::move(task),
                       .learner = std::move(learner),
                       .settings = {},
                       .stepFlops = stepFlops};
    run.steps = stepsWithin(plan, stepFlops, key.tuning);
    run.settings = settingsOf(plan, key.rate, run.steps);
    run.parameters = trainedNumbers(run.learner.start);
    return run;
}

template Result<PreparedRun<float>> preparedRun<float>(const LabPlan&,
                                                       const RunKey&,
                                                       const Engine<float>&,
                                                       const Engine<float>&);
template Result<PreparedRun<double>> preparedRun<double>(const LabPlan&,
                                                         const RunKey&,
                                                         const Engine<double>&,
                                                         const Engine<float>&);

} // namespace flopsmith
