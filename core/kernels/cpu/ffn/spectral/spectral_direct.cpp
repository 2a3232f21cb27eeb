// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/spectral/spectral_direct.h"

#include "core/kernels/cpu/ffn/hidden/hidden_blocks.h"
#include "core/kernels/cpu/ffn/spectral/spectral_bins.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flopsmith::cpu {
namespace {

// cos and sin of 2π·i/d for i of [0, d): every basis function is read from it.
class Circle
{
public:
    explicit Circle(int d)
    {
        for (int i = 0; i < d; ++i) {
            const double angle = 2 * std::numbers::pi * i / d;
            m_cos.push_back(std::cos(angle));
            m_sin.push_back(std::sin(angle));
        }
    }

    double cosine(int bin, int n) const { return m_cos[index(bin, n)]; }
    double sine(int bin, int n) const { return m_sin[index(bin, n)]; }

private:
    std::size_t index(int bin, int n) const
    {
        return static_cast<std::size_t>(bin) * static_cast<std::size_t>(n) % m_cos.size();
    }

    std::vector<double> m_cos;
    std::vector<double> m_sin;
};

// [d, 2k]: X_j = Σ_n x_n·(cos, −sin)(2π·jn/d).
Buffer analysisBasis(const Circle& circle, const std::vector<int>& bins, int d)
{
    Buffer basis(static_cast<std::size_t>(d) * 2 * bins.size());
    float* to = basis.data();
    for (int n = 0; n < d; ++n) {
        for (const int bin : bins) {
            *to++ = static_cast<float>(circle.cosine(bin, n));
            *to++ = static_cast<float>(-circle.sine(bin, n));
        }
    }
    return basis;
}

// [2k, d]: y_n = Σ_j c_j/d·(cos, −sin)(2π·jn/d)·(re, im); c is 1 for an unpaired bin, whose
// imaginary part does not matter, and 2 for the others.
Buffer synthesisBasis(const Circle& circle, const std::vector<int>& bins, int d)
{
    Buffer basis(static_cast<std::size_t>(d) * 2 * bins.size());
    float* to = basis.data();
    for (const int bin : bins) {
        const bool alone = isUnpaired(bin, d);
        for (int n = 0; n < d; ++n) {
            *to++ = static_cast<float>((alone ? 1.0 : 2.0) / d * circle.cosine(bin, n));
        }
        for (int n = 0; n < d; ++n) {
            *to++ = alone ? 0.0F : static_cast<float>(-2.0 / d * circle.sine(bin, n));
        }
    }
    return basis;
}

struct Bases
{
    Buffer analysis;
    Buffer synthesis;

    Bases(const Circle& circle, const std::vector<int>& bins, int d)
        : analysis(analysisBasis(circle, bins, d))
        , synthesis(synthesisBasis(circle, bins, d))
    {}
};

class SpectralDirectStage : public Stage
{
public:
    SpectralDirectStage(const SpectralFfn& ffn,
                        const StageSize& size,
                        const std::vector<float>& filter)
        : m_size(size)
        , m_width(2 * std::int64_t{ffn.kFreq})
        , m_filter(filter.data())
        , m_bases(Circle(size.dModel), ffn.candidateBins(size.dModel), size.dModel)
        , m_toBins(size.dModel, m_width, m_bases.analysis.data(), nullptr)
        , m_toFeatures(m_width, size.dModel, m_bases.synthesis.data(), nullptr)
        , m_blocks(size.tokens, m_width)
        , m_spectrum(static_cast<std::size_t>(m_blocks.elements()))
    {
        m_toFeatures.activatedBy(ffn.activation);
    }

    void run(const float* x, float* y) override
    {
        m_blocks.forEach([&](std::int64_t first, std::int64_t tokens) {
            const float* from = x + first * m_size.dModel;
            const Threads busy = threadsFor(m_size.threads, tokens * m_size.dModel * m_width);
            onThreads(busy, [&](int part) {
                const Slice slice = sliceOf(tokens, m_width, busy, part);
                m_toBins.product(from, m_spectrum.data(), slice);
                applyFilter(slice);
            });
            m_toFeatures.run(m_spectrum.data(), y + first * m_size.dModel, tokens, m_size.threads);
        });
    }

private:
    // Slices are cut at even columns: a bin's two parts stay together.
    void applyFilter(const Slice& slice)
    {
        const std::int64_t first = slice.columns.first;
        const auto bins = static_cast<std::size_t>(slice.columns.size() / 2);
        for (std::int64_t t = slice.tokens.first; t < slice.tokens.last; ++t) {
            float* const row = m_spectrum.data() + t * m_width;
            multiplyBins(m_filter + first, row + first, row + first, bins);
        }
    }

    StageSize m_size;
    std::int64_t m_width; ///< 2k
    const float* m_filter;
    Bases m_bases;
    Linear m_toBins;
    Linear m_toFeatures;
    HiddenBlocks m_blocks;
    Buffer m_spectrum;
};

// Saves X and the activation's slopes of all tokens.
class SpectralDirectBackwardStage : public BackwardStage
{
public:
    SpectralDirectBackwardStage(const SpectralFfn& ffn,
                                const StageSize& size,
                                const std::vector<float>& filter,
                                std::span<float> gradient)
        : m_size(size)
        , m_activation(ffn.activation)
        , m_width(2 * std::int64_t{ffn.kFreq})
        , m_filter(filter.data())
        , m_gradient(gradient)
        , m_bases(Circle(size.dModel), ffn.candidateBins(size.dModel), size.dModel)
        , m_toBins(size.dModel, m_width, m_bases.analysis.data(), nullptr)
        , m_toFeatures(m_width, size.dModel, m_bases.synthesis.data(), nullptr)
        , m_backToBins(size.dModel, m_width, m_bases.synthesis.data(), nullptr)
        , m_backToFeatures(m_width, size.dModel, m_bases.analysis.data(), nullptr)
        , m_blocks(size.tokens, m_width)
        , m_spectrum(static_cast<std::size_t>(size.tokens * m_width))
        , m_scratch(static_cast<std::size_t>(m_blocks.elements()))
        , m_slopes(
              ffn.activation == Activation::none ? 0 : static_cast<std::size_t>(size.activations()))
    {
        m_backToBins.transposed();
        m_backToFeatures.transposed();
    }

    void save(const float* x, float* y) override
    {
        const std::int64_t d = m_size.dModel;
        const auto bins = static_cast<std::size_t>(m_width / 2);
        m_toBins.run(x, m_spectrum.data(), m_size.tokens, m_size.threads);
        m_blocks.forEach([&](std::int64_t first, std::int64_t tokens) {
            for (std::int64_t t = 0; t < tokens; ++t) {
                const float* row = m_spectrum.data() + (first + t) * m_width;
                multiplyBins(m_filter, row, m_scratch.data() + t * m_width, bins);
            }
            m_toFeatures.run(m_scratch.data(), y + first * d, tokens, m_size.threads);
        });
        if (m_activation != Activation::none) {
            activateKeepingSlopes(m_activation, y, m_slopes.data(), m_slopes.size());
        }
    }

    void run(const float* dy, float* dx) override
    {
        std::fill(m_gradient.begin(), m_gradient.end(), 0.0F);
        m_blocks.forEach([&](std::int64_t first, std::int64_t tokens) {
            const std::int64_t at = first * m_size.dModel;
            const float* from = dy + at;
            if (m_activation != Activation::none) {
                throughActivation(dy + at, m_slopes.data() + at, dx + at, tokens);
                from = dx + at; // overwritten by the last product
            }
            m_backToBins.run(from, m_scratch.data(), tokens, m_size.threads);
            const Threads busy = threadsFor(m_size.threads, 8 * tokens * m_width);
            onThreads(busy, [&](int part) {
                constexpr std::int64_t kLine = 16;
                filterBackward(first, tokens, partOf(m_width, busy.count, part, kLine));
            });
            m_backToFeatures.run(m_scratch.data(), dx + at, tokens, m_size.threads);
        });
    }

private:
    void throughActivation(const float* dy,
                           const float* slopes,
                           float* dBefore,
                           std::int64_t tokens) const
    {
        const std::int64_t elements = tokens * m_size.dModel;
        const Threads busy = threadsFor(m_size.threads, 16 * elements);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(elements, busy.count, part);
            multiplyBySaved(dy + mine.first,
                            slopes + mine.first,
                            dBefore + mine.first,
                            static_cast<std::size_t>(mine.size()));
        });
    }

    // From the gradient of the products to the gradient of X, and some bins' contribution to the
    // filter's. One thread handles a bin for all tokens, so that its sum has one order.
    void filterBackward(std::int64_t first, std::int64_t tokens, const Range& columns)
    {
        const auto bins = static_cast<std::size_t>(columns.size() / 2);
        const float* const w = m_filter + columns.first;
        float* const sums = m_gradient.data() + columns.first;
        for (std::int64_t t = 0; t < tokens; ++t) {
            const float* x = m_spectrum.data() + (first + t) * m_width + columns.first;
            float* const row = m_scratch.data() + t * m_width + columns.first;
            multiplyBinsBackward(w, x, row, row, sums, bins);
        }
    }

    StageSize m_size;
    Activation m_activation;
    std::int64_t m_width; ///< 2k
    const float* m_filter;
    std::span<float> m_gradient;
    Bases m_bases;
    Linear m_toBins;
    Linear m_toFeatures;
    Linear m_backToBins;
    Linear m_backToFeatures;
    HiddenBlocks m_blocks;
    Buffer m_spectrum; ///< X of all tokens
    Buffer m_scratch; ///< of a block
    Buffer m_slopes; ///< of the activation, if there is one
};

} // namespace

Result<std::unique_ptr<Stage>> makeSpectralDirect(const SpectralFfn& ffn,
                                                  const StageSize& size,
                                                  const std::vector<float>& filter)
{
    return std::unique_ptr<Stage>(std::make_unique<SpectralDirectStage>(ffn, size, filter));
}

std::unique_ptr<BackwardStage> makeSpectralDirectBackward(const SpectralFfn& ffn,
                                                          const StageSize& size,
                                                          const std::vector<float>& filter,
                                                          std::span<float> gradient)
{
    return std::make_unique<SpectralDirectBackwardStage>(ffn, size, filter, gradient);
}

} // namespace flopsmith::cpu
