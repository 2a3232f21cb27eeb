// SPDX-License-Identifier: MIT
#include "core/lab/checks/lab_check.h"

#include "core/kernels/reference/counting_scalar.h"
#include "core/lab/plan/lab_plan.h"
#include "core/lab/task/closed_forms.h"
#include "core/lab/task/learner.h"
#include "core/train/batch_loss.h"
#include "core/train/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace flopsmith {
namespace {

using reference::Counted;
using Take = std::function<void(const LabCheck&)>;

constexpr double kGradientStep = 1e-5;
constexpr double kGradientTolerance = 1e-6;
constexpr LabSizes kTiny{.dModel = 8, .layers = 1, .heads = 2};

LabCheck near(std::string name, double expected, double measured, double tolerance)
{
    return {.name = std::move(name),
            .expected = expected,
            .measured = measured,
            .tolerance = tolerance,
            .holds = std::abs(measured - expected) <= tolerance};
}

void checkMoments(const Take& take)
{
    const std::array<std::pair<Activation, double>, 4> shares{{{Activation::geluTanh, 0.723279},
                                                               {Activation::gelu, 0.723288},
                                                               {Activation::relu, 0.733471},
                                                               {Activation::silu, 0.798510}}};
    for (const auto& [activation, share] : shares) {
        take(near("linear share of " + std::string(enumName(activation)),
                  share,
                  linearShare(activation),
                  1e-5));
    }
}

// The loss of a batch, with weights that are changed from outside.
double lossWith(Executor<double>& executor, const TrainingBatch<double>& batch)
{
    const std::vector<double> outputs = executor.forward(batch.inputs, Keep::nothing).value();
    return batchLoss<double>(outputs, batch.targets).value().mean;
}

// One random direction through all tensors at once.
LabCheck gradientCheck(const std::string& name,
                       const Learner<double>& learner,
                       const TrainingBatch<double>& batch)
{
    Weights<double> weights = learner.start.weights;
    const auto executor = learner.executor(weights);
    const auto outputs = executor->forward(batch.inputs, Keep::forBackward).value();
    const auto loss = batchLoss<double>(outputs, batch.targets).value();
    const Weights<double> gradients = executor->backward(loss.dOutputs).value();
    Weights<double> direction;
    double norm = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        direction.push_back(randomActivations<double>(weights[i].size(), i + 1));
        for (double& value : direction.back()) {
            value = learner.start.tensors[i].shape.trainable ? value : 0.0;
            norm += value * value;
        }
    }
    double analytic = 0.0;
    const auto move = [&](double distance) {
        weights = learner.start.weights;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            for (std::size_t k = 0; k < weights[i].size(); ++k) {
                weights[i][k] += distance * direction[i][k] / std::sqrt(norm);
            }
        }
        executor->weightsChanged();
        return lossWith(*executor, batch);
    };
    for (std::size_t i = 0; i < weights.size(); ++i) {
        for (std::size_t k = 0; k < weights[i].size(); ++k) {
            analytic += gradients[i][k] * direction[i][k] / std::sqrt(norm);
        }
    }
    const double above = move(kGradientStep);
    const double below = move(-kGradientStep);
    const double numeric = (above - below) / (2.0 * kGradientStep);
    return near("gradient of " + name,
                numeric,
                analytic,
                kGradientTolerance * std::max(1.0, std::abs(numeric)));
}

LabCheck countCheck(const std::string& name,
                    const Learner<Counted>& learner,
                    const TrainingSettings& settings,
                    const TrainingBatch<Counted>& batch)
{
    Trainer<Counted> trainer(learner.start, learner.executor, settings);
    reference::Executed performed;
    std::size_t compared = 0;
    {
        const reference::CountingScope scope(performed);
        compared = trainer.step(batch).value().compared;
    }
    const reference::Executed counted = reference::executionOf(learner.cost.of(compared));
    const auto all = [](const reference::Executed& e) {
        return toDouble(e.mul + e.add + e.div + e.sqrt + e.exp + e.cmp + e.fft);
    };
    return {.name = "count of a step of " + name,
            .expected = all(counted),
            .measured = all(performed),
            .holds = performed == counted};
}

Status checkArms(const Take& take, const std::stop_token& stop)
{
    const GrammarTask spec{.sequence = 6, .batch = 2, .test = 2};
    FLOPSMITH_TRY(const auto task, makeTask(spec, kTiny.dModel, 1));
    const TrainingSettings settings = settingsOf({.task = spec}, 1e-3, 10);
    const TrainingBatch<float> batch = task->training(1);
    for (const ArmName& arm : armNames()) {
        if (stop.stop_requested()) {
            return Done{};
        }
        const std::string name(arm.name);
        const FfnSpec ffn = armNamed(name, kTiny.dModel).value();
        const auto exact = learnerOf<double>(*task, kTiny, ffn, settings, 1);
        const auto counting = learnerOf<Counted>(*task, kTiny, ffn, settings, 1);
        if (!exact || !counting) {
            return Error{name + ": " + (exact ? counting.error() : exact.error()).message};
        }
        take(gradientCheck(name, *exact, batchAs<double>(batch)));
        take(countCheck(name, *counting, settings, batchAs<Counted>(batch)));
    }
    return Done{};
}

} // namespace

Status runLabChecks(const std::function<void(const LabCheck&)>& take, const std::stop_token& stop)
{
    checkMoments(take);
    return checkArms(take, stop);
}

} // namespace flopsmith
