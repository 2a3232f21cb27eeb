// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/base/result.h"
#include "core/ffn/ffn.h"
#include "core/lab/task/task.h"
#include "core/model/model.h"
#include "core/train/engine.h"
#include "core/train/executor.h"
#include "core/train/settings/training_settings.h"
#include "core/train/step_cost.h"
#include "core/train/training_start.h"

#include <string_view>
#include <vector>

namespace flopsmith {

/// What mixes tokens in the models of a lab.
enum class LabMixer {
    attention, ///< causal
    fourier, ///< without weights; it sees all tokens
};

template <>
std::vector<std::string_view> enumNames<LabMixer>();

/// The sizes of the models that a lab trains.
struct LabSizes
{
    int dModel = 64;
    int layers = 2;
    int heads = 4;
    LabMixer mixer = LabMixer::attention;

    bool operator==(const LabSizes&) const = default;
};

/// Sizes by name: nano d 64 L 2, micro d 128 L 4, small d 256 L 4.
Result<LabSizes> sizesNamed(std::string_view name);

/// Sizes that are in bounds and fit each other.
Status validatedSizes(const LabSizes& sizes);

/// A training step of the model that a task is learned with: pre-norm blocks of mixer and FFN, learned
/// positions, a tied head. For tasks that train models.
Scenario labScenario(const TaskShape& shape, const LabSizes& sizes, const FfnSpec& ffn);

/// What a trainer needs of an FFN on a task.
template <class S>
struct Learner
{
    TrainingStart start;
    ExecutorFactory<S> executor;
    StepCost cost;
};

/// Errors: a model that is not legal; a variant without kernels.
template <class S>
Result<Learner<S>> learnerOf(const Task& task,
                             const LabSizes& sizes,
                             const FfnSpec& ffn,
                             const TrainingSettings& settings,
                             std::uint64_t seed,
                             const Engine<S>& engine = referenceEngine<S>());

/// A batch in another precision.
template <class S>
TrainingBatch<S> batchAs(const TrainingBatch<float>& batch);

} // namespace flopsmith
