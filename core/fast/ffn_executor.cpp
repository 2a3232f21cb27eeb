// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fast/ffn_executor.h"

#include "core/ffn/composed.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/train/ffn_executor.h"

#include <algorithm>
#include <string>
#include <utility>

namespace flopsmith {
namespace {

class FastFfnExecutor final : public Executor<float>
{
public:
    FastFfnExecutor(FfnSpec ffn,
                    Shape shape,
                    const std::vector<float>& classes,
                    const Weights<float>& weights,
                    cpu::Threads threads)
        : m_ffn(std::move(ffn))
        , m_shape(shape)
        , m_weights(weights)
        , m_threads(threads)
        , m_classCount(static_cast<std::int64_t>(classes.size()) / shape.dModel)
        , m_classes(classes)
        , m_x(shape.activations())
        , m_y(m_x.size())
        , m_dy(m_x.size())
    {}

    Result<std::vector<float>> forward(const TrainingInputs<float>& inputs, Keep keep) override
    {
        if (inputs.features.size() != m_x.size()) {
            return Error{"The FFN needs " + std::to_string(m_x.size()) + " features, not "
                         + std::to_string(inputs.features.size())};
        }
        std::ranges::copy(inputs.features, m_x.begin()); // where the kernel reads them
        FLOPSMITH_RETURN_IF_ERROR(prepareOnce());
        m_kernel->forward(m_y);
        m_keeps = keep == Keep::forBackward;
        return classifies() ? logits() : m_y;
    }

    Result<Weights<float>> backward(std::span<const float> dOutputs) override
    {
        const std::size_t outputs = classifies() ? logitCount() : m_y.size();
        if (!m_keeps || dOutputs.size() != outputs) {
            return Error{"The backward pass needs a forward pass that kept its inputs, and "
                         + std::to_string(outputs) + " gradients of its outputs"};
        }
        float dScale = 0.0F;
        if (classifies()) {
            dScale = throughClasses(dOutputs);
        } else {
            std::ranges::copy(dOutputs, m_dy.begin());
        }
        m_kernel->run();
        std::span<const float> output = m_kernel->output().subspan(m_x.size());
        Weights<float> gradients;
        for (const WeightShape& shape : weights(m_ffn, m_shape.dModel)) {
            const auto size = static_cast<std::size_t>(shape.size());
            gradients.emplace_back(output.begin(), output.begin() + std::ptrdiff_t(size));
            output = output.subspan(size);
        }
        if (classifies()) {
            gradients.push_back({dScale});
        }
        return gradients;
    }

    void weightsChanged() override {} // forward() reads them again

private:
    bool classifies() const { return !m_classes.empty(); }
    std::int64_t tokens() const { return static_cast<std::int64_t>(m_shape.tokens()); }

    std::size_t logitCount() const
    {
        return m_shape.tokens() * static_cast<std::size_t>(m_classCount);
    }

    Status prepareOnce()
    {
        if (m_kernel != nullptr) {
            return Done{};
        }
        const WeightView<float> all = m_weights;
        FLOPSMITH_TRY(std::unique_ptr<TrainingKernel> kernel,
                      cpu::prepareBackward(m_ffn,
                                           m_shape,
                                           all.first(all.size() - (classifies() ? 1 : 0)),
                                           m_x,
                                           m_dy,
                                           m_threads));
        m_kernel = std::move(kernel);
        return Done{};
    }

    std::vector<float> logits()
    {
        const float scale = m_weights.back().front();
        m_sum.resize(m_x.size());
        std::vector<float> scaled(m_x.size());
        for (std::size_t i = 0; i < m_x.size(); ++i) {
            m_sum[i] = m_x[i] + m_y[i];
            scaled[i] = scale * m_sum[i];
        }
        std::vector<float> outputs(logitCount());
        const cpu::Linear layer(m_shape.dModel, m_classCount, m_classes.data(), nullptr);
        layer.run(scaled.data(), outputs.data(), tokens(), m_threads);
        return outputs;
    }

    // Stores the gradient of the FFN's output in m_dy; returns that of the scale.
    float throughClasses(std::span<const float> dOutputs)
    {
        cpu::Linear back(m_classCount, m_shape.dModel, m_classes.data(), nullptr);
        back.transposed().run(dOutputs.data(), m_dy.data(), tokens(), m_threads);
        const float scale = m_weights.back().front();
        double dScale = 0.0;
        for (std::size_t i = 0; i < m_dy.size(); ++i) {
            dScale += static_cast<double>(m_dy[i]) * static_cast<double>(m_sum[i]);
            m_dy[i] *= scale;
        }
        return static_cast<float>(dScale);
    }

    FfnSpec m_ffn;
    Shape m_shape;
    const Weights<float>& m_weights;
    cpu::Threads m_threads;
    std::int64_t m_classCount;
    std::vector<float> m_classes; ///< U [d, C], or empty
    std::vector<float> m_x;
    std::vector<float> m_y;
    std::vector<float> m_dy;
    std::vector<float> m_sum; ///< x + FFN(x) of the last forward pass
    std::unique_ptr<TrainingKernel> m_kernel;
    bool m_keeps = false;
};

} // namespace

ExecutorFactory<float> fastFfnExecutor(FfnSpec ffn,
                                       Shape shape,
                                       std::vector<float> classes,
                                       cpu::Threads threads)
{
    return [ffn = withoutDropout(std::move(ffn)), shape, classes = std::move(classes), threads](
               const Weights<float>& weights) -> std::unique_ptr<Executor<float>> {
        return std::make_unique<FastFfnExecutor>(ffn, shape, classes, weights, threads);
    };
}

} // namespace flopsmith
