// SPDX-License-Identifier: MIT
#include "core/train/ffn_executor.h"

#include "core/ffn/composed.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/linear.h"

#include <string>
#include <utility>

namespace flopsmith {
namespace {

// The FFN, and the classes after it if there are some.
template <class S>
class FfnExecutor final : public Executor<S>
{
public:
    FfnExecutor(FfnSpec ffn, Shape shape, std::vector<S> classes, const Weights<S>& weights)
        : m_ffn(std::move(ffn))
        , m_shape(shape)
        , m_classes(std::move(classes))
        , m_weights(weights)
    {}

    Result<std::vector<S>> forward(const TrainingInputs<S>& inputs, Keep keep) override
    {
        if (inputs.features.size() != m_shape.activations()) {
            return Error{"The FFN needs " + std::to_string(m_shape.activations())
                         + " features, not " + std::to_string(inputs.features.size())};
        }
        std::vector<S> y(inputs.features.size());
        reference::forward<S>(m_ffn, m_shape, ffnWeights(), inputs.features, y);
        std::vector<S> sum;
        std::vector<S> outputs;
        if (classifies()) {
            sum = withInputs(inputs.features, y);
            outputs = logits(sum);
        } else {
            outputs = std::move(y);
        }
        if (keep == Keep::forBackward) {
            m_x = inputs.features;
            m_sum = std::move(sum);
        }
        return outputs;
    }

    Result<Weights<S>> backward(std::span<const S> dOutputs) override
    {
        if (m_x.empty() || dOutputs.size() != outputCount()) {
            return Error{"The backward pass needs a forward pass that kept its inputs, and "
                         + std::to_string(outputCount()) + " gradients of its outputs"};
        }
        Weights<S> gradients = zeros<S>(weights(m_ffn, m_shape.dModel));
        std::vector<S> dy(dOutputs.begin(), dOutputs.end());
        std::vector<S> dScale;
        if (classifies()) {
            dScale = {S(0)};
            dy = throughClasses(dOutputs, dScale[0]);
        }
        std::vector<S> dx(m_x.size());
        reference::backward<S>(m_ffn, m_shape, ffnWeights(), m_x, dy, dx, gradients);
        if (classifies()) {
            gradients.push_back(std::move(dScale));
        }
        return gradients;
    }

    void weightsChanged() override {} // the kernels read the weights themselves

private:
    bool classifies() const { return !m_classes.empty(); }

    std::size_t outputCount() const
    {
        return classifies() ? m_shape.tokens() * classCount() : m_shape.activations();
    }

    std::size_t classCount() const
    {
        return m_classes.size() / static_cast<std::size_t>(m_shape.dModel);
    }

    WeightView<S> ffnWeights() const
    {
        return WeightView<S>(m_weights).first(m_weights.size() - (classifies() ? 1 : 0));
    }

    std::vector<S> withInputs(const std::vector<S>& x, const std::vector<S>& y) const
    {
        std::vector<S> sum(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            sum[i] = x[i] + y[i];
        }
        return sum;
    }

    std::vector<S> logits(const std::vector<S>& sum) const
    {
        const S scale = m_weights.back().front();
        std::vector<S> scaled(sum.size());
        for (std::size_t i = 0; i < sum.size(); ++i) {
            scaled[i] = scale * sum[i];
        }
        std::vector<S> outputs(m_shape.tokens() * classCount());
        reference::linear<S>(m_shape.tokens(), scaled, m_classes, nullptr, outputs);
        return outputs;
    }

    // Returns the gradient of the FFN's output, and sets that of the scale in `dScale`.
    std::vector<S> throughClasses(std::span<const S> dOutputs, S& dScale) const
    {
        const S scale = m_weights.back().front();
        const auto d = static_cast<std::size_t>(m_shape.dModel);
        const std::size_t classes = classCount();
        std::vector<S> dSum(m_sum.size());
        for (std::size_t i = 0; i < dSum.size(); ++i) {
            const auto gradient = dOutputs.subspan((i / d) * classes, classes);
            const std::span<const S> row =
                std::span<const S>(m_classes).subspan((i % d) * classes, classes);
            dSum[i] = reference::dot<S>(gradient, row);
            reference::accumulate(dScale, dSum[i] * m_sum[i], i == 0);
            dSum[i] = dSum[i] * scale;
        }
        return dSum;
    }

    FfnSpec m_ffn;
    Shape m_shape;
    std::vector<S> m_classes; ///< U [d, C], or empty
    const Weights<S>& m_weights;
    std::vector<S> m_x; ///< of the last forward pass that kept something
    std::vector<S> m_sum; ///< x + FFN(x) of it
};

} // namespace

template <class S>
ExecutorFactory<S> ffnExecutor(FfnSpec ffn, Shape shape)
{
    return classifyingFfnExecutor<S>(std::move(ffn), shape, {});
}

template <class S>
ExecutorFactory<S> classifyingFfnExecutor(FfnSpec ffn, Shape shape, std::vector<S> classes)
{
    return [ffn = withoutDropout(std::move(ffn)), shape, classes = std::move(classes)](
               const Weights<S>& weights) -> std::unique_ptr<Executor<S>> {
        return std::make_unique<FfnExecutor<S>>(ffn, shape, classes, weights);
    };
}

OpCount<Count> classifyingCount(const Count& tokens, const Count& dModel, const Count& classes)
{
    const Count features = tokens * dModel;
    return {.mac = 2 * features * classes + features,
            .dot = tokens * classes + features + 1,
            .mul = 2 * features,
            .add = features};
}

#define FLOPSMITH_FFN_EXECUTOR_INSTANCE(S)                                                         \
    template ExecutorFactory<S> ffnExecutor<S>(FfnSpec, Shape);                                    \
    template ExecutorFactory<S> classifyingFfnExecutor<S>(FfnSpec, Shape, std::vector<S>);
FLOPSMITH_FFN_EXECUTOR_INSTANCE(float)
FLOPSMITH_FFN_EXECUTOR_INSTANCE(double)
FLOPSMITH_FFN_EXECUTOR_INSTANCE(reference::Counted)
#undef FLOPSMITH_FFN_EXECUTOR_INSTANCE

} // namespace flopsmith
