// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/scan/mamba2_pass.h"

#include <cmath>

namespace flopsmith::cpu {
namespace {

// log(1 + e^x)
float softplus(float x)
{
    return x > 20.0F ? x : std::log1p(std::exp(x));
}

Linear linearOf(std::int64_t in,
                std::int64_t out,
                WeightView<float> weights,
                std::size_t weight,
                std::size_t bias,
                Precision precision)
{
    Linear linear(in, out, weights[weight].data(), bias == 0 ? nullptr : weights[bias].data());
    return linear.computedIn(precision);
}

std::size_t ifKept(bool kept, std::int64_t rows, std::int64_t width)
{
    return kept ? bufferSize(rows, width) : 0;
}

} // namespace

Mamba2Pass::Mamba2Pass(const ScanPlan& plan,
                       WeightView<float> weights,
                       Threads threads,
                       Keeps keeps)
    : m_plan(plan)
    , m_weights(weights)
    , m_tensors(plan.spec)
    , m_threads(threads)
    , m_in(linearOf(plan.dModel,
                    plan.projected,
                    weights,
                    m_tensors.in,
                    m_tensors.inBias,
                    plan.precision))
    , m_out(linearOf(plan.inner,
                     plan.dModel,
                     weights,
                     m_tensors.out,
                     m_tensors.outBias,
                     plan.precision))
    , m_scan(plan, threads, keeps == Keeps::activations)
    , m_projected(bufferSize(plan.tokens, plan.projected))
    , m_inputs(bufferSize(plan.tokens, plan.channels))
    , m_convolved(ifKept(keeps == Keeps::activations, plan.tokens, plan.channels))
    , m_steps(bufferSize(plan.tokens, plan.heads))
    , m_rawSteps(ifKept(keeps == Keeps::activations, plan.tokens, plan.heads))
    , m_decays(bufferSize(1, plan.heads))
    , m_outputs(bufferSize(plan.tokens, plan.inner))
    , m_normed(bufferSize(plan.tokens, plan.inner))
    , m_factors(ifKept(keeps == Keeps::activations, plan.tokens, plan.spec.normGroups))
{
    if (keeps == Keeps::nothing) {
        m_in.packed(plan.tokens, threads);
        m_out.packed(plan.tokens, threads);
    }
}

void Mamba2Pass::run(const MixerInput& input, float* y)
{
    const bool keeps = m_rawSteps.size() > 0;
    m_in.run(input.x.data(), m_projected.data(), m_plan.tokens, m_threads);
    convolve(m_plan,
             convolutionInput(input),
             m_weights[m_tensors.conv].data(),
             m_plan.spec.convBias ? m_weights[m_tensors.convBias].data() : nullptr,
             m_inputs.data(),
             keeps ? m_convolved.data() : nullptr,
             m_threads);
    computeSteps();
    m_scan.run(scanInput(input), m_outputs.data());
    gatedNorm().run(m_normed.data(), keeps ? m_factors.data() : nullptr, m_threads);
    if (y != nullptr) {
        m_out.run(m_normed.data(), y, m_plan.tokens, m_threads);
    }
}

void Mamba2Pass::computeSteps()
{
    const std::vector<float>& bias = m_weights[m_tensors.stepBias];
    const std::vector<float>& logDecays = m_weights[m_tensors.decay];
    for (std::int64_t head = 0; head < m_plan.heads; ++head) {
        m_decays.data()[head] = -std::exp(logDecays[static_cast<std::size_t>(head)]);
    }
    const bool keeps = m_rawSteps.size() > 0;
    const Threads busy = threadsFor(m_threads, 64 * m_plan.tokens * m_plan.heads);
    onThreads(busy, [&](int part) {
        const Range mine = partOf(m_plan.tokens, busy.count, part);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            const float* from =
                m_projected.data() + t * m_plan.projected + m_plan.inner + m_plan.channels;
            for (std::int64_t head = 0; head < m_plan.heads; ++head) {
                const float raw = from[head] + bias[static_cast<std::size_t>(head)];
                m_steps.data()[t * m_plan.heads + head] = softplus(raw);
                if (keeps) {
                    m_rawSteps.data()[t * m_plan.heads + head] = raw;
                }
            }
        }
    });
}

ConvolutionInput Mamba2Pass::convolutionInput(const MixerInput& input) const
{
    return {m_projected.data(), input.cachedValues};
}

ScanInput Mamba2Pass::scanInput(const MixerInput& input) const
{
    return {.inputs = m_inputs.data(),
            .steps = m_steps.data(),
            .decays = m_decays.data(),
            .skips = m_weights[m_tensors.skip].data(),
            .cached = input.cachedKeys};
}

GatedNorm Mamba2Pass::gatedNorm() const
{
    return {m_plan,
            m_plan.spec.gatedNorm ? m_weights[m_tensors.norm].data() : nullptr,
            m_projected.data(),
            m_outputs.data()};
}

} // namespace flopsmith::cpu
