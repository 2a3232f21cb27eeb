// SPDX-License-Identifier: MIT
#include "core/mixer/attention.h"

#include "core/kernels/cuda/mixer/attention/attention_heads.h"
#include "core/kernels/cuda/mixer/attention/attention_steps.h"
#include "core/kernels/cuda/mixer/attention/score_core.h"
#include "core/kernels/cuda/mixing.h"

namespace flopsmith::cuda {
namespace {

Linear projectionOf(const Attention& attention,
                    const QkvLayout& n,
                    int dModel,
                    DeviceWeights w,
                    const Device& device)
{
    const AttentionTensors places(attention);
    return {device, dModel, n.rowWidth(), w[places.qkv]}; // AttentionHeads adds the bias
}

Linear outputOf(const Attention& attention,
                const QkvLayout& n,
                int dModel,
                DeviceWeights w,
                const Device& device)
{
    const AttentionTensors places(attention);
    return {device, n.queryWidth, dModel, w[places.out], tensorAt(w, places.outBias)};
}

std::size_t mixedElements(const QkvLayout& n)
{
    return static_cast<std::size_t>(n.tokens) * static_cast<std::size_t>(n.queryWidth);
}

class AttentionMixing : public Mixing
{
public:
    AttentionMixing(const Attention& attention,
                    const Shape& shape,
                    DeviceWeights weights,
                    const Device& device)
        : m_device(device)
        , m_layout(attention, shape)
        , m_d(shape.dModel)
        , m_project(projectionOf(attention, m_layout, m_d, weights, device))
        , m_out(outputOf(attention, m_layout, m_d, weights, device))
        , m_x(device, shape.activations())
        , m_projected(device.memory(), m_layout.elements())
        , m_heads(device, attention, shape, weights)
        , m_steps(device, attention, m_layout.headDim, weights)
        , m_mixed(device, mixedElements(m_layout))
        , m_core(device,
                 attention.algorithm,
                 coreSizeOf(attention, shape),
                 m_steps.steps(),
                 {m_layout.keyWidth, m_layout.keyWidth},
                 Keeping::nothing)
    {}

    void run(const MixerOnDevice& input, float* y) override
    {
        const std::int64_t tokens = m_layout.tokens;
        m_project.product(m_x.of(input.x, tokens, m_d),
                          tokens,
                          destinationAt(m_projected.data(), m_layout.rowWidth()));
        const CoreInput read = coreInputOf(
            m_layout, m_heads.run(m_projected.data()), input.cachedKeys, input.cachedValues);
        const Destination mixed = m_mixed.rows(m_layout.queryWidth);
        m_core.run(read, m_steps.run(), mixed);
        m_out.run(mixed, tokens, destinationAt(y, m_d));
    }

private:
    const Device& m_device;
    QkvLayout m_layout;
    int m_d;
    Linear m_project;
    Linear m_out;
    RoundedRows m_x;
    DeviceBuffer<float> m_projected;
    AttentionHeads m_heads;
    AttentionSteps m_steps;
    OperandBuffer m_mixed;
    ScoreCore m_core;
};

class AttentionBackward : public BackwardStage
{
public:
    AttentionBackward(const Attention& attention,
                      const Shape& shape,
                      DeviceWeights weights,
                      DeviceGradients gradients,
                      const Device& device)
        : m_device(device)
        , m_places(attention)
        , m_layout(attention, shape)
        , m_d(shape.dModel)
        , m_gradients(gradients)
        , m_project(projectionOf(attention, m_layout, m_d, weights, device))
        , m_out(outputOf(attention, m_layout, m_d, weights, device))
        , m_x(device, shape.activations())
        , m_dy(device, shape.activations())
        , m_projected(device.memory(), m_layout.elements())
        , m_heads(device, attention, shape, weights)
        , m_headsBackward(m_heads, gradients)
        , m_steps(device, attention, m_layout.headDim, weights)
        , m_mixed(device, mixedElements(m_layout))
        , m_dMixed(device, mixedElements(m_layout))
        , m_dProjected(device.memory(), m_layout.elements())
        , m_dRounded(device, m_layout.elements())
        , m_outSums(device, m_places.outBias == 0 ? 0 : m_layout.tokens, m_d)
        , m_core(device,
                 attention.algorithm,
                 coreSizeOf(attention, shape),
                 m_steps.steps(),
                 {},
                 Keeping::forBackward)
    {}

    void remember(const float* x, float* y) override
    {
        const std::int64_t tokens = m_layout.tokens;
        m_xRounded = m_x.of(x, tokens, m_d);
        m_project.product(
            m_xRounded, tokens, destinationAt(m_projected.data(), m_layout.rowWidth()));
        m_read = coreInputOf(m_layout, m_heads.run(m_projected.data()), nullptr, nullptr);
        m_stepsRead = m_steps.run();
        const Destination mixed = m_mixed.rows(m_layout.queryWidth);
        m_core.run(m_read, m_stepsRead, mixed);
        m_out.run(mixed, tokens, destinationAt(y, m_d));
    }

    void run(const float* dy, float* dx) override
    {
        const std::int64_t tokens = m_layout.tokens;
        const Operand rounded = m_dy.of(dy, tokens, m_d);
        const Destination mixed = m_mixed.rows(m_layout.queryWidth);
        const Destination dMixed = m_dMixed.rows(m_layout.queryWidth);
        m_out.backward(mixed, rounded, tokens, m_gradients[m_places.out], dMixed);
        if (m_places.outBias != 0) {
            m_outSums.run(operandAt(dy, m_d), tokens, m_gradients[m_places.outBias].data());
        }
        throughCore(dMixed);
        m_headsBackward.run(m_projected.data(), m_dProjected.data());
        const Operand dProjected = m_dRounded.of(m_dProjected.data(), tokens, m_layout.rowWidth());
        m_project.backward(
            m_xRounded, dProjected, tokens, m_gradients[m_places.qkv], destinationAt(dx, m_d));
    }

private:
    void throughCore(const Operand& dMixed)
    {
        const std::int64_t stride = m_layout.rowWidth();
        float* const first = m_dProjected.data();
        const CoreGradients to{.queries = first,
                               .queryStride = stride,
                               .keys = first + m_layout.queryWidth,
                               .keyStride = stride,
                               .values = first + m_layout.queryWidth + m_layout.keyWidth,
                               .valueStride = stride,
                               .sinks = m_places.sinks == 0 ? nullptr
                                                            : m_gradients[m_places.sinks].data(),
                               .biases = m_steps.offsetGradients()};
        m_core.runBackward(m_read, m_stepsRead, dMixed, to);
        if (m_places.relativeBias != 0) {
            m_steps.addToTable(m_gradients[m_places.relativeBias].data());
        }
    }

    const Device& m_device;
    AttentionTensors m_places;
    QkvLayout m_layout;
    int m_d;
    DeviceGradients m_gradients;
    Linear m_project;
    Linear m_out;
    RoundedRows m_x;
    Operand m_xRounded; ///< of the last remember(), as all that follows it
    RoundedRows m_dy;
    DeviceBuffer<float> m_projected;
    AttentionHeads m_heads;
    AttentionHeadsBackward m_headsBackward;
    AttentionSteps m_steps;
    CoreInput m_read;
    ScoreSteps m_stepsRead;
    OperandBuffer m_mixed;
    OperandBuffer m_dMixed;
    DeviceBuffer<float> m_dProjected;
    RoundedRows m_dRounded;
    ColumnSums m_outSums;
    ScoreCore m_core;
};

} // namespace

std::unique_ptr<Mixing> makeMixing(const Attention& attention,
                                   const Shape& shape,
                                   DeviceWeights weights,
                                   const Device& device)
{
    return std::make_unique<AttentionMixing>(attention, shape, weights, device);
}

std::unique_ptr<BackwardStage> makeMixingBackward(const Attention& attention,
                                                  const Shape& shape,
                                                  DeviceWeights weights,
                                                  DeviceGradients gradients,
                                                  const Device& device)
{
    return std::make_unique<AttentionBackward>(attention, shape, weights, gradients, device);
}

} // namespace flopsmith::cuda
