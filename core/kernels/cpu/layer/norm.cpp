// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/layer/norm_rows.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/row_math.h"

#include <cmath>

namespace flopsmith::cpu {
namespace {

// Σ f(x_j)
template <class F>
float sumOver(const float* x, std::size_t d, const F& f)
{
    return sumAlong(d, [&](std::size_t i, const auto& at) { return f(at(x + i)); });
}

class NormForward
{
public:
    NormForward(const Norm& norm, const Shape& shape, WeightView<float> weights, Threads threads)
        : m_norm(norm)
        , m_weights(weights)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_dModel(shape.dModel)
        , m_threads(threadsFor(threads, m_tokens * m_dModel))
    {}

    void run(std::span<const float> x, float* y) const
    {
        onThreads(m_threads, [&](int part) {
            const Range mine = partOf(m_tokens, m_threads.count, part);
            for (std::int64_t t = mine.first; t < mine.last; ++t) {
                normaliseRow(m_norm,
                             m_weights,
                             x.data() + t * m_dModel,
                             y + t * m_dModel,
                             static_cast<std::size_t>(m_dModel));
            }
        });
    }

private:
    Norm m_norm;
    WeightView<float> m_weights;
    std::int64_t m_tokens;
    std::int64_t m_dModel;
    Threads m_threads; ///< as many as are worth waking
};

} // namespace

float normaliseRow(const Norm& norm,
                   WeightView<float> weights,
                   const float* x,
                   float* y,
                   std::size_t d)
{
    if (norm.kind == NormKind::none) {
        if (y != x) {
            std::copy_n(x, d, y);
        }
        return 1.0F;
    }
    const auto count = static_cast<float>(d);
    const float mean =
        norm.kind == NormKind::layerNorm ? sumOver(x, d, [](Lanes v) { return v; }) / count : 0.0F;
    const float variance =
        sumOver(x, d, [mean](Lanes v) { return (v - mean) * (v - mean); }) / count;
    const float rstd = 1.0F / std::sqrt(variance + static_cast<float>(norm.epsilon));
    transform(x, y, d, [=](Lanes v, std::size_t) { return (v - mean) * rstd; });
    if (norm.scale) {
        const float* gamma = weights[0].data();
        for (std::size_t j = 0; j < d; ++j) {
            y[j] *= gamma[j];
        }
    }
    if (norm.hasShift()) {
        const float* beta = weights[norm.scale ? 1 : 0].data();
        for (std::size_t j = 0; j < d; ++j) {
            y[j] += beta[j];
        }
    }
    return rstd;
}

Result<std::unique_ptr<Kernel>> prepare(const Norm& norm,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        Threads threads)
{
    FLOPSMITH_CHECK(x.size() == shape.activations());
    return prepared("the norm", threads, [&] {
        return forwardKernel(NormForward(norm, shape, weights, threads), x, x.size());
    });
}

} // namespace flopsmith::cpu
