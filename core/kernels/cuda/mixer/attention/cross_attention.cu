// SPDX-License-Identifier: MIT
#include "core/mixer/cross_attention.h"

#include "core/kernels/cuda/linear/linear.h"
#include "core/kernels/cuda/mixer/attention/score_core.h"
#include "core/kernels/cuda/mixing.h"
#include "core/kernels/mixer_operands.h"

#include <cmath>

namespace flopsmith::cuda {
namespace {

// Sizes and layouts: queries [T, H·h]; in prefill keys and values side by side as k | v
// [B·S_src, 2G·h], from the cache [B·S_src, G·h] each.
struct CrossSizes
{
    std::int64_t tokens;
    std::int64_t sourceRows;
    int d;
    int headDim;
    int queryWidth;
    int keyWidth;
    bool decodes;
    CoreSize core;

    CrossSizes(const CrossAttention& a, const Shape& shape)
        : tokens(static_cast<std::int64_t>(shape.tokens()))
        , sourceRows(static_cast<std::int64_t>(shape.sourceTokens()))
        , d(shape.dModel)
        , headDim(a.headDimFor(shape.dModel))
        , queryWidth(a.heads * headDim)
        , keyWidth(a.kvHeads * headDim)
        , decodes(shape.context > shape.sequence)
    {
        const int source = shape.source > 0 ? shape.source : shape.context;
        core = {.batch = shape.batch,
                .queries = shape.sequence,
                .cached = decodes ? source : 0,
                .fresh = decodes ? 0 : source,
                .heads = a.heads,
                .groupSize = a.heads / a.kvHeads,
                .keyDim = headDim,
                .valueDim = headDim};
    }

    std::size_t queries() const { return static_cast<std::size_t>(tokens * queryWidth); }
    std::size_t sources() const
    {
        return decodes ? 0 : static_cast<std::size_t>(sourceRows * 2 * keyWidth);
    }
};

ScoreSteps stepsOf(const CrossAttention& attention, const CrossSizes& n)
{
    ScoreSteps steps;
    if (attention.scaleScores) {
        steps.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(n.headDim)));
    }
    return steps;
}

struct Matrices
{
    Linear q;
    Linear kv;
    Linear out;

    Matrices(const CrossAttention& attention,
             const CrossSizes& n,
             DeviceWeights w,
             const Device& device)
        : Matrices(CrossTensors(attention), n, w, device)
    {}

private:
    Matrices(const CrossTensors& at, const CrossSizes& n, DeviceWeights w, const Device& device)
        : q(device, n.d, n.queryWidth, w[at.q], biasAt(w, at.qBias))
        , kv(device, n.d, 2 * n.keyWidth, w[at.kv], biasAt(w, at.kvBias))
        , out(device, n.queryWidth, n.d, w[at.out], biasAt(w, at.outBias))
    {}

    static DeviceSpan<const float> biasAt(DeviceWeights w, std::size_t place)
    {
        return place == 0 ? DeviceSpan<const float>() : w[place];
    }
};

/// Everything up to the output projection.
class CrossCore
{
public:
    CrossCore(const CrossAttention& attention,
              const Shape& shape,
              DeviceWeights weights,
              const Device& device,
              Keeping keeping)
        : n(attention, shape)
        , matrices(attention, n, weights, device)
        , steps(stepsOf(attention, n))
        , m_x(device, operandsOf(attention, shape).x)
        , m_q(device, n.queries())
        , m_kv(device, n.sources())
        , m_mixed(device, n.queries())
        , core(device, attention.algorithm, n.core, steps, {n.keyWidth, n.keyWidth}, keeping)
    {}

    void run(const MixerOnDevice& input)
    {
        const std::int64_t sources = n.decodes ? 0 : n.sourceRows;
        x = m_x.of(input.x, n.tokens + sources, n.d);
        matrices.q.run(x, n.tokens, m_q.rows(n.queryWidth));
        read.queries = m_q.rows(n.queryWidth);
        read.keys = ownRows({}, n.headDim);
        read.values = ownRows({}, n.headDim);
        if (n.decodes) {
            read.keys.cached = input.cachedKeys;
            read.values.cached = input.cachedValues;
            read.keys.cachedStride = n.keyWidth;
            read.values.cachedStride = n.keyWidth;
        } else {
            const Destination kv = m_kv.rows(2 * n.keyWidth);
            matrices.kv.run(source(), n.sourceRows, kv);
            read.keys.fresh = kv;
            read.values.fresh = shifted(kv, n.keyWidth);
        }
        core.run(read, steps, mixed());
    }

    Destination mixed() const { return m_mixed.rows(n.queryWidth); }

    /// The source's rows, which follow the tokens in x.
    Operand source() const { return shifted(x, n.tokens * n.d); }

    CrossSizes n;
    Matrices matrices;
    ScoreSteps steps;
    Operand x; ///< of the last run()
    CoreInput read;

private:
    RoundedRows m_x;
    OperandBuffer m_q;
    OperandBuffer m_kv;
    OperandBuffer m_mixed;

public:
    ScoreCore core;
};

class CrossMixing : public Mixing
{
public:
    CrossMixing(const CrossAttention& attention,
                const Shape& shape,
                DeviceWeights weights,
                const Device& device)
        : m_core(attention, shape, weights, device, Keeping::nothing)
    {}

    void run(const MixerOnDevice& input, float* y) override
    {
        m_core.run(input);
        m_core.matrices.out.run(m_core.mixed(), m_core.n.tokens, destinationAt(y, m_core.n.d));
    }

private:
    CrossCore m_core;
};

class CrossBackward : public BackwardStage
{
public:
    CrossBackward(const CrossAttention& attention,
                  const Shape& shape,
                  DeviceWeights weights,
                  DeviceGradients gradients,
                  const Device& device)
        : m_places(attention)
        , m_gradients(gradients)
        , m_core(attention, shape, weights, device, Keeping::forBackward)
        , m_dy(device, shape.activations())
        , m_dMixed(device, n().queries())
        , m_dQ(device.memory(), n().queries())
        , m_dKv(device.memory(), n().sources())
        , m_dQRounded(device, n().queries())
        , m_dKvRounded(device, n().sources())
        , m_qSums(device, m_places.qBias == 0 ? 0 : n().tokens, n().queryWidth)
        , m_kvSums(device, m_places.kvBias == 0 ? 0 : n().sourceRows, 2 * n().keyWidth)
        , m_outSums(device, m_places.outBias == 0 ? 0 : n().tokens, n().d)
    {}

    void save(const float* x, float* y) override
    {
        m_core.run({.x = x});
        m_core.matrices.out.run(m_core.mixed(), n().tokens, destinationAt(y, n().d));
    }

    void run(const float* dy, float* dx) override
    {
        const std::int64_t tokens = n().tokens;
        const int d = n().d;
        const Destination dMixed = m_dMixed.rows(n().queryWidth);
        const Operand rounded = m_dy.of(dy, tokens, d);
        m_core.matrices.out.backward(
            m_core.mixed(), rounded, tokens, m_gradients[m_places.out], dMixed);
        addUp(m_outSums, dy, tokens, d, m_places.outBias);

        const int kv = 2 * n().keyWidth;
        m_core.core.runBackward(m_core.read,
                                m_core.steps,
                                dMixed,
                                {.queries = m_dQ.data(),
                                 .queryStride = n().queryWidth,
                                 .keys = m_dKv.data(),
                                 .keyStride = kv,
                                 .values = m_dKv.data() + n().keyWidth,
                                 .valueStride = kv});
        const Operand dQ = m_dQRounded.of(m_dQ.data(), tokens, n().queryWidth);
        m_core.matrices.q.backward(
            m_core.x, dQ, tokens, m_gradients[m_places.q], destinationAt(dx, d));
        addUp(m_qSums, m_dQ.data(), tokens, n().queryWidth, m_places.qBias);

        const std::int64_t sources = n().sourceRows;
        const Operand dKv = m_dKvRounded.of(m_dKv.data(), sources, kv);
        m_core.matrices.kv.backward(m_core.source(),
                                    dKv,
                                    sources,
                                    m_gradients[m_places.kv],
                                    destinationAt(dx + tokens * d, d));
        addUp(m_kvSums, m_dKv.data(), sources, kv, m_places.kvBias);
    }

private:
    const CrossSizes& n() const { return m_core.n; }

    void addUp(ColumnSums& sums, const float* dy, std::int64_t rows, int columns, std::size_t place)
    {
        if (place != 0) {
            sums.run(operandAt(dy, columns), rows, m_gradients[place].data());
        }
    }

    CrossTensors m_places;
    DeviceGradients m_gradients;
    CrossCore m_core;
    RoundedRows m_dy;
    OperandBuffer m_dMixed;
    DeviceBuffer<float> m_dQ;
    DeviceBuffer<float> m_dKv;
    RoundedRows m_dQRounded;
    RoundedRows m_dKvRounded;
    ColumnSums m_qSums;
    ColumnSums m_kvSums;
    ColumnSums m_outSums;
};

} // namespace

std::unique_ptr<Mixing> makeMixing(const CrossAttention& attention,
                                   const Shape& shape,
                                   DeviceWeights weights,
                                   const Device& device)
{
    return std::make_unique<CrossMixing>(attention, shape, weights, device);
}

std::unique_ptr<BackwardStage> makeMixingBackward(const CrossAttention& attention,
                                                  const Shape& shape,
                                                  DeviceWeights weights,
                                                  DeviceGradients gradients,
                                                  const Device& device)
{
    return std::make_unique<CrossBackward>(attention, shape, weights, gradients, device);
}

} // namespace flopsmith::cuda
