// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/moe/moe_shared_backward.h"

#include "core/kernels/cpu/ffn/moe/moe_routing.h"
#include "core/kernels/cpu/gemm/product.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

void scaled(const float* from, float factor, std::int64_t count, float* to)
{
    std::transform(from, from + count, to, [factor](float value) { return factor * value; });
}

} // namespace

MoeSharedBackward::MoeSharedBackward(const MoeFfn& ffn,
                                     const StageSize& size,
                                     WeightView<float> weights,
                                     GradientSpans gradients,
                                     std::unique_ptr<BackwardStage> stage)
    : m_size(size)
    , m_stage(std::move(stage))
{
    if (ffn.hasSharedGate()) {
        const std::size_t at = MoeTensors(ffn, size.dModel).sharedGate;
        m_weight = weights[at].data();
        m_gate.emplace(size.dModel, 1, m_weight, gradients[at]);
        m_y = Buffer(bufferSize(size.tokens, size.dModel));
        m_dy = Buffer(m_y.size());
        m_factors = Buffer(static_cast<std::size_t>(size.tokens));
        m_dLogits = Buffer(m_factors.size());
    }
}

void MoeSharedBackward::save(const float* x, float* y)
{
    m_x = x;
    m_stage->save(x, m_gate ? m_y.data() : y);
    for (std::int64_t t = 0; m_gate && t < m_size.tokens; ++t) {
        const std::int64_t at = t * m_size.dModel;
        const float factor = gateFactor(x + at, m_weight, m_size.dModel);
        m_factors.data()[t] = factor;
        scaled(m_y.data() + at, factor, m_size.dModel, y + at);
    }
}

void MoeSharedBackward::run(const float* dy, float* dx)
{
    if (!m_gate) {
        m_stage->run(dy, dx);
        return;
    }
    const Threads busy = threadsFor(m_size.threads, 2 * m_size.activations());
    onThreads(busy, [&](int part) {
        const Range mine = partOf(m_size.tokens, busy.count, part);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            throughGate(t, dy);
        }
    });
    m_stage->run(m_dy.data(), dx);
    m_gate->weights(m_x, m_dLogits.data(), m_size.tokens, m_size.threads);
    m_gate->input(m_dLogits.data(), dx, m_size.tokens, m_size.threads, Into::accumulate);
}

void MoeSharedBackward::throughGate(std::int64_t token, const float* dy)
{
    const std::int64_t d = m_size.dModel;
    const std::int64_t at = token * d;
    const float factor = m_factors.data()[token];
    float dFactor = 0.0F;
    multiply({1, d, 1}, {dy + at, d}, {m_y.data() + at, d}, Stored::transposed, {&dFactor, 1});
    m_dLogits.data()[token] = dFactor * factor * (1.0F - factor);
    scaled(dy + at, factor, d, m_dy.data() + at);
}

} // namespace flopsmith::cpu
