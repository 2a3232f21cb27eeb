// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/mixer/latent/latent_state.h"
#include "core/mixer/latent_attention.h"

#include <algorithm>

namespace flopsmith::cuda {
namespace {

// All heads share k_rope, so its gradient is the sum over heads, in order.
struct SumTails
{
    int heads;
    int step; ///< from head to head
    const float* from;
    std::int64_t fromStride;
    float* to;
    std::int64_t toStride;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            float sum = 0.0F;
            for (int head = 0; head < heads; ++head) {
                sum += from[row * fromStride + std::int64_t{head} * step + column + i];
            }
            to[row * toStride + column + i] = sum;
        }
    }
};

// to = dKeys + dValues: the values of the absorbed form are the first columns of its keys.
struct AddValues
{
    const float* keys;
    std::int64_t keyStride;
    const float* values;
    int valueColumns;
    float* to;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            const std::int64_t c = column + i;
            const float key = keys[row * keyStride + c];
            to[row * keyStride + c] = c < valueColumns ? key + values[row * valueColumns + c] : key;
        }
    }
};

std::size_t elements(std::int64_t rows, std::int64_t columns)
{
    return static_cast<std::size_t>(rows * columns);
}

class LatentBackward : public BackwardStage
{
public:
    LatentBackward(const LatentAttention& attention,
                   const Shape& shape,
                   DeviceWeights weights,
                   DeviceGradients gradients,
                   const Device& device)
        : m_device(device)
        , m_at(attention)
        , m_gradients(gradients)
        , m_state(attention, shape, weights, device, Keeping::forBackward)
        , m_dy(device, shape.activations())
        , m_dMixed(device, elements(n().tokens, n().heads * n().value))
        , m_dSums(device, n().absorbed ? elements(n().tokens, n().heads * n().rank) : 0)
        , m_dQueries(device.memory(),
                     n().absorbed ? elements(n().tokens, n().heads * n().keyDim()) : 0)
        , m_dKeys(device.memory(), elements(n().tokens, keyColumns()))
        , m_dValues(device.memory(), elements(n().tokens, valueColumns()))
        , m_roundedQueries(device, n().absorbed ? m_dQueries.size() : 0)
        , m_dNopes(device, n().absorbed ? 0 : elements(n().tokens, n().heads * n().nope))
        , m_roundedValues(device, n().absorbed ? 0 : m_dValues.size())
        , m_dQ(device.memory(), elements(n().tokens, n().heads * n().qkDim()))
        , m_dQRounded(device, m_dQ.size())
        , m_dDown(device.memory(), elements(n().tokens, n().latentWidth()))
        , m_dDownRounded(device, m_dDown.size())
        , m_dQueryLatents(device.memory(), elements(n().tokens, n().queryRank))
        , m_dQueryLatentsRounded(device, m_dQueryLatents.size())
        , m_products(device.memory(), elements(n().tokens, std::max(n().rank, n().queryRank)))
        , m_latentSums(device, n().tokens, n().rank)
        , m_queryLatentSums(device, n().tokens, n().queryRank)
        , m_downSums(device, attention.bias ? n().tokens : 0, n().latentWidth())
        , m_outSums(device, attention.bias ? n().tokens : 0, n().d)
    {}

    void save(const float* x, float* y) override
    {
        m_state.run({.x = x});
        m_state.out.run(m_state.mixed(), n().tokens, destinationAt(y, n().d));
    }

    void run(const float* dy, float* dx) override
    {
        throughOutput(dy);
        throughCore();
        if (n().absorbed) {
            throughAbsorption();
        } else {
            throughExpansion();
        }
        throughQueries(dx);
        throughLatents(dx);
    }

private:
    const LatentSizes& n() const { return m_state.n; }
    int keyColumns() const { return (n().absorbed ? 1 : n().heads) * n().keyDim(); }
    int valueColumns() const { return (n().absorbed ? 1 : n().heads) * n().valueDim(); }
    Destination dMixed() const { return m_dMixed.rows(n().heads * n().value); }

    void throughOutput(const float* dy)
    {
        const std::int64_t tokens = n().tokens;
        const Operand rounded = m_dy.of(dy, tokens, n().d);
        learn(m_state.mixed(), rounded, n().heads * n().value, n().d, m_at.out);
        addUp(m_outSums, operandAt(dy, n().d), m_at.outBias);
        m_state.out.productBackward(rounded, tokens, dMixed());
    }

    void throughCore()
    {
        Operand dSums = dMixed();
        if (n().absorbed) {
            const Destination to = m_dSums.rows(n().heads * n().rank);
            perHead({n().tokens, n().value, n().rank},
                    dMixed(),
                    Stored::straight,
                    n().value,
                    m_state.valueWeight.operand(),
                    Stored::transposed,
                    n().value,
                    to,
                    n().rank);
            perHead({n().rank, n().tokens, n().value},
                    m_state.sums(),
                    Stored::transposed,
                    n().rank,
                    dMixed(),
                    Stored::straight,
                    n().value,
                    gradientAt(m_at.values, n().heads * n().value),
                    n().value);
            dSums = to;
        }
        m_state.core.runBackward(m_state.read,
                                 m_state.steps,
                                 dSums,
                                 {.queries = n().absorbed ? m_dQueries.data() : m_dQ.data(),
                                  .queryStride = std::int64_t{n().heads} * n().keyDim(),
                                  .keys = m_dKeys.data(),
                                  .keyStride = keyColumns(),
                                  .values = m_dValues.data(),
                                  .valueStride = valueColumns()});
    }

    // Backward pass of the expansion: from dK and dV of all heads to the gradient of c | k_rope.
    void throughExpansion()
    {
        const std::int64_t tokens = n().tokens;
        const int nopes = n().heads * n().nope;
        const Destination dNopes = m_dNopes.rows(nopes);
        const Operand dKeys = operandAt(m_dKeys.data(), keyColumns());
        const Operand dValues = m_roundedValues.of(m_dValues.data(), tokens, valueColumns());
        copyColumns(m_device, tokens, n().heads, n().nope, dKeys, n().keyDim(), dNopes, n().nope);
        forEachElement(m_device,
                       tokens,
                       n().rope,
                       SumTails{n().heads,
                                n().keyDim(),
                                m_dKeys.data() + n().nope,
                                keyColumns(),
                                m_dDown.data() + n().rank,
                                n().latentWidth()});
        learn(m_state.latents(), dNopes, n().rank, nopes, m_at.keys);
        learn(m_state.latents(), dValues, n().rank, valueColumns(), m_at.values);
        const Destination dLatents = destinationAt(m_dDown.data(), n().latentWidth());
        backThrough(dNopes, nopes, m_state.keyWeight, dLatents, Into::overwrite);
        backThrough(dValues, valueColumns(), m_state.valueWeight, dLatents, Into::accumulate);
    }

    void throughAbsorption()
    {
        const int width = n().heads * n().keyDim();
        forEachElement(
            m_device,
            n().tokens,
            n().latentWidth(),
            AddValues{
                m_dKeys.data(), keyColumns(), m_dValues.data(), valueColumns(), m_dDown.data()});
        const Operand dQueries = m_roundedQueries.of(m_dQueries.data(), n().tokens, width);
        const Destination dQ = destinationAt(m_dQ.data(), n().heads * n().qkDim());
        perHead({n().tokens, n().rank, n().nope},
                dQueries,
                Stored::straight,
                n().keyDim(),
                m_state.keyWeight.operand(),
                Stored::straight,
                n().nope,
                dQ,
                n().qkDim());
        perHead({n().rank, n().tokens, n().nope},
                dQueries,
                Stored::transposed,
                n().keyDim(),
                m_state.q,
                Stored::straight,
                n().qkDim(),
                gradientAt(m_at.keys, n().heads * n().nope),
                n().nope);
        copyColumns(m_device,
                    n().tokens,
                    n().heads,
                    n().rope,
                    shifted(operandAt(m_dQueries.data(), width), n().rank),
                    n().keyDim(),
                    shifted(dQ, n().nope),
                    n().qkDim());
    }

    void throughQueries(float* dx)
    {
        const std::int64_t tokens = n().tokens;
        const int width = n().heads * n().qkDim();
        rotateTails(m_device, m_state.queryTails(), m_state.rotations.data(), true, m_dQ.data());
        const Operand dQ = m_dQRounded.of(m_dQ.data(), tokens, width);
        if (!m_state.queryUp) {
            learn(m_state.x, dQ, n().d, width, m_at.q);
            m_state.query.productBackward(dQ, tokens, destinationAt(dx, n().d));
            return;
        }
        float* const latents = m_dQueryLatents.data();
        learn(m_state.queryNormed, dQ, n().queryRank, width, m_at.qUp);
        m_state.queryUp->productBackward(dQ, tokens, destinationAt(latents, n().queryRank));
        throughNorm(m_state.queryRows(),
                    m_state.queryMeasures(),
                    m_state.queryGamma,
                    latents,
                    m_queryLatentSums,
                    m_at.qNorm);
        addUp(m_queryLatentSums, operandAt(latents, n().queryRank), m_at.qBias);
        const Operand dLatents = m_dQueryLatentsRounded.of(latents, tokens, n().queryRank);
        learn(m_state.x, dLatents, n().d, n().queryRank, m_at.q);
        m_state.query.productBackward(dLatents, tokens, destinationAt(dx, n().d));
    }

    void throughLatents(float* dx)
    {
        const std::int64_t tokens = n().tokens;
        const int width = n().latentWidth();
        rotateTails(
            m_device, m_state.latentTails(), m_state.rotations.data(), true, m_dDown.data());
        throughNorm(m_state.latentPieces(),
                    m_state.latentMeasures(),
                    m_state.latentGamma,
                    m_dDown.data(),
                    m_latentSums,
                    m_at.norm);
        addUp(m_downSums, operandAt(m_dDown.data(), width), m_at.downBias);
        const Operand dDown = m_dDownRounded.of(m_dDown.data(), tokens, width);
        learn(m_state.x, dDown, n().d, width, m_at.down);
        m_state.down.productBackward(dDown, tokens, destinationAt(dx, n().d), Into::accumulate);
    }

    // Backward pass of the norm, in place on [T, stride of the rows].
    void throughNorm(const NormPieces& rows,
                     const NormMeasure* measures,
                     const float* gamma,
                     float* gradient,
                     ColumnSums& sums,
                     std::size_t place)
    {
        normBackward(m_device,
                     NormKind::rmsNorm,
                     rows,
                     measures,
                     gamma,
                     gradient,
                     rows.stride,
                     m_products.data(),
                     rows.features);
        addUp(sums, operandAt(m_products.data(), rows.features), place);
    }

    Destination gradientAt(std::size_t place, int columns) const
    {
        return destinationAt(m_gradients[place].data(), columns);
    }

    void learn(const Operand& x, const Operand& dy, int in, int out, std::size_t place)
    {
        weightGradient(m_device, x, dy, n().tokens, in, out, m_gradients[place]);
    }

    void addUp(ColumnSums& sums, const Operand& rows, std::size_t place)
    {
        if (place != 0) {
            sums.run(rows, n().tokens, m_gradients[place].data());
        }
    }

    void backThrough(const Operand& dy,
                     int columns,
                     const RoundedWeight& weight,
                     const Destination& to,
                     Into into)
    {
        multiply(m_device,
                 {n().tokens, columns, n().rank},
                 dy,
                 Stored::straight,
                 weight.operand(),
                 Stored::transposed,
                 to,
                 into);
    }

    // A batched product with one batch entry per head; steps lead from one head's columns to the
    // next.
    void perHead(const ProductSize& size,
                 const Operand& a,
                 Stored aStored,
                 int aStep,
                 const Operand& b,
                 Stored bStored,
                 int bStep,
                 const Destination& c,
                 int cStep)
    {
        multiply(m_device,
                 size,
                 a,
                 aStored,
                 b,
                 bStored,
                 c,
                 Into::overwrite,
                 {n().heads, aStep, bStep, cStep});
    }

    const Device& m_device;
    LatentTensors m_at;
    DeviceGradients m_gradients;
    LatentState m_state;
    RoundedRows m_dy;
    OperandBuffer m_dMixed;
    OperandBuffer m_dSums; ///< of the absorbed form
    DeviceBuffer<float> m_dQueries;
    DeviceBuffer<float> m_dKeys; ///< [T, KV heads · keyDim]
    DeviceBuffer<float> m_dValues;
    RoundedRows m_roundedQueries;
    OperandBuffer m_dNopes; ///< of the expanded form [T, H·h_nope]
    RoundedRows m_roundedValues;
    DeviceBuffer<float> m_dQ;
    RoundedRows m_dQRounded;
    DeviceBuffer<float> m_dDown; ///< of c | k_rope
    RoundedRows m_dDownRounded;
    DeviceBuffer<float> m_dQueryLatents;
    RoundedRows m_dQueryLatentsRounded;
    DeviceBuffer<float> m_products;
    ColumnSums m_latentSums;
    ColumnSums m_queryLatentSums;
    ColumnSums m_downSums;
    ColumnSums m_outSums;
};

} // namespace

std::unique_ptr<BackwardStage> makeMixingBackward(const LatentAttention& attention,
                                                  const Shape& shape,
                                                  DeviceWeights weights,
                                                  DeviceGradients gradients,
                                                  const Device& device)
{
    return std::make_unique<LatentBackward>(attention, shape, weights, gradients, device);
}

} // namespace flopsmith::cuda
