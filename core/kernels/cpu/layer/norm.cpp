// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/layer/norm_rows.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/buffer.h"
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

class NormKernel : public Kernel
{
public:
    NormKernel(const Norm& norm,
               const Shape& shape,
               WeightView<float> weights,
               std::span<const float> x,
               Threads threads)
        : m_norm(norm)
        , m_weights(weights)
        , m_x(x)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_dModel(static_cast<std::size_t>(shape.dModel))
        , m_threads(threads)
        , m_y(x.size())
    {}

    void run() override
    {
        const Threads busy = worthwhile(m_threads, m_tokens * static_cast<std::int64_t>(m_dModel));
        onThreads(busy, [this, busy](int part) {
            const Range mine = partOf(m_tokens, busy.count, part);
            for (std::int64_t t = mine.first; t < mine.last; ++t) {
                const std::size_t at = static_cast<std::size_t>(t) * m_dModel;
                normaliseRow(m_norm, m_weights, m_x.data() + at, m_y.data() + at, m_dModel);
            }
        });
    }

    std::span<const float> output() const override { return m_y.span(); }

private:
    Norm m_norm;
    WeightView<float> m_weights;
    std::span<const float> m_x;
    std::int64_t m_tokens;
    std::size_t m_dModel;
    Threads m_threads;
    Buffer m_y;
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
    const float square = sumOver(x, d, [mean](Lanes v) { return (v - mean) * (v - mean); }) / count;
    const float factor = 1.0F / std::sqrt(square + static_cast<float>(kNormEpsilon));
    transform(x, y, d, [=](Lanes v, std::size_t) { return (v - mean) * factor; });
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
    return factor;
}

Result<std::unique_ptr<Kernel>> prepare(const Norm& norm,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        Threads threads)
{
    FLOPSMITH_CHECK(x.size() == shape.activations());
    return prepared("the norm", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        return std::unique_ptr<Kernel>(
            std::make_unique<NormKernel>(norm, shape, weights, x, threads));
    });
}

} // namespace flopsmith::cpu
