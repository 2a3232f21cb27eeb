// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer/logit_input.h"

#include "core/kernels/cpu/layer/norm_rows.h"
#include "core/kernels/cpu/simd/activation.h"

#include <algorithm>

namespace flopsmith::cpu {

std::int64_t logitWidth(const Head& head, const Shape& shape, WeightView<float> weights)
{
    const bool leads = head.hasTransform() || head.hasProjection();
    return leads ? static_cast<std::int64_t>(weights[0].size()) / shape.dModel : shape.dModel;
}

void scaleValues(float* values, std::size_t count, float factor, Threads threads)
{
    const auto size = static_cast<std::int64_t>(count);
    const Threads busy = threadsFor(threads, size);
    onThreads(busy, [&](int part) {
        const Range mine = partOf(size, busy.count, part);
        for (std::int64_t i = mine.first; i < mine.last; ++i) {
            values[i] *= factor;
        }
    });
}

LogitInput::LogitInput(const Head& head,
                       const Shape& shape,
                       WeightView<float> weights,
                       Threads threads,
                       Precision precision)
    : m_head(head)
    , m_tokens(static_cast<std::int64_t>(shape.tokens()))
    , m_dModel(shape.dModel)
    , m_width(logitWidth(head, shape, weights))
    , m_weights(weights)
    , m_threads(threads)
    , m_precision(precision)
{}

void LogitInput::run(const float* x, float* y) const
{
    linear(x, y);
    activate(y);
    normalise(y);
    scale(y);
}

void LogitInput::linear(const float* x, float* y) const
{
    if (m_head.hasTransform() || m_head.hasProjection()) {
        const bool bias = m_head.hasTransform() && m_head.transformBias;
        Linear layer(m_dModel, m_width, m_weights[0].data(), bias ? m_weights[1].data() : nullptr);
        layer.computedIn(m_precision).run(x, y, m_tokens, m_threads);
    } else {
        std::copy_n(x, elements(), y);
    }
}

void LogitInput::activate(float* y) const
{
    if (m_head.hasTransform() && m_head.activation != Activation::none) {
        const auto size = static_cast<std::int64_t>(elements());
        const Threads busy = threadsFor(m_threads, size);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(size, busy.count, part);
            addBiasAndActivate(
                m_head.activation, nullptr, y + mine.first, static_cast<std::size_t>(mine.size()));
        });
    }
}

void LogitInput::activateKeepingSlopes(float* y, float* slopes) const
{
    const auto size = static_cast<std::int64_t>(elements());
    const Threads busy = threadsFor(m_threads, size);
    onThreads(busy, [&](int part) {
        const Range mine = partOf(size, busy.count, part);
        cpu::activateKeepingSlopes(m_head.activation,
                                   y + mine.first,
                                   slopes + mine.first,
                                   static_cast<std::size_t>(mine.size()));
    });
}

void LogitInput::normalise(float* y) const
{
    if (!m_head.hasTransform() || m_head.norm.kind == NormKind::none) {
        return;
    }
    const WeightView<float> norm = m_weights.subspan(m_head.transformBias ? 2 : 1);
    const Threads busy = threadsFor(m_threads, m_tokens * m_width);
    onThreads(busy, [&](int part) {
        const Range mine = partOf(m_tokens, busy.count, part);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            float* row = y + t * m_width;
            normaliseRow(m_head.norm, norm, row, row, static_cast<std::size_t>(m_width));
        }
    });
}

void LogitInput::scale(float* y) const
{
    if (m_head.hasScale()) {
        const auto factor = static_cast<float>(headScale(m_head, static_cast<int>(m_dModel)));
        scaleValues(y, elements(), factor, m_threads);
    }
}

} // namespace flopsmith::cpu
