// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/hidden/hidden_layer.h"

#include "core/kernels/cpu/simd/activation.h"

namespace flopsmith::cpu {

HiddenLayer::HiddenLayer(const DenseFfn& ffn, const StageSize& size, WeightView<float> weights)
    : m_activation(ffn.activation)
    , m_up(linearAt(ffn.bias, weights, 0, size.dModel, ffn.dFf))
    , m_down(linearAt(ffn.bias, weights, 1, ffn.dFf, size.dModel))
{
    m_up.activatedBy(ffn.activation);
    pack(size);
}

HiddenLayer::HiddenLayer(const GatedFfn& ffn, const StageSize& size, WeightView<float> weights)
    : m_activation(ffn.activation)
    , m_gateValues(ffn.activeGate())
    , m_gate(linearAt(ffn.bias, weights, 0, size.dModel, ffn.dFf))
    , m_up(linearAt(ffn.bias, weights, 1, size.dModel, ffn.dFf))
    , m_down(linearAt(ffn.bias, weights, 2, ffn.dFf, size.dModel))
{
    pack(size);
}

void HiddenLayer::pack(const StageSize& size)
{
    for (Linear* linear : {m_gate ? &*m_gate : nullptr, &m_up, &m_down}) {
        if (linear != nullptr) {
            linear->computedIn(size.precision).packed(size.tokens, size.threads);
        }
    }
}

void HiddenLayer::projectUp(const float* x, float* gates, float* hidden, const Slice& slice) const
{
    if (!m_gate) {
        m_up.runSlice(x, hidden, slice);
        return;
    }
    m_gate->product(x, gates, slice);
    m_up.product(x, hidden, slice, [&](Range tokens, Range columns) {
        gateSlice(gates, hidden, {tokens, columns});
    });
}

void HiddenLayer::gateSlice(float* gates, float* hidden, const Slice& slice) const
{
    const auto from = [&](const float* bias) {
        return bias == nullptr ? nullptr : bias + slice.columns.first;
    };
    for (std::int64_t t = slice.tokens.first; t < slice.tokens.last; ++t) {
        const std::int64_t at = t * m_up.out() + slice.columns.first;
        gateRow(m_activation,
                m_gateValues,
                gates + at,
                from(m_gate->bias()),
                hidden + at,
                from(m_up.bias()),
                static_cast<std::size_t>(slice.columns.size()));
    }
}

void HiddenLayer::projectDown(const float* hidden, float* y, const Slice& slice) const
{
    m_down.runSlice(hidden, y, slice);
}

} // namespace flopsmith::cpu
