// SPDX-License-Identifier: MIT
#include "core/ffn/factored/monarch.h"

#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/ffn/hidden/hidden_stage.h"

namespace flopsmith::cuda {
namespace {

// to[row, k·size + i] = from[row, i·blocks + k]: every block's features side by side.
template <class From, class To>
struct Collect
{
    const From* from;
    std::int64_t fromStride;
    To* to;
    std::int64_t toStride;
    std::int64_t blocks;
    std::int64_t size;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            const std::int64_t at = column + i;
            const std::int64_t source = at % size * blocks + at / size;
            setTo(to[row * toStride + at], asFloat(from[row * fromStride + source]));
        }
    }
};

template <class From, class To>
void collect(const Device& device,
             const Operand& from,
             std::int64_t rows,
             std::int64_t blocks,
             std::int64_t size,
             const Destination& to)
{
    forEachElement(device,
                   rows,
                   blocks * size,
                   Collect<From, To>{static_cast<const From*>(from.first),
                                     from.stride,
                                     static_cast<To*>(to.first),
                                     to.stride,
                                     blocks,
                                     size});
}

// The reverse is the same with blocks and their size exchanged.
void collect(const Device& device,
             const Operand& from,
             std::int64_t rows,
             std::int64_t blocks,
             std::int64_t size,
             const Destination& to)
{
    const bool fromFloat = from.element == Element::float32;
    const bool toFloat = to.element == Element::float32;
    if (fromFloat && toFloat) {
        collect<float, float>(device, from, rows, blocks, size, to);
    } else if (fromFloat) {
        collect<float, __nv_bfloat16>(device, from, rows, blocks, size, to);
    } else if (toFloat) {
        collect<__nv_bfloat16, float>(device, from, rows, blocks, size, to);
    } else {
        collect<__nv_bfloat16, __nv_bfloat16>(device, from, rows, blocks, size, to);
    }
}

// A factor's product as one strided batch over its blocks, whose features lie side by side.
class BlockProduct
{
public:
    BlockProduct(const Device& device, const BlockFactor& factor, DeviceSpan<const float> weight)
        : m_device(&device)
        , m_factor(factor)
        , m_rounded(device, weight.size())
        , m_weight(m_rounded.of(weight.data(), factor.blockIn(), factor.out))
    {}

    const BlockFactor& factor() const { return m_factor; }

    // y [T, out] = x [T, in]·F
    void run(const Operand& x, std::int64_t tokens, const Destination& y) const
    {
        const BlockFactor& f = m_factor;
        multiply(*m_device,
                 {tokens, f.blockIn(), f.blockOut()},
                 x,
                 Stored::straight,
                 m_weight,
                 Stored::straight,
                 y,
                 Into::overwrite,
                 {f.blocks, f.blockIn(), f.blockOut(), f.blockOut()});
    }

    // The gradient of the weight, then dx [T, in] = dy·Fᵀ.
    void backward(const Operand& x,
                  const Operand& dy,
                  std::int64_t tokens,
                  DeviceSpan<float> dWeight,
                  const Destination& dx) const
    {
        const BlockFactor& f = m_factor;
        multiply(*m_device,
                 {f.blockIn(), tokens, f.blockOut()},
                 x,
                 Stored::transposed,
                 dy,
                 Stored::straight,
                 destinationAt(dWeight.data(), f.out),
                 Into::overwrite,
                 {f.blocks, f.blockIn(), f.blockOut(), f.blockOut()});
        multiply(*m_device,
                 {tokens, f.blockOut(), f.blockIn()},
                 dy,
                 Stored::straight,
                 m_weight,
                 Stored::transposed,
                 dx,
                 Into::overwrite,
                 {f.blocks, f.blockOut(), f.blockOut(), f.blockIn()});
    }

private:
    const Device* m_device;
    BlockFactor m_factor;
    RoundedRows m_rounded;
    Operand m_weight;
};

// y = x·W + b as two block-diagonal products; see hidden_stage.h.
class MonarchProjection
{
public:
    // `weights`: both factors and perhaps b.
    MonarchProjection(const Device& device,
                      const MonarchMatrix& matrix,
                      std::int64_t tokens,
                      DeviceWeights weights)
        : m_device(&device)
        , m_tokens(tokens)
        , m_first(device, matrix.first, weights[0])
        , m_second(device, matrix.second, weights[1])
        , m_bias(weights.size() > 2 ? weights[2].data() : nullptr)
        , m_between(device, elements(matrix.width()))
        , m_collected(device, elements(matrix.width()))
        , m_outputs(device.memory(), elements(matrix.out()))
    {}

    const float* bias() const { return m_bias; }

    void product(const Operand& x, const Destination& y)
    {
        const BlockFactor& f = m_second.factor();
        m_first.run(x, m_tokens, m_between.rows(f.in));
        collect(*m_device,
                m_between.rows(f.in),
                m_tokens,
                f.blocks,
                f.blockIn(),
                m_collected.rows(f.in));
        const Destination outputs = destinationAt(m_outputs.data(), f.out);
        m_second.run(m_collected.rows(f.in), m_tokens, outputs);
        collect(*m_device, outputs, m_tokens, f.blockOut(), f.blocks, y);
    }

    void run(const Operand& x, const Destination& y)
    {
        product(x, y);
        if (m_bias != nullptr) {
            addBiasAndActivate(
                *m_device, Activation::none, m_bias, m_tokens, m_second.factor().out, y, y);
        }
    }

    void prepareBackward(DeviceGradients gradients)
    {
        m_gradients = gradients;
        m_dOutputs = OperandBuffer(*m_device, m_outputs.size());
        m_dCollected = OperandBuffer(*m_device, m_collected.size());
        m_dBetween = OperandBuffer(*m_device, m_between.size());
    }

    void backward(const Operand& x, const Operand& dy, const Destination& dx)
    {
        const BlockFactor& f = m_second.factor();
        collect(*m_device, dy, m_tokens, f.blocks, f.blockOut(), m_dOutputs.rows(f.out));
        m_second.backward(m_collected.rows(f.in),
                          m_dOutputs.rows(f.out),
                          m_tokens,
                          m_gradients[1],
                          m_dCollected.rows(f.in));
        collect(*m_device,
                m_dCollected.rows(f.in),
                m_tokens,
                f.blockIn(),
                f.blocks,
                m_dBetween.rows(f.in));
        m_first.backward(x, m_dBetween.rows(f.in), m_tokens, m_gradients[0], dx);
    }

    DeviceSpan<float> biasGradient() const
    {
        return m_gradients.size() > 2 ? m_gradients[2] : DeviceSpan<float>();
    }

private:
    std::size_t elements(int features) const
    {
        return static_cast<std::size_t>(m_tokens) * static_cast<std::size_t>(features);
    }

    const Device* m_device;
    std::int64_t m_tokens;
    BlockProduct m_first;
    BlockProduct m_second;
    const float* m_bias;
    OperandBuffer m_between; ///< [tokens, d], as the first factor gives it
    OperandBuffer m_collected; ///< block by block, as the second takes it
    DeviceBuffer<float> m_outputs; ///< [tokens, out], block by block
    OperandBuffer m_dOutputs;
    OperandBuffer m_dCollected;
    OperandBuffer m_dBetween;
    DeviceGradients m_gradients;
};

HiddenParts<ActivatedUp<MonarchProjection>, MonarchProjection> partsOf(const MonarchFfn& ffn,
                                                                       const StageSize& size,
                                                                       DeviceWeights weights,
                                                                       const Device& device)
{
    const std::size_t each = ffn.bias ? 3 : 2; // tensors: both factors, b
    return {{device,
             ffn.activation,
             size.tokens,
             ffn.dFf,
             {device, ffn.up(size.dModel), size.tokens, weights.subspan(0, each)}},
            {device, ffn.down(size.dModel), size.tokens, weights.subspan(each, each)},
            each,
            each};
}

} // namespace

std::unique_ptr<Stage> makeStage(const MonarchFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return makeHiddenStage(device, size, ffn.dFf, partsOf(ffn, size, weights, device));
}

std::unique_ptr<BackwardStage> makeBackwardStage(const MonarchFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return makeHiddenBackwardStage(
        device, size, ffn.dFf, partsOf(ffn, size, weights, device), gradients);
}

} // namespace flopsmith::cuda
