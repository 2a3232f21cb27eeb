// SPDX-License-Identifier: MIT
#include "core/ffn/low_rank.h"

#include "core/kernels/cuda/linear.h"
#include "core/kernels/cuda/stage.h"

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
        , m_x(device, static_cast<std::size_t>(size.activations()))
        , m_dy(device, static_cast<std::size_t>(size.activations()))
        , m_before(device, wide(ffn, size))
        , m_hidden(device, wide(ffn, size))
        , m_dHidden(device, wide(ffn, size))
        , m_upMiddle(device, narrow(ffn, size))
        , m_downMiddle(device, narrow(ffn, size))
        , m_dMiddle(device, narrow(ffn, size))
        , m_hiddenSums(device, ffn.bias ? size.tokens : 0, ffn.dFf)
        , m_sums(device, ffn.bias ? size.tokens : 0, size.dModel)
    {}

    void remember(const float* x, float* y) override
    {
        const std::int64_t tokens = m_size.tokens;
        const int f = m_ffn.dFf;
        const int r = m_ffn.rank;
        m_xRounded = m_x.of(x, tokens, m_size.dModel);
        m_products.upU.product(m_xRounded, tokens, m_upMiddle.rows(r));
        m_products.upV.run(m_upMiddle.rows(r), tokens, m_before.rows(f));
        addBiasAndActivate(
            m_device, m_ffn.activation, nullptr, tokens, f, m_before.rows(f), m_hidden.rows(f));
        m_products.downU.product(m_hidden.rows(f), tokens, m_downMiddle.rows(r));
        m_products.downV.run(m_downMiddle.rows(r), tokens, destinationAt(y, m_size.dModel));
    }

    void run(const float* dy, float* dx) override
    {
        const std::int64_t tokens = m_size.tokens;
        const int d = m_size.dModel;
        const int f = m_ffn.dFf;
        const int r = m_ffn.rank;
        const std::size_t down = tensorsPerMatrix(m_ffn);
        const Operand rounded = m_dy.of(dy, tokens, d);
        const Destination dMiddle = m_dMiddle.rows(r);
        const Destination dHidden = m_dHidden.rows(f);
        gradient(m_downMiddle.rows(r), rounded, r, d, down + 1);
        m_products.downV.productBackward(rounded, tokens, dMiddle);
        gradient(m_hidden.rows(f), dMiddle, f, r, down);
        m_products.downU.productBackward(dMiddle, tokens, dHidden);
        activateBackward(m_device, m_ffn.activation, tokens, f, m_before.rows(f), dHidden, dHidden);
        gradient(m_upMiddle.rows(r), dHidden, r, f, 1);
        m_products.upV.productBackward(dHidden, tokens, dMiddle);
        gradient(m_xRounded, dMiddle, d, r, 0);
        m_products.upU.productBackward(dMiddle, tokens, destinationAt(dx, d));
        if (m_ffn.bias) {
            m_hiddenSums.run(dHidden, tokens, m_gradients[2].data());
            m_sums.run(operandAt(dy, d), tokens, m_gradients[down + 2].data());
        }
    }

private:
    void gradient(const Operand& from, const Operand& dTo, int in, int out, std::size_t tensor)
    {
        weightGradient(m_device, from, dTo, m_size.tokens, in, out, m_gradients[tensor]);
    }

    const Device& m_device;
    LowRankFfn m_ffn;
    StageSize m_size;
    Products m_products;
    DeviceGradients m_gradients;
    RoundedRows m_x;
    Operand m_xRounded; ///< of the last remember()
    RoundedRows m_dy;
    OperandBuffer m_before; ///< the activation
    OperandBuffer m_hidden; ///< after it
    OperandBuffer m_dHidden;
    OperandBuffer m_upMiddle; ///< x·U₁
    OperandBuffer m_downMiddle; ///< hidden·U₂
    OperandBuffer m_dMiddle; ///< of either
    ColumnSums m_hiddenSums;
    ColumnSums m_sums;
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
