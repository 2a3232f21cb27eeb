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

// Everything up to the output projection; keeps the activations that the backward pass reads.
class AttentionState
{
public:
    AttentionState(const Attention& attention,
                   const Shape& shape,
                   DeviceWeights weights,
                   const Device& device,
                   Keeping keeping)
        : n(attention, shape)
        , d(shape.dModel)
        , project(projectionOf(attention, n, d, weights, device))
        , out(outputOf(attention, n, d, weights, device))
        , heads(device, attention, shape, weights)
        , steps(device, attention, n.headDim, weights)
        , m_x(device, shape.activations())
        , m_projected(device.memory(), n.elements())
        , m_mixed(device, mixedElements(n))
        , core(device,
               attention.algorithm,
               coreSizeOf(attention, shape),
               steps.steps(),
               {n.keyWidth, n.keyWidth},
               keeping)
    {}

    void run(const MixerOnDevice& input)
    {
        x = m_x.of(input.x, n.tokens, d);
        project.product(x, n.tokens, destinationAt(m_projected.data(), n.rowWidth()));
        read = coreInputOf(n, heads.run(m_projected.data()), input.cachedKeys, input.cachedValues);
        stepsRead = steps.run();
        core.run(read, stepsRead, mixed());
    }

    Destination mixed() const { return m_mixed.rows(n.queryWidth); }
    const float* projected() const { return m_projected.data(); }

    QkvLayout n;
    int d;
    Linear project;
    Linear out;
    AttentionHeads heads;
    AttentionSteps steps;
    Operand x; ///< of the last run(), as all that follows
    CoreInput read;
    ScoreSteps stepsRead;

private:
    RoundedRows m_x;
    DeviceBuffer<float> m_projected;
    OperandBuffer m_mixed;

public:
    ScoreCore core;
};

class AttentionMixing : public Mixing
{
public:
    AttentionMixing(const Attention& attention,
                    const Shape& shape,
                    DeviceWeights weights,
                    const Device& device)
        : m_state(attention, shape, weights, device, Keeping::nothing)
    {}

    void run(const MixerOnDevice& input, float* y) override
    {
        m_state.run(input);
        m_state.out.run(m_state.mixed(), m_state.n.tokens, destinationAt(y, m_state.d));
    }

private:
    AttentionState m_state;
};

class AttentionBackward : public BackwardStage
{
public:
    AttentionBackward(const Attention& attention,
                      const Shape& shape,
                      DeviceWeights weights,
                      DeviceGradients gradients,
                      const Device& device)
        : m_places(attention)
        , m_gradients(gradients)
        , m_state(attention, shape, weights, device, Keeping::forBackward)
        , m_headsBackward(m_state.heads, gradients)
        , m_dy(device, shape.activations())
        , m_dMixed(device, mixedElements(n()))
        , m_dProjected(device.memory(), n().elements())
        , m_dRounded(device, n().elements())
        , m_outSums(device, m_places.outBias == 0 ? 0 : n().tokens, m_state.d)
    {}

    void save(const float* x, float* y) override
    {
        m_state.run({.x = x});
        m_state.out.run(m_state.mixed(), n().tokens, destinationAt(y, m_state.d));
    }

    void run(const float* dy, float* dx) override
    {
        const std::int64_t tokens = n().tokens;
        const int d = m_state.d;
        const Operand rounded = m_dy.of(dy, tokens, d);
        const Destination dMixed = m_dMixed.rows(n().queryWidth);
        m_state.out.backward(m_state.mixed(), rounded, tokens, m_gradients[m_places.out], dMixed);
        if (m_places.outBias != 0) {
            m_outSums.run(operandAt(dy, d), tokens, m_gradients[m_places.outBias].data());
        }
        throughCore(dMixed);
        m_headsBackward.run(m_state.projected(), m_dProjected.data());
        const Operand dProjected = m_dRounded.of(m_dProjected.data(), tokens, n().rowWidth());
        m_state.project.backward(
            m_state.x, dProjected, tokens, m_gradients[m_places.qkv], destinationAt(dx, d));
    }

private:
    const QkvLayout& n() const { return m_state.n; }

    void throughCore(const Operand& dMixed)
    {
        const std::int64_t stride = n().rowWidth();
        float* const first = m_dProjected.data();
        const CoreGradients to{.queries = first,
                               .queryStride = stride,
                               .keys = first + n().queryWidth,
                               .keyStride = stride,
                               .values = first + n().queryWidth + n().keyWidth,
                               .valueStride = stride,
                               .sinks = m_places.sinks == 0 ? nullptr
                                                            : m_gradients[m_places.sinks].data(),
                               .biases = m_state.steps.offsetGradients()};
        m_state.core.runBackward(m_state.read, m_state.stepsRead, dMixed, to);
        if (m_places.relativeBias != 0) {
            m_state.steps.addToTable(m_gradients[m_places.relativeBias].data());
        }
    }

    AttentionTensors m_places;
    DeviceGradients m_gradients;
    AttentionState m_state;
    AttentionHeadsBackward m_headsBackward;
    RoundedRows m_dy;
    OperandBuffer m_dMixed;
    DeviceBuffer<float> m_dProjected;
    RoundedRows m_dRounded;
    ColumnSums m_outSums;
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
