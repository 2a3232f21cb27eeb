// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/mixer/scan/mamba2_pass.h"
#include "core/kernels/cpu/mixer/scan/scan_backward.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

#include <cmath>

namespace flopsmith::cpu {
namespace {

class Mamba2Backward
{
public:
    Mamba2Backward(const ScanPlan& plan,
                   WeightView<float> weights,
                   GradientSpans gradients,
                   Threads threads)
        : m_weights(weights)
        , m_gradients(gradients)
        , m_threads(threads)
        , m_forward(plan, weights, threads, Mamba2Pass::Keeps::activations)
        , m_scan(plan, threads)
        , m_dOutputs(bufferSize(plan.tokens, plan.inner))
        , m_gated(bufferSize(plan.tokens, plan.inner))
        , m_dInputs(bufferSize(plan.tokens, plan.channels))
        , m_dSteps(bufferSize(plan.tokens, plan.heads))
        , m_dProjected(bufferSize(plan.tokens, plan.projected))
    {}

    // y may be null.
    void save(std::span<const float> x, float* y)
    {
        m_x = x;
        m_forward.run(input(), y);
    }

    void run(const float* dy, float* dx)
    {
        const ScanPlan& n = m_forward.plan();
        const Mamba2Tensors& at = m_forward.tensors();
        const LinearBackward out = linearBack(n.inner, n.dModel, at.out, at.outBias);
        out.weights(m_forward.normed(), dy, n.tokens, m_threads);
        out.input(dy, m_dOutputs.data(), n.tokens, m_threads);
        m_forward.gatedNorm().runBackward(m_forward.factors(),
                                          m_dOutputs.data(),
                                          m_gated.data(),
                                          m_dProjected.data(),
                                          n.spec.gatedNorm ? m_gradients[at.norm]
                                                           : std::span<float>(),
                                          m_threads);
        m_scan.run(m_forward.scanInput(input()),
                   m_forward.scan(),
                   m_forward.outputs(),
                   m_dOutputs.data(),
                   {.inputs = m_dInputs.data(),
                    .steps = m_dSteps.data(),
                    .logDecays = m_gradients[at.decay],
                    .skips = m_gradients[at.skip]});
        stepsBackward();
        sumTokens(m_dSteps.data(), n.tokens, m_gradients[at.stepBias], m_threads);
        convolveBackward(n,
                         m_forward.convolutionInput(input()),
                         m_forward.convolved(),
                         m_weights[at.conv].data(),
                         m_dInputs.data(),
                         m_dProjected.data(),
                         m_gradients[at.conv],
                         n.spec.convBias ? m_gradients[at.convBias] : std::span<float>(),
                         m_threads);
        const LinearBackward in = linearBack(n.dModel, n.projected, at.in, at.inBias);
        in.weights(m_x.data(), m_dProjected.data(), n.tokens, m_threads);
        in.input(m_dProjected.data(), dx, n.tokens, m_threads);
    }

private:
    MixerInput input() const { return {.x = m_x, .cachedKeys = {}, .cachedValues = {}}; }

    // A bias of 0 means none.
    LinearBackward linearBack(std::int64_t in,
                              std::int64_t out,
                              std::size_t weight,
                              std::size_t bias) const
    {
        return LinearBackward(in,
                              out,
                              m_weights[weight].data(),
                              m_gradients[weight],
                              bias > 0 ? m_gradients[bias] : std::span<float>())
            .computedIn(m_forward.plan().precision);
    }

    // Through log(1 + e^x): times σ(x).
    void stepsBackward()
    {
        const ScanPlan& n = m_forward.plan();
        const Threads busy = threadsFor(m_threads, 32 * n.tokens * n.heads);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(n.tokens, busy.count, part);
            for (std::int64_t t = mine.first; t < mine.last; ++t) {
                float* to = m_dProjected.data() + t * n.projected + n.inner + n.channels;
                for (std::int64_t head = 0; head < n.heads; ++head) {
                    float& step = m_dSteps.data()[t * n.heads + head];
                    step /= 1.0F + std::exp(-m_forward.rawSteps()[t * n.heads + head]);
                    to[head] = step;
                }
            }
        });
    }

    WeightView<float> m_weights;
    GradientSpans m_gradients;
    std::span<const float> m_x; ///< of the last save()
    Threads m_threads;
    Mamba2Pass m_forward;
    ScanBackward m_scan;
    Buffer m_dOutputs; ///< of what was gated, then of the scan's outputs [T, P]
    Buffer m_gated; ///< scratch [T, P]
    Buffer m_dInputs; ///< [T, channels]
    Buffer m_dSteps; ///< [T, H]
    Buffer m_dProjected; ///< [T, z | x | B | C | Δ]
};

} // namespace

Result<std::unique_ptr<TrainingKernel>> prepareBackward(const Mamba2& mixer,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision)
{
    return prepared<TrainingKernel>(Mamba2::info().title, threads, [&] {
        GradientOutput output(x.size(), flopsmith::weights(mixer, shape.dModel));
        Mamba2Backward pass(
            ScanPlan(mixer, shape, precision), weights, output.gradients(), threads);
        return backwardKernel(std::move(pass), std::move(output), x, dy);
    });
}

} // namespace flopsmith::cpu
