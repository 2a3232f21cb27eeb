// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"

#include "core/kernels/cuda/activation.cuh"
#include "core/kernels/cuda/linear.h"
#include "core/kernels/cuda/stage.h"

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
        , m_x(device, static_cast<std::size_t>(size.activations()))
        , m_dy(device, static_cast<std::size_t>(size.activations()))
        , m_gate(device, hiddenElements(ffn, size))
        , m_up(device, hiddenElements(ffn, size))
        , m_hidden(device, hiddenElements(ffn, size))
        , m_dHidden(device, hiddenElements(ffn, size))
        , m_dGate(device, hiddenElements(ffn, size))
        , m_hiddenSums(device, ffn.bias ? size.tokens : 0, ffn.dFf)
        , m_sums(device, ffn.bias ? size.tokens : 0, size.dModel)
    {}

    void remember(const float* x, float* y) override
    {
        const std::int64_t tokens = m_size.tokens;
        const int f = m_ffn.dFf;
        m_xRounded = m_x.of(x, tokens, m_size.dModel);
        widen(m_device,
              m_ffn,
              m_matrices,
              tokens,
              m_xRounded,
              true,
              m_gate.rows(f),
              m_up.rows(f),
              m_hidden.rows(f));
        m_matrices.down.run(m_hidden.rows(f), tokens, destinationAt(y, m_size.dModel));
    }

    void run(const float* dy, float* dx) override
    {
        const std::int64_t tokens = m_size.tokens;
        const int d = m_size.dModel;
        const int f = m_ffn.dFf;
        const Operand rounded = m_dy.of(dy, tokens, d);
        const Destination dUp = m_dHidden.rows(f);
        const Destination dGate = m_dGate.rows(f);
        weightGradient(m_device, m_hidden.rows(f), rounded, tokens, f, d, weightAt(2));
        m_matrices.down.productBackward(rounded, tokens, dUp);
        if (m_dHidden.element() == Element::bfloat16) {
            gateBackward<__nv_bfloat16>();
        } else {
            gateBackward<float>();
        }
        weightGradient(m_device, m_xRounded, dGate, tokens, d, f, weightAt(0));
        weightGradient(m_device, m_xRounded, dUp, tokens, d, f, weightAt(1));
        m_matrices.gate.productBackward(dGate, tokens, destinationAt(dx, d));
        m_matrices.up.productBackward(dUp, tokens, destinationAt(dx, d), Into::add);
        if (m_ffn.bias) {
            m_hiddenSums.run(dGate, tokens, m_gradients[1].data());
            m_hiddenSums.run(dUp, tokens, m_gradients[3].data());
            m_sums.run(operandAt(dy, d), tokens, m_gradients[5].data());
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
        const auto at = [&](const OperandBuffer& buffer) {
            return static_cast<Value*>(buffer.rows(m_ffn.dFf).first);
        };
        forEachElement(
            m_device,
            m_size.tokens,
            m_ffn.dFf,
            GatingBackward<Value>{
                m_ffn.activation, m_ffn.dFf, at(m_gate), at(m_up), at(m_dHidden), at(m_dGate)});
    }

    const Device& m_device;
    GatedFfn m_ffn;
    StageSize m_size;
    Matrices m_matrices;
    DeviceGradients m_gradients;
    RoundedRows m_x;
    Operand m_xRounded; ///< of the last remember()
    RoundedRows m_dy;
    OperandBuffer m_gate; ///< before the activation
    OperandBuffer m_up;
    OperandBuffer m_hidden;
    OperandBuffer m_dHidden; ///< then the gradient of x·Wu
    OperandBuffer m_dGate;
    ColumnSums m_hiddenSums;
    ColumnSums m_sums;
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
