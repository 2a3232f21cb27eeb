// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"

#include "core/kernels/cuda/block/gate.cuh"
#include "core/kernels/cuda/ffn/hidden/hidden_stage.h"

namespace flopsmith::cuda {
namespace {

// hidden = act(gate + gateBias) ⊙ (up + upBias), within limits if there are any. With `keeps`, both biased factors are saved in
// `gate` and `up` for the backward pass. Rows have no gaps.
template <class Value>
struct Gating
{
    Gate gated;
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
            product.at[i] = gated.opened(opened.at[i]) * gated.factor(values.at[i]);
        }
        if (keeps) {
            store<N>(gate + at, opened);
            store<N>(up + at, values);
        }
        store<N>(hidden + at, product);
    }
};

// Turns dHidden into dUp, in place, and dGate.
template <class Value>
struct GatingBackward
{
    Gate gated;
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
            ofUp.at[i] =
                gradients.at[i] * gated.opened(before.at[i]) * gated.factorSlope(values.at[i]);
            ofGate.at[i] =
                gradients.at[i] * gated.factor(values.at[i]) * gated.openedSlope(before.at[i]);
        }
        store<N>(dHidden + at, ofUp);
        store<N>(dGate + at, ofGate);
    }
};

// Tensors of one projection: W and, if there are biases, b.
std::size_t tensorsOf(const GatedFfn& ffn)
{
    return ffn.bias ? 2 : 1;
}

// hidden = act(x·W_gate + b_gate) ⊙ (x·W_up + b_up)
class GatedUp
{
public:
    GatedUp(const GatedFfn& ffn, const StageSize& size, DeviceWeights weights, const Device& device)
        : m_device(&device)
        , m_ffn(ffn)
        , m_tokens(size.tokens)
        , m_gate(projection(ffn, 0, size, weights, device))
        , m_up(projection(ffn, 1, size, weights, device))
        , m_upRows(device, elements())
    {}

    void run(const Operand& x, const Destination& hidden) { compute(x, false, hidden, hidden); }

    void prepareBackward(DeviceGradients gradients)
    {
        const std::size_t each = tensorsOf(m_ffn);
        m_gate.prepareBackward(gradients.subspan(0, each));
        m_up.prepareBackward(gradients.subspan(each, each));
        m_gateRows = OperandBuffer(*m_device, elements());
        m_dGate = OperandBuffer(*m_device, elements());
        m_biasSums = biasSums(*m_device, m_up.bias(), m_tokens, m_ffn.dFf);
    }

    void save(const Operand& x, const Destination& hidden)
    {
        compute(x, true, m_gateRows.rows(m_ffn.dFf), hidden);
    }

    void backward(const Operand& x, const Destination& dHidden, const Destination& dx)
    {
        const Destination dGate = m_dGate.rows(m_ffn.dFf);
        if (dGate.element == Element::bfloat16) {
            gateBackward<__nv_bfloat16>(dHidden);
        } else {
            gateBackward<float>(dHidden);
        }
        const Operand dUp = dHidden;
        m_gate.backward(x, dGate, dx);
        m_up.backward(x, dUp, dx, Into::accumulate);
        if (m_ffn.bias) {
            m_biasSums.run(dGate, m_tokens, m_gate.biasGradient().data());
            m_biasSums.run(dUp, m_tokens, m_up.biasGradient().data());
        }
    }

private:
    static DenseProjection projection(const GatedFfn& ffn,
                                      std::size_t which,
                                      const StageSize& size,
                                      DeviceWeights weights,
                                      const Device& device)
    {
        const std::size_t each = tensorsOf(ffn);
        return {device, size.dModel, ffn.dFf, size.tokens, weights.subspan(which * each, each)};
    }

    std::size_t elements() const { return static_cast<std::size_t>(m_tokens * m_ffn.dFf); }

    // `hidden` may be `gate` unless `keeps`.
    void compute(const Operand& x, bool keeps, const Destination& gate, const Destination& hidden)
    {
        m_gate.product(x, gate);
        m_up.product(x, m_upRows.rows(m_ffn.dFf));
        if (gate.element == Element::bfloat16) {
            gateAs<__nv_bfloat16>(keeps, gate, hidden);
        } else {
            gateAs<float>(keeps, gate, hidden);
        }
    }

    template <class Value>
    static Value* at(const Destination& rows)
    {
        return static_cast<Value*>(rows.first);
    }

    template <class Value>
    void gateAs(bool keeps, const Destination& gate, const Destination& hidden)
    {
        forEachElement(*m_device,
                       m_tokens,
                       m_ffn.dFf,
                       Gating<Value>{Gate(m_ffn.activation, m_ffn.activeGate()),
                                     keeps,
                                     m_ffn.dFf,
                                     m_gate.bias(),
                                     m_up.bias(),
                                     at<Value>(gate),
                                     at<Value>(m_upRows.rows(m_ffn.dFf)),
                                     at<Value>(hidden)});
    }

    template <class Value>
    void gateBackward(const Destination& dHidden)
    {
        const int f = m_ffn.dFf;
        forEachElement(*m_device,
                       m_tokens,
                       f,
                       GatingBackward<Value>{Gate(m_ffn.activation, m_ffn.activeGate()),
                                             f,
                                             at<Value>(m_gateRows.rows(f)),
                                             at<Value>(m_upRows.rows(f)),
                                             at<Value>(dHidden),
                                             at<Value>(m_dGate.rows(f))});
    }

    const Device* m_device;
    GatedFfn m_ffn;
    std::int64_t m_tokens;
    DenseProjection m_gate;
    DenseProjection m_up;
    OperandBuffer m_upRows;
    OperandBuffer m_gateRows; ///< before the activation, for the backward pass
    OperandBuffer m_dGate;
    ColumnSums m_biasSums;
};

HiddenParts<GatedUp, DenseProjection> partsOf(const GatedFfn& ffn,
                                              const StageSize& size,
                                              DeviceWeights weights,
                                              const Device& device)
{
    const std::size_t each = tensorsOf(ffn);
    return {{ffn, size, weights, device},
            {device, ffn.dFf, size.dModel, size.tokens, weights.subspan(2 * each, each)},
            2 * each,
            each};
}

} // namespace

std::unique_ptr<Stage> makeStage(const GatedFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return makeHiddenStage(device, size, ffn.dFf, partsOf(ffn, size, weights, device));
}

std::unique_ptr<BackwardStage> makeBackwardStage(const GatedFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return makeHiddenBackwardStage(
        device, size, ffn.dFf, partsOf(ffn, size, weights, device), gradients);
}

} // namespace flopsmith::cuda
