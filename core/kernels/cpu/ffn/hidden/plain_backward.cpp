// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/hidden/plain_backward.h"

namespace flopsmith::cpu {

PlainBackwardStage::PlainBackwardStage(const HiddenLayerBackward& layer, const StageSize& size)
    : m_layer(layer)
    , m_size(size)
    , m_hidden(layer.isGated(), size.tokens, layer.dFf())
{}

// All steps are products of the same three sizes, two of which are cut.
template <class Step>
void PlainBackwardStage::onSlices(std::int64_t rows, std::int64_t columns, const Step& step) const
{
    const Threads busy = threadsFor(m_size.threads, m_size.tokens * m_size.dModel * m_layer.dFf());
    onThreads(busy, [&](int part) { step(sliceOf(rows, columns, busy, part)); });
}

void PlainBackwardStage::save(const float* x, float* y)
{
    m_x = x;
    const HiddenRows rows = m_hidden.rows();
    onSlices(m_size.tokens, m_layer.dFf(), [&](const Slice& s) { m_layer.projectUp(x, rows, s); });
    onSlices(
        m_size.tokens, m_size.dModel, [&](const Slice& s) { m_layer.projectDown(rows, y, s); });
}

void PlainBackwardStage::run(const float* dy, float* dx)
{
    const HiddenRows rows = m_hidden.rows();
    const std::int64_t d = m_size.dModel;
    const std::int64_t f = m_layer.dFf();
    const Range all{0, m_size.tokens};
    onSlices(m_size.tokens, f, [&](const Slice& s) { m_layer.hiddenGradients(dy, rows, s); });
    onSlices(f, d, [&](const Slice& s) { m_layer.downGradients(rows, dy, all, s); });
    onSlices(d, f, [&](const Slice& s) { m_layer.upGradients(m_x, rows, all, s); });
    onSlices(m_size.tokens, d, [&](const Slice& s) { m_layer.input(rows, dx, s); });
}

} // namespace flopsmith::cpu
