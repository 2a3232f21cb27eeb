// SPDX-License-Identifier: MIT
#include "core/train/trainer.h"

#include "core/kernels/expert_balance.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/train/batch_loss.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

namespace flopsmith {
namespace {

using reference::valueOf;

// For each tensor its size, and twice that for the moments.
template <class S>
bool fits(const WeightShapes& shapes, const TrainingState<S>& state)
{
    bool same = state.weights.size() == shapes.size() && state.moments.size() == shapes.size();
    for (std::size_t i = 0; same && i < shapes.size(); ++i) {
        const auto size = static_cast<std::size_t>(shapes[i].size());
        same = state.weights[i].size() == size && state.moments[i].size() == 2 * size;
    }
    return same && state.step >= 0;
}

// 0 where a tensor does not train.
template <class S>
std::vector<double> tensorNorms(const WeightShapes& shapes, const Weights<S>& gradients)
{
    std::vector<double> norms;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        double sum = 0.0;
        for (const S& gradient : gradients[i]) {
            sum += shapes[i].trainable ? valueOf(gradient) * valueOf(gradient) : 0.0;
        }
        norms.push_back(std::sqrt(sum));
    }
    return norms;
}

} // namespace

template <class S>
Trainer<S>::Trainer(const TrainingStart& start,
                    const ExecutorFactory<S>& executor,
                    const TrainingSettings& settings)
    : m_settings(settings)
    , m_tensors(start.tensors)
    , m_shapes(start.shapes())
    , m_recipes(start.recipes)
    , m_state(std::make_unique<TrainingState<S>>())
{
    m_state->weights = start.weightsAs<S>();
    for (const std::vector<S>& tensor : m_state->weights) {
        m_state->moments.emplace_back(2 * tensor.size(), S(0));
    }
    m_executor = executor(m_state->weights);
}

template <class S>
Result<StepReport> Trainer<S>::step(const TrainingBatch<S>& batch, NormDetail detail)
{
    FLOPSMITH_TRY(const std::vector<S> outputs,
                  m_executor->forward(batch.inputs, Keep::forBackward));
    FLOPSMITH_TRY(const BatchLoss<S> loss, batchLoss<S>(outputs, batch.targets));
    ExpertBalance balance{.coefficient = m_settings.expertBalance};
    Result<Weights<S>> gradients = Error{""};
    {
        const BalanceScope scope(balance);
        gradients = m_executor->backward(loss.dOutputs);
    }
    if (!gradients) {
        return gradients.error();
    }
    StepReport report{.step = m_state->step + 1,
                      .loss = valueOf(loss.mean),
                      .rate = m_settings.rate * m_settings.schedule.factor(m_state->step + 1),
                      .compared = loss.compared,
                      .balanceLoss = balance.loss};
    if (balance.mixtures > 0) {
        report.loadEntropy = balance.entropies / balance.mixtures;
    }
    if (detail == NormDetail::perTensor) {
        report.tensorNorms = tensorNorms<S>(m_shapes, *gradients);
    }
    report.gradientNorm = m_settings.clip > 0.0 && !gradients->empty()
        ? clipToNorm<S>(m_shapes, m_settings.clip, *gradients)
        : gradientNorm<S>(m_shapes, *gradients);
    report.changed = std::isfinite(report.loss) && std::isfinite(report.gradientNorm);
    if (report.changed) {
        update(report.rate, *gradients);
    }
    return report;
}

template <class S>
void Trainer<S>::update(double rate, const Weights<S>& gradients)
{
    ++m_state->step;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        if (m_shapes[i].trainable) {
            updateTensor<S>(m_settings.optimizer,
                            m_recipes[i],
                            rate,
                            m_state->step,
                            gradients[i],
                            m_state->moments[i],
                            m_state->weights[i]);
        }
    }
    m_executor->weightsChanged();
}

template <class S>
Result<Evaluation<S>> Trainer<S>::evaluate(const TrainingBatch<S>& batch)
{
    FLOPSMITH_TRY(std::vector<S> outputs, m_executor->forward(batch.inputs, Keep::nothing));
    FLOPSMITH_TRY(const BatchLoss<S> loss, batchLoss<S>(outputs, batch.targets));
    return Evaluation<S>{.loss = valueOf(loss.mean),
                         .compared = loss.compared,
                         .right = loss.right,
                         .outputs = std::move(outputs)};
}

template <class S>
Status Trainer<S>::restore(TrainingState<S> state)
{
    if (!fits(m_shapes, state)) {
        return Error{"The saved state is of another model: its tensors have other sizes"};
    }
    m_state->step = state.step; // weights stay where the executor reads them
    for (std::size_t i = 0; i < state.weights.size(); ++i) {
        std::ranges::copy(state.weights[i], m_state->weights[i].begin());
    }
    m_state->moments = std::move(state.moments);
    m_executor->weightsChanged();
    return Done{};
}

template class Trainer<float>;
template class Trainer<double>;
template class Trainer<reference::Counted>;

} // namespace flopsmith
