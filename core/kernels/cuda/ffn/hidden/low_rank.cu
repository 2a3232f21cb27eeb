// SPDX-License-Identifier: MIT
#include "core/ffn/low_rank.h"

#include "core/kernels/cuda/ffn/hidden/hidden_layer_backward.h"

namespace flopsmith::cuda {
namespace {

// The tensors of one matrix: U, V and, if there are biases, b.
std::size_t tensorsPerMatrix(const LowRankFfn& ffn)
{
    return ffn.bias ? 3 : 2;
}

// Both matrices as four products.
struct Products
{
    Linear upU;
    Linear upV;
    Linear downU;
    Linear downV;

    Products(const LowRankFfn& ffn, int d, DeviceWeights w, const Device& device)
        : upU(device, d, ffn.rank, w[0])
        , upV(device, ffn.rank, ffn.dFf, w[1], biasOf(ffn, w, 0))
        , downU(device, ffn.dFf, ffn.rank, w[tensorsPerMatrix(ffn)])
        , downV(device,
                ffn.rank,
                d,
                w[tensorsPerMatrix(ffn) + 1],
                biasOf(ffn, w, tensorsPerMatrix(ffn)))
    {}

private:
    static DeviceSpan<const float> biasOf(const LowRankFfn& ffn,
                                          DeviceWeights w,
                                          std::size_t matrix)
    {
        return ffn.bias ? w[matrix + 2] : DeviceSpan<const float>();
    }
};

std::size_t wide(const LowRankFfn& ffn, const StageSize& size)
{
    return static_cast<std::size_t>(size.tokens * ffn.dFf);
}

std::size_t narrow(const LowRankFfn& ffn, const StageSize& size)
{
    return static_cast<std::size_t>(size.tokens * ffn.rank);
}

class LowRankStage : public Stage
{
public:
    LowRankStage(const LowRankFfn& ffn,
                 const StageSize& size,
                 DeviceWeights weights,
                 const Device& device)
        : m_device(device)
        , m_ffn(ffn)
        , m_size(size)
        , m_products(ffn, size.dModel, weights, device)
        , m_x(device, static_cast<std::size_t>(size.activations()))
        , m_hidden(device, wide(ffn, size))
        , m_middle(device, narrow(ffn, size))
    {}

    void run(const float* x, float* y) override
    {
        const std::int64_t tokens = m_size.tokens;
        const Destination middle = m_middle.rows(m_ffn.rank);
        const Destination hidden = m_hidden.rows(m_ffn.dFf);
        m_products.upU.product(m_x.of(x, tokens, m_size.dModel), tokens, middle);
        m_products.upV.product(middle, tokens, hidden);
        addBiasAndActivate(
            m_device, m_ffn.activation, m_products.upV.bias(), tokens, m_ffn.dFf, hidden, hidden);
        m_products.downU.product(hidden, tokens, middle);
        m_products.downV.run(middle, tokens, destinationAt(y, m_size.dModel));
    }

private:
    const Device& m_device;
    LowRankFfn m_ffn;
    StageSize m_size;
    Products m_products;
    RoundedRows m_x;
    OperandBuffer m_hidden;
    OperandBuffer m_middle; ///< between the two factors of either matrix
};

class LowRankBackwardStage : public BackwardStage
{
public:
    LowRankBackwardStage(const LowRankFfn& ffn,
                         const StageSize& size,
                         DeviceWeights weights,
                         DeviceGradients gradients,
                         const Device& device)
        : m_device(device)
        , m_ffn(ffn)
        , m_size(size)
        , m_products(ffn, size.dModel, weights, device)
        , m_gradients(gradients)
        , m_layer(device, size, ffn.dFf, ffn.bias)
        , m_before(device, m_layer.elements())
        , m_upMiddle(device, narrow(ffn, size))
        , m_downMiddle(device, narrow(ffn, size))
        , m_dMiddle(device, narrow(ffn, size))
    {}

    void remember(const float* x, float* y) override
    {
        const std::int64_t tokens = m_size.tokens;
        const int f = m_ffn.dFf;
        const int r = m_ffn.rank;
        const Destination hidden = m_layer.hidden();
        m_products.upU.product(m_layer.remember(x), tokens, m_upMiddle.rows(r));
        m_products.upV.run(m_upMiddle.rows(r), tokens, m_before.rows(f));
        addBiasAndActivate(
            m_device, m_ffn.activation, nullptr, tokens, f, m_before.rows(f), hidden);
        m_products.downU.product(hidden, tokens, m_downMiddle.rows(r));
        m_products.downV.run(m_downMiddle.rows(r), tokens, destinationAt(y, m_size.dModel));
    }

    void run(const float* dy, float* dx) override
    {
        const std::int64_t tokens = m_size.tokens;
        const int f = m_ffn.dFf;
        const int r = m_ffn.rank;
        const std::size_t down = tensorsPerMatrix(m_ffn);
        const Destination dMiddle = m_dMiddle.rows(r);
        const Destination dHidden = m_layer.dHidden();
        m_products.downV.backward(
            m_downMiddle.rows(r), m_layer.rounded(dy), tokens, m_gradients[down + 1], dMiddle);
        m_products.downU.backward(m_layer.hidden(), dMiddle, tokens, m_gradients[down], dHidden);
        activateBackward(m_device, m_ffn.activation, tokens, f, m_before.rows(f), dHidden, dHidden);
        m_products.upV.backward(m_upMiddle.rows(r), dHidden, tokens, m_gradients[1], dMiddle);
        m_products.upU.backward(
            m_layer.x(), dMiddle, tokens, m_gradients[0], destinationAt(dx, m_size.dModel));
        if (m_ffn.bias) {
            m_layer.sumHidden(dHidden, m_gradients[2]);
            m_layer.sumOut(dy, m_gradients[down + 2]);
        }
    }

private:
    const Device& m_device;
    LowRankFfn m_ffn;
    StageSize m_size;
    Products m_products;
    DeviceGradients m_gradients;
    HiddenLayerBackward m_layer;
    OperandBuffer m_before; ///< the activation
    OperandBuffer m_upMiddle; ///< x·U₁
    OperandBuffer m_downMiddle; ///< hidden·U₂
    OperandBuffer m_dMiddle; ///< of either
};

} // namespace

std::unique_ptr<Stage> makeStage(const LowRankFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return std::make_unique<LowRankStage>(ffn, size, weights, device);
}

std::unique_ptr<BackwardStage> makeBackwardStage(const LowRankFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return std::make_unique<LowRankBackwardStage>(ffn, size, weights, gradients, device);
}

} // namespace flopsmith::cuda
