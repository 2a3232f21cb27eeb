// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"

#include "core/kernels/cuda/ffn/hidden/hidden_layer_backward.h"

namespace flopsmith::cuda {
namespace {

// Both matrices, whose biases, if there are any, follow them.
struct Matrices
{
    Linear up;
    Linear down;

    Matrices(const DenseFfn& ffn, int d, DeviceWeights w, const Device& device)
        : up(device, d, ffn.dFf, w[0], ffn.bias ? w[1] : DeviceSpan<const float>())
        , down(device, ffn.dFf, d, w[ffn.bias ? 2 : 1], ffn.bias ? w[3] : DeviceSpan<const float>())
    {}
};

std::size_t hiddenElements(const DenseFfn& ffn, const StageSize& size)
{
    return static_cast<std::size_t>(size.tokens * ffn.dFf);
}

class DenseStage : public Stage
{
public:
    DenseStage(const DenseFfn& ffn,
               const StageSize& size,
               DeviceWeights weights,
               const Device& device)
        : m_device(device)
        , m_ffn(ffn)
        , m_size(size)
        , m_matrices(ffn, size.dModel, weights, device)
        , m_x(device, static_cast<std::size_t>(size.activations()))
        , m_hidden(device, hiddenElements(ffn, size))
    {}

    void run(const float* x, float* y) override
    {
        const std::int64_t tokens = m_size.tokens;
        const Destination hidden = m_hidden.rows(m_ffn.dFf);
        m_matrices.up.product(m_x.of(x, tokens, m_size.dModel), tokens, hidden);
        addBiasAndActivate(
            m_device, m_ffn.activation, m_matrices.up.bias(), tokens, m_ffn.dFf, hidden, hidden);
        m_matrices.down.run(hidden, tokens, destinationAt(y, m_size.dModel));
    }

private:
    const Device& m_device;
    DenseFfn m_ffn;
    StageSize m_size;
    Matrices m_matrices;
    RoundedRows m_x;
    OperandBuffer m_hidden;
};

class DenseBackwardStage : public BackwardStage
{
public:
    DenseBackwardStage(const DenseFfn& ffn,
                       const StageSize& size,
                       DeviceWeights weights,
                       DeviceGradients gradients,
                       const Device& device)
        : m_device(device)
        , m_ffn(ffn)
        , m_size(size)
        , m_matrices(ffn, size.dModel, weights, device)
        , m_gradients(gradients)
        , m_layer(device, size, ffn.dFf, ffn.bias)
        , m_before(device, m_layer.elements())
    {}

    void remember(const float* x, float* y) override
    {
        const std::int64_t tokens = m_size.tokens;
        const Destination before = m_before.rows(m_ffn.dFf);
        const Destination hidden = m_layer.hidden();
        m_matrices.up.run(m_layer.remember(x), tokens, before);
        addBiasAndActivate(m_device, m_ffn.activation, nullptr, tokens, m_ffn.dFf, before, hidden);
        m_matrices.down.run(hidden, tokens, destinationAt(y, m_size.dModel));
    }

    void run(const float* dy, float* dx) override
    {
        const std::int64_t tokens = m_size.tokens;
        const int f = m_ffn.dFf;
        const std::size_t down = m_ffn.bias ? 2 : 1;
        const Destination dHidden = m_layer.dHidden();
        m_matrices.down.backward(
            m_layer.hidden(), m_layer.rounded(dy), tokens, m_gradients[down], dHidden);
        activateBackward(m_device, m_ffn.activation, tokens, f, m_before.rows(f), dHidden, dHidden);
        m_matrices.up.backward(
            m_layer.x(), dHidden, tokens, m_gradients[0], destinationAt(dx, m_size.dModel));
        if (m_ffn.bias) {
            m_layer.sumOut(dy, m_gradients[3]);
            m_layer.sumHidden(dHidden, m_gradients[1]);
        }
    }

private:
    const Device& m_device;
    DenseFfn m_ffn;
    StageSize m_size;
    Matrices m_matrices;
    DeviceGradients m_gradients;
    HiddenLayerBackward m_layer;
    OperandBuffer m_before; ///< the activation
};

} // namespace

std::unique_ptr<Stage> makeStage(const DenseFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return std::make_unique<DenseStage>(ffn, size, weights, device);
}

std::unique_ptr<BackwardStage> makeBackwardStage(const DenseFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return std::make_unique<DenseBackwardStage>(ffn, size, weights, gradients, device);
}

} // namespace flopsmith::cuda
