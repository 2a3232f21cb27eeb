// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn/kronecker/kronecker_layer.h"
#include "core/kernels/cuda/linear/linear.h"
#include "core/kernels/cuda/stage.h"

namespace flopsmith::cuda {
namespace {

// W₁ and W₂ with what they keep between their products.
struct Layers
{
    KroneckerLayer up;
    KroneckerLayer down;

    Layers(const KroneckerFfn& ffn, const StageSize& size, DeviceWeights w, const Device& device)
        : up(device,
             ffn.up(size.dModel),
             ffn.keptColumns(KroneckerFfn::Factor::upA, size.dModel),
             ffn.keptColumns(KroneckerFfn::Factor::upB, size.dModel),
             w.subspan(0, tensorsOf(ffn)),
             size.tokens)
        , down(device,
               ffn.down(size.dModel),
               ffn.keptColumns(KroneckerFfn::Factor::downA, size.dModel),
               ffn.keptColumns(KroneckerFfn::Factor::downB, size.dModel),
               w.subspan(tensorsOf(ffn), tensorsOf(ffn)),
               size.tokens)
    {}

    // Of one layer: its left factors, its right ones, the bias.
    static std::size_t tensorsOf(const KroneckerFfn& ffn) { return ffn.bias ? 3 : 2; }
};

std::size_t hiddenElements(const KroneckerFfn& ffn, const StageSize& size)
{
    return static_cast<std::size_t>(size.tokens * ffn.dFf);
}

class KroneckerStage : public Stage
{
public:
    KroneckerStage(const KroneckerFfn& ffn,
                   const StageSize& size,
                   DeviceWeights weights,
                   const Device& device)
        : m_device(device)
        , m_ffn(ffn)
        , m_size(size)
        , m_layers(ffn, size, weights, device)
        , m_x(device, static_cast<std::size_t>(size.activations()))
        , m_hidden(device, hiddenElements(ffn, size))
    {}

    void run(const float* x, float* y) override
    {
        const std::int64_t tokens = m_size.tokens;
        const int d = m_size.dModel;
        const Destination hidden = m_hidden.rows(m_ffn.dFf);
        const Destination to = destinationAt(y, d);
        m_layers.up.product(m_x.of(x, tokens, d), hidden);
        addBiasAndActivate(
            m_device, m_ffn.activation, m_layers.up.bias(), tokens, m_ffn.dFf, hidden, hidden);
        m_layers.down.product(hidden, to);
        if (m_ffn.bias) {
            addBiasAndActivate(m_device, Activation::none, m_layers.down.bias(), tokens, d, to, to);
        }
    }

private:
    const Device& m_device;
    KroneckerFfn m_ffn;
    StageSize m_size;
    Layers m_layers;
    RoundedRows m_x;
    OperandBuffer m_hidden;
};

class KroneckerBackwardStage : public BackwardStage
{
public:
    KroneckerBackwardStage(const KroneckerFfn& ffn,
                           const StageSize& size,
                           DeviceWeights weights,
                           DeviceGradients gradients,
                           const Device& device)
        : m_device(device)
        , m_ffn(ffn)
        , m_size(size)
        , m_gradients(gradients)
        , m_layers(ffn, size, weights, device)
        , m_x(device, static_cast<std::size_t>(size.activations()))
        , m_dy(device, static_cast<std::size_t>(size.activations()))
        , m_before(device, hiddenElements(ffn, size))
        , m_hidden(device, hiddenElements(ffn, size))
        , m_dHidden(device, hiddenElements(ffn, size))
        , m_hiddenSums(device, ffn.bias ? size.tokens : 0, ffn.dFf)
        , m_sums(device, ffn.bias ? size.tokens : 0, size.dModel)
    {
        m_layers.up.prepareBackward();
        m_layers.down.prepareBackward();
    }

    void remember(const float* x, float* y) override
    {
        const std::int64_t tokens = m_size.tokens;
        const int d = m_size.dModel;
        const int f = m_ffn.dFf;
        const Destination before = m_before.rows(f);
        const Destination hidden = m_hidden.rows(f);
        const Destination to = destinationAt(y, d);
        m_xRounded = m_x.of(x, tokens, d);
        m_layers.up.product(m_xRounded, before);
        if (m_ffn.bias) {
            addBiasAndActivate(
                m_device, Activation::none, m_layers.up.bias(), tokens, f, before, before);
        }
        addBiasAndActivate(m_device, m_ffn.activation, nullptr, tokens, f, before, hidden);
        m_layers.down.product(hidden, to);
        if (m_ffn.bias) {
            addBiasAndActivate(m_device, Activation::none, m_layers.down.bias(), tokens, d, to, to);
        }
    }

    void run(const float* dy, float* dx) override
    {
        const std::int64_t tokens = m_size.tokens;
        const int d = m_size.dModel;
        const int f = m_ffn.dFf;
        const Destination dHidden = m_dHidden.rows(f);
        const std::size_t down = Layers::tensorsOf(m_ffn);
        m_layers.down.backward(m_hidden.rows(f),
                               m_dy.of(dy, tokens, d),
                               dHidden,
                               m_gradients[down],
                               m_gradients[down + 1]);
        activateBackward(m_device, m_ffn.activation, tokens, f, m_before.rows(f), dHidden, dHidden);
        m_layers.up.backward(
            m_xRounded, dHidden, destinationAt(dx, d), m_gradients[0], m_gradients[1]);
        if (m_ffn.bias) {
            m_sums.run(operandAt(dy, d), tokens, m_gradients[down + 2].data());
            m_hiddenSums.run(dHidden, tokens, m_gradients[2].data());
        }
    }

private:
    const Device& m_device;
    KroneckerFfn m_ffn;
    StageSize m_size;
    DeviceGradients m_gradients;
    Layers m_layers;
    RoundedRows m_x;
    Operand m_xRounded; ///< of the last remember()
    RoundedRows m_dy;
    OperandBuffer m_before; ///< the activation
    OperandBuffer m_hidden; ///< after it
    OperandBuffer m_dHidden;
    ColumnSums m_hiddenSums;
    ColumnSums m_sums;
};

} // namespace

std::unique_ptr<Stage> makeStage(const KroneckerFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return std::make_unique<KroneckerStage>(ffn, size, weights, device);
}

std::unique_ptr<BackwardStage> makeBackwardStage(const KroneckerFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return std::make_unique<KroneckerBackwardStage>(ffn, size, weights, gradients, device);
}

} // namespace flopsmith::cuda
