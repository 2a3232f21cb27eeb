// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/hidden/hidden_layer_backward.h"

#include "core/kernels/cpu/ffn/hidden/hidden_layer.h"
#include "core/kernels/cpu/simd/activation.h"

namespace flopsmith::cpu {
namespace {

LinearBackward backwardAt(bool bias,
                          WeightView<float> weights,
                          GradientSpans gradients,
                          std::size_t i,
                          int in,
                          int out)
{
    const std::size_t at = bias ? 2 * i : i;
    return {
        in, out, weights[at].data(), gradients[at], bias ? gradients[at + 1] : std::span<float>()};
}

// f(offset of the slice's part of a row, its length) for every row.
template <class F>
void forRows(const Slice& slice, std::int64_t stride, const F& f)
{
    for (std::int64_t t = slice.tokens.first; t < slice.tokens.last; ++t) {
        f(t * stride + slice.columns.first, static_cast<std::size_t>(slice.columns.size()));
    }
}

} // namespace

HiddenLayerBackward::HiddenLayerBackward(const DenseFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights,
                                         GradientSpans gradients)
    : m_activation(ffn.activation)
    , m_dModel(size.dModel)
    , m_dFf(ffn.dFf)
    , m_first(linearAt(ffn.bias, weights, 0, size.dModel, ffn.dFf))
    , m_down(linearAt(ffn.bias, weights, 1, ffn.dFf, size.dModel))
    , m_firstBack(backwardAt(ffn.bias, weights, gradients, 0, size.dModel, ffn.dFf))
    , m_downBack(backwardAt(ffn.bias, weights, gradients, 1, ffn.dFf, size.dModel))
{
    computeIn(size.precision);
}

HiddenLayerBackward::HiddenLayerBackward(const GatedFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights,
                                         GradientSpans gradients)
    : m_activation(ffn.activation)
    , m_gateValues(ffn.activeGate())
    , m_dModel(size.dModel)
    , m_dFf(ffn.dFf)
    , m_first(linearAt(ffn.bias, weights, 0, size.dModel, ffn.dFf))
    , m_up(linearAt(ffn.bias, weights, 1, size.dModel, ffn.dFf))
    , m_down(linearAt(ffn.bias, weights, 2, ffn.dFf, size.dModel))
    , m_firstBack(backwardAt(ffn.bias, weights, gradients, 0, size.dModel, ffn.dFf))
    , m_upBack(backwardAt(ffn.bias, weights, gradients, 1, size.dModel, ffn.dFf))
    , m_downBack(backwardAt(ffn.bias, weights, gradients, 2, ffn.dFf, size.dModel))
{
    computeIn(size.precision);
}

void HiddenLayerBackward::computeIn(Precision precision)
{
    m_first.computedIn(precision);
    m_down.computedIn(precision);
    m_firstBack.computedIn(precision);
    m_downBack.computedIn(precision);
    if (m_up) {
        m_up->computedIn(precision);
        m_upBack->computedIn(precision);
    }
}

void HiddenLayerBackward::projectUp(const float* x,
                                    const HiddenRows& rows,
                                    const Slice& slice) const
{
    m_first.runSlice(x, m_up ? rows.gates : rows.hidden, slice);
    if (m_up) {
        m_up->runSlice(x, rows.dUp, slice);
    }
    forRows(slice, m_dFf, [&](std::int64_t at, std::size_t count) {
        if (m_up) {
            gateKeepingSlopes(m_activation,
                              m_gateValues,
                              rows.gates + at,
                              rows.dUp + at,
                              rows.hidden + at,
                              rows.slopes + at,
                              count);
        } else {
            activateKeepingSlopes(m_activation, rows.hidden + at, rows.slopes + at, count);
        }
    });
}

void HiddenLayerBackward::projectDown(const HiddenRows& rows, float* y, const Slice& slice) const
{
    m_down.runSlice(rows.hidden, y, slice);
}

void HiddenLayerBackward::hiddenGradients(const float* dy,
                                          const HiddenRows& rows,
                                          const Slice& slice) const
{
    float* dHidden = m_up ? rows.dUp : rows.dPreActivation;
    m_downBack.inputSlice(dy, dHidden, slice, Into::overwrite);
    forRows(slice, m_dFf, [&](std::int64_t at, std::size_t count) {
        multiplyBySaved(dHidden + at, rows.slopes + at, rows.dPreActivation + at, count);
        if (m_up) {
            multiplyBySaved(dHidden + at, rows.gates + at, rows.dUp + at, count);
        }
    });
}

void HiddenLayerBackward::downGradients(const HiddenRows& rows,
                                        const float* dy,
                                        const Range& own,
                                        const Slice& slice) const
{
    m_downBack.weightsSlice(rows.hidden + own.first * m_dFf,
                            dy + own.first * m_dModel,
                            own.size(),
                            slice,
                            Into::overwrite);
}

void HiddenLayerBackward::upGradients(const float* x,
                                      const HiddenRows& rows,
                                      const Range& own,
                                      const Slice& slice) const
{
    const float* from = x + own.first * m_dModel;
    const std::int64_t at = own.first * m_dFf;
    m_firstBack.weightsSlice(from, rows.dPreActivation + at, own.size(), slice, Into::overwrite);
    if (m_upBack) {
        m_upBack->weightsSlice(from, rows.dUp + at, own.size(), slice, Into::overwrite);
    }
}

void HiddenLayerBackward::input(const HiddenRows& rows, float* dx, const Slice& slice) const
{
    m_firstBack.inputSlice(rows.dPreActivation, dx, slice, Into::overwrite);
    if (m_upBack) {
        m_upBack->inputSlice(rows.dUp, dx, slice, Into::accumulate);
    }
}

} // namespace flopsmith::cpu
