// SPDX-License-Identifier: MIT
#include "core/train/model_executor.h"

#include "core/kernels/reference/counting_scalar.h"

#include <utility>

namespace flopsmith {
namespace {

template <class S>
class ModelExecutor final : public Executor<S>
{
public:
    ModelExecutor(ModelPlan plan, const Weights<S>& weights)
        : m_plan(std::move(plan))
        , m_weights(weights)
    {}

    Result<std::vector<S>> forward(const TrainingInputs<S>& inputs, Keep keep) override
    {
        ModelInputs<S> read{
            .tokens = inputs.tokens, .source = inputs.source, .images = inputs.features};
        FLOPSMITH_TRY(ModelRun<S> run, flopsmith::forward<S>(m_plan, m_weights, read, keep));
        if (keep == Keep::nothing) {
            return std::move(run.outputs);
        }
        m_inputs = std::move(read);
        m_run = std::move(run);
        return m_run.outputs;
    }

    Result<Weights<S>> backward(std::span<const S> dOutputs) override
    {
        return flopsmith::backward<S>(m_plan, m_weights, m_inputs, m_run, dOutputs);
    }

    void weightsChanged() override {} // the kernels read the weights themselves

private:
    ModelPlan m_plan;
    const Weights<S>& m_weights;
    ModelInputs<S> m_inputs; ///< of the last forward pass that kept something
    ModelRun<S> m_run;
};

} // namespace

template <class S>
ExecutorFactory<S> modelExecutor(ModelPlan plan)
{
    return [plan = std::move(plan)](const Weights<S>& weights) -> std::unique_ptr<Executor<S>> {
        return std::make_unique<ModelExecutor<S>>(plan, weights);
    };
}

template ExecutorFactory<float> modelExecutor<float>(ModelPlan);
template ExecutorFactory<double> modelExecutor<double>(ModelPlan);
template ExecutorFactory<reference::Counted> modelExecutor<reference::Counted>(ModelPlan);

} // namespace flopsmith
