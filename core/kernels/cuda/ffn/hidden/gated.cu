// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"

#include "core/kernels/cuda/block/activation.cuh"
#include "core/kernels/cuda/ffn/hidden/hidden_layer_backward.h"

namespace flopsmith::cuda {
namespace {

// hidden = act(gate + gateBias) ⊙ (up + upBias). With `keeps`, what goes into the activation and
// what it is multiplied with are left, biases included, in `gate` and `up`. All rows are whole.
template <class Value>
struct Gating
{
    Activation activation;
    bool keeps;
    std::int64_t columns;
    const float* gateBias;
    const float* upBias;
    Value* gate;
    Value* up;
    Value* hidden;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const std::int64_t at = row * columns + column;
        Pack<float, N> opened = load<N>(gate + at);
        Pack<float, N> values = load<N>(up + at);
        Pack<float, N> product;
        for (int i = 0; i < N; ++i) {
            opened.at[i] += gateBias == nullptr ? 0.0F : gateBias[column + i];
            values.at[i] += upBias == nullptr ? 0.0F : upBias[column + i];
            product.at[i] = activated(activation, opened.at[i]) * values.at[i];
        }
        if (keeps) {
            store<N>(gate + at, opened);
            store<N>(up + at, values);
        }
        store<N>(hidden + at, product);
    }
};

// From dHidden: dUp in its place, and dGate.
template <class Value>
struct GatingBackward
{
    Activation activation;
    std::int64_t columns;
    const Value* gate;
    const Value* up;
    Value* dHidden;
    Value* dGate;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const std::int64_t at = row * columns + column;
        const Pack<float, N> before = load<N>(gate + at);
        const Pack<float, N> values = load<N>(up + at);
        const Pack<float, N> gradients = load<N>(dHidden + at);
        Pack<float, N> ofUp;
        Pack<float, N> ofGate;
        for (int i = 0; i < N; ++i) {
            ofUp.at[i] = gradients.at[i] * activated(activation, before.at[i]);
            ofGate.at[i] = gradients.at[i] * values.at[i] * slopeOf(activation, before.at[i]);
        }
        store<N>(dHidden + at, ofUp);
        store<N>(dGate + at, ofGate);
    }
};

// The three matrices, each followed by its bias if there are biases.
struct Matrices
{
    Linear gate;
    Linear up;
    Linear down;

    Matrices(const GatedFfn& ffn, int d, DeviceWeights w, const Device& device)
        : gate(made(ffn, 0, d, ffn.dFf, w, device))
        , up(made(ffn, 1, d, ffn.dFf, w, device))
        , down(made(ffn, 2, ffn.dFf, d, w, device))
    {}

private:
    static Linear made(const GatedFfn& ffn,
                       std::size_t which,
                       int in,
                       int out,
                       DeviceWeights w,
                       const Device& device)
    {
        const std::size_t at = ffn.bias ? 2 * which : which;
        return {device, in, out, w[at], ffn.bias ? w[at + 1] : DeviceSpan<const float>()};
    }
};

std::size_t hiddenElements(const GatedFfn& ffn, const StageSize& size)
{
    return static_cast<std::size_t>(size.tokens * ffn.dFf);
}

template <class Value>
void gateAs(const Device& device,
            const GatedFfn& ffn,
            const Matrices& matrices,
            std::int64_t tokens,
            bool keeps,
            const Destination& gate,
            const Destination& up,
            const Destination& hidden)
{
    forEachElement(device,
                   tokens,
                   ffn.dFf,
                   Gating<Value>{ffn.activation,
                                 keeps,
                                 ffn.dFf,
                                 matrices.gate.bias(),
                                 matrices.up.bias(),
                                 static_cast<Value*>(gate.first),
                                 static_cast<Value*>(up.first),
                                 static_cast<Value*>(hidden.first)});
}

// hidden from x; `hidden` may be `gate` unless it `keeps` that.
void widen(const Device& device,
           const GatedFfn& ffn,
           const Matrices& matrices,
           std::int64_t tokens,
           const Operand& x,
           bool keeps,
           const Destination& gate,
           const Destination& up,
           const Destination& hidden)
{
    matrices.gate.product(x, tokens, gate);
    matrices.up.product(x, tokens, up);
    auto* gating = gate.element == Element::bfloat16 ? &gateAs<__nv_bfloat16> : &gateAs<float>;
    gating(device, ffn, matrices, tokens, keeps, gate, up, hidden);
}

class GatedStage : public Stage
{
public:
    GatedStage(const GatedFfn& ffn,
               const StageSize& size,
               DeviceWeights weights,
               const Device& device)
        : m_device(device)
        , m_ffn(ffn)
        , m_size(size)
        , m_matrices(ffn, size.dModel, weights, device)
        , m_x(device, static_cast<std::size_t>(size.activations()))
        , m_gate(device, hiddenElements(ffn, size))
        , m_up(device, hiddenElements(ffn, size))
    {}

    void run(const float* x, float* y) override
    {
        const std::int64_t tokens = m_size.tokens;
        const Destination hidden = m_gate.rows(m_ffn.dFf);
        widen(m_device,
              m_ffn,
              m_matrices,
              tokens,
              m_x.of(x, tokens, m_size.dModel),
              false,
              hidden,
              m_up.rows(m_ffn.dFf),
              hidden);
        m_matrices.down.run(hidden, tokens, destinationAt(y, m_size.dModel));
    }

private:
    const Device& m_device;
    GatedFfn m_ffn;
    StageSize m_size;
    Matrices m_matrices;
    RoundedRows m_x;
    OperandBuffer m_gate; ///< then the hidden layer
    OperandBuffer m_up;
};

class GatedBackwardStage : public BackwardStage
{
public:
    GatedBackwardStage(const GatedFfn& ffn,
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
        , m_gate(device, m_layer.elements())
        , m_up(device, m_layer.elements())
        , m_dGate(device, m_layer.elements())
    {}

    void remember(const float* x, float* y) override
    {
        const int f = m_ffn.dFf;
        const Destination hidden = m_layer.hidden();
        widen(m_device,
              m_ffn,
              m_matrices,
              m_size.tokens,
              m_layer.remember(x),
              true,
              m_gate.rows(f),
              m_up.rows(f),
              hidden);
        m_matrices.down.run(hidden, m_size.tokens, destinationAt(y, m_size.dModel));
    }

    void run(const float* dy, float* dx) override
    {
        const std::int64_t tokens = m_size.tokens;
        const Destination to = destinationAt(dx, m_size.dModel);
        const Destination dUp = m_layer.dHidden();
        const Destination dGate = m_dGate.rows(m_ffn.dFf);
        m_matrices.down.backward(m_layer.hidden(), m_layer.rounded(dy), tokens, weightAt(2), dUp);
        if (m_dGate.element() == Element::bfloat16) {
            gateBackward<__nv_bfloat16>();
        } else {
            gateBackward<float>();
        }
        m_matrices.gate.backward(m_layer.x(), dGate, tokens, weightAt(0), to);
        m_matrices.up.backward(m_layer.x(), dUp, tokens, weightAt(1), to, Into::add);
        if (m_ffn.bias) {
            m_layer.sumHidden(dGate, m_gradients[1]);
            m_layer.sumHidden(dUp, m_gradients[3]);
            m_layer.sumOut(dy, m_gradients[5]);
        }
    }

private:
    DeviceSpan<float> weightAt(std::size_t which) const
    {
        return m_gradients[m_ffn.bias ? 2 * which : which];
    }

    template <class Value>
    void gateBackward()
    {
        const auto at = [](const Destination& rows) { return static_cast<Value*>(rows.first); };
        forEachElement(m_device,
                       m_size.tokens,
                       m_ffn.dFf,
                       GatingBackward<Value>{m_ffn.activation,
                                             m_ffn.dFf,
                                             at(m_gate.rows(m_ffn.dFf)),
                                             at(m_up.rows(m_ffn.dFf)),
                                             at(m_layer.dHidden()),
                                             at(m_dGate.rows(m_ffn.dFf))});
    }

    const Device& m_device;
    GatedFfn m_ffn;
    StageSize m_size;
    Matrices m_matrices;
    DeviceGradients m_gradients;
    HiddenLayerBackward m_layer; ///< its gradient becomes that of x·Wu
    OperandBuffer m_gate; ///< before the activation
    OperandBuffer m_up;
    OperandBuffer m_dGate;
};

} // namespace

std::unique_ptr<Stage> makeStage(const GatedFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return std::make_unique<GatedStage>(ffn, size, weights, device);
}

std::unique_ptr<BackwardStage> makeBackwardStage(const GatedFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return std::make_unique<GatedBackwardStage>(ffn, size, weights, gradients, device);
}

} // namespace flopsmith::cuda
