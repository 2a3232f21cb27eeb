// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/train/adamw.h"
#include "core/train/executor.h"
#include "core/train/settings/training_settings.h"
#include "core/train/training_start.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace flopsmith {

/// Everything that steps change. Batches depend on a seed and the step alone, so that a run continues
/// from here bit for bit.
template <class S>
struct TrainingState
{
    std::int64_t step = 0; ///< steps done
    Weights<S> weights;
    Weights<S> moments; ///< of each tensor [n] m, then v

    bool operator==(const TrainingState&) const = default;
};

/// The results of a step.
struct StepReport
{
    std::int64_t step = 0; ///< from 1
    double loss = 0.0; ///< before the step
    double gradientNorm = 0.0; ///< before clipping
    double rate = 0.0; ///< η times the schedule's factor
    std::size_t compared = 0; ///< rows or numbers of the loss
    double balanceLoss = 0.0; ///< of mixtures of experts; trained on, not part of `loss`
    /// Entropy of the expert loads over ln E, 0 … 1 (1: uniform), averaged over the mixtures of
    /// experts; empty without them.
    std::optional<double> loadEntropy{};
    std::vector<double>
        tensorNorms{}; ///< of each tensor's gradient before clipping, for NormDetail::perTensor
    bool changed = false; ///< false if the loss or the norm is not finite: then nothing changes
};

/// Which norms of gradients a step reports.
enum class NormDetail { total, perTensor };

/// The results of a forward pass without a step.
template <class S>
struct Evaluation
{
    double loss = 0.0;
    std::size_t compared = 0;
    std::size_t right = 0;
    std::vector<S> outputs;
};

/// Trains the tensors of a start with an executor. One thread, the same numbers in every run.
template <class S>
class Trainer
{
public:
    Trainer(const TrainingStart& start,
            const ExecutorFactory<S>& executor,
            const TrainingSettings& settings);

    /// One step. Has the errors of executor and loss: a batch that does not fit.
    Result<StepReport> step(const TrainingBatch<S>& batch, NormDetail detail = NormDetail::total);

    Result<Evaluation<S>> evaluate(const TrainingBatch<S>& batch);

    const TrainingState<S>& state() const { return *m_state; }

    /// Continues from a state. An Error if its tensors have other sizes.
    Status restore(TrainingState<S> state);

    /// The next steps follow another schedule, which counts from the first step as the old one.
    void setSchedule(const Schedule& schedule) { m_settings.schedule = schedule; }

    const TrainingSettings& settings() const { return m_settings; }
    const std::vector<ModelTensor>& tensors() const { return m_tensors; }

private:
    void update(double rate, const Weights<S>& gradients);

    TrainingSettings m_settings;
    std::vector<ModelTensor> m_tensors;
    WeightShapes m_shapes;
    std::vector<TensorRecipe> m_recipes;
    std::unique_ptr<TrainingState<S>> m_state; ///< stays where it is: the executor reads it
    std::unique_ptr<Executor<S>> m_executor;
};

} // namespace flopsmith
