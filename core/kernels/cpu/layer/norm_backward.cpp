// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer/norm_backward.h"

#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/layer/norm_rows.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

bool isPresent(const Norm& norm)
{
    return norm.kind != NormKind::none;
}

} // namespace

NormBackward::NormBackward(const Norm& norm,
                           std::int64_t tokens,
                           int dModel,
                           WeightView<float> weights,
                           GradientSpans gradients,
                           Threads threads)
    : m_norm(norm)
    , m_tokens(tokens)
    , m_dModel(static_cast<std::size_t>(dModel))
    , m_weights(weights)
    , m_gradients(gradients)
    , m_threads(threadsFor(threads, tokens * dModel))
    , m_normalised(isPresent(norm) ? static_cast<std::size_t>(tokens) * m_dModel : 0)
    , m_rstd(isPresent(norm) ? static_cast<std::size_t>(tokens) : 0)
    , m_partials(isPresent(norm) ? static_cast<std::size_t>(m_threads.count) * 2 * m_dModel : 0)
{}

void NormBackward::save(const float* x)
{
    const Norm bare{.kind = m_norm.kind, .scale = false, .shift = false, .epsilon = m_norm.epsilon};
    for (std::int64_t t = 0; isPresent(m_norm) && t < m_tokens; ++t) {
        const std::size_t at = static_cast<std::size_t>(t) * m_dModel;
        m_rstd.data()[t] = normaliseRow(bare, {}, x + at, m_normalised.data() + at, m_dModel);
    }
}

void NormBackward::save(std::span<const float> x, float* y)
{
    save(x.data());
    const float* const from = isPresent(m_norm) ? m_normalised.data() : x.data();
    const float* const gamma = isPresent(m_norm) && m_norm.scale ? m_weights[0].data() : nullptr;
    const float* const beta = m_norm.hasShift() ? m_weights[m_norm.scale ? 1 : 0].data() : nullptr;
    for (std::size_t at = 0; y != nullptr && at < x.size(); at += m_dModel) {
        for (std::size_t j = 0; j < m_dModel; ++j) {
            const float scaled = gamma == nullptr ? from[at + j] : from[at + j] * gamma[j];
            y[at + j] = beta == nullptr ? scaled : scaled + beta[j];
        }
    }
}

void NormBackward::run(const float* dy, float* dx)
{
    onThreads(m_threads, [&](int part) {
        const Range mine = partOf(m_tokens, m_threads.count, part);
        if (!isPresent(m_norm)) {
            const auto d = static_cast<std::int64_t>(m_dModel);
            std::copy_n(dy + mine.first * d, mine.size() * d, dx + mine.first * d);
            return;
        }
        std::fill_n(partial(part), 2 * m_dModel, 0.0F);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            const std::size_t at = static_cast<std::size_t>(t) * m_dModel;
            const float* n = m_normalised.data() + at;
            tokenBackward(n, m_rstd.data()[t], dy + at, dx + at);
            addToGradients(n, dy + at, partial(part));
        }
    });
    sumPartials();
}

float* NormBackward::partial(int part)
{
    return m_partials.data() + static_cast<std::size_t>(part) * 2 * m_dModel;
}

void NormBackward::tokenBackward(const float* n, float rstd, const float* dy, float* dx) const
{
    const float* g = dy;
    if (m_norm.scale) {
        const float* gamma = m_weights[0].data();
        for (std::size_t j = 0; j < m_dModel; ++j) {
            dx[j] = dy[j] * gamma[j];
        }
        g = dx;
    }
    const auto count = static_cast<float>(m_dModel);
    const float projection = dotOfRows(g, n, m_dModel) / count;
    const float mean = m_norm.kind == NormKind::layerNorm
        ? sumAlong(m_dModel, [g](std::size_t i, const auto& at) { return at(g + i); }) / count
        : 0.0F;
    for (std::size_t j = 0; j < m_dModel; ++j) {
        dx[j] = (g[j] - mean - n[j] * projection) * rstd;
    }
}

void NormBackward::addToGradients(const float* n, const float* dy, float* sums) const
{
    for (std::size_t j = 0; m_norm.scale && j < m_dModel; ++j) {
        sums[j] += dy[j] * n[j];
    }
    float* shifts = sums + m_dModel;
    for (std::size_t j = 0; m_norm.hasShift() && j < m_dModel; ++j) {
        shifts[j] += dy[j];
    }
}

void NormBackward::sumPartials()
{
    const auto sum = [this](std::span<float> gradient, std::size_t first) {
        std::copy_n(partial(0) + first, m_dModel, gradient.data());
        for (int part = 1; part < m_threads.count; ++part) {
            const float* more = partial(part) + first;
            for (std::size_t j = 0; j < m_dModel; ++j) {
                gradient[j] += more[j];
            }
        }
    };
    if (isPresent(m_norm) && m_norm.scale) {
        sum(m_gradients[0], 0);
    }
    if (m_norm.hasShift()) {
        sum(m_gradients[m_norm.scale ? 1 : 0], m_dModel);
    }
}

Result<std::unique_ptr<TrainingKernel>> prepareBackward(const Norm& norm,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads)
{
    FLOPSMITH_CHECK(x.size() == shape.activations() && dy.size() == x.size());
    return prepared<TrainingKernel>("the norm", threads, [&] {
        GradientOutput output(x.size(), flopsmith::weights(norm, shape.dModel));
        NormBackward pass(norm,
                          static_cast<std::int64_t>(shape.tokens()),
                          shape.dModel,
                          weights,
                          output.gradients(),
                          threads);
        return backwardKernel(std::move(pass), std::move(output), x, dy);
    });
}

} // namespace flopsmith::cpu
