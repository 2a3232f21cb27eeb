// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/spectral/spectral_fft.h"
#include "core/kernels/cpu/ffn/spectral/token_filter.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/token_backward.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

SpectralFfn withoutActivation(SpectralFfn ffn)
{
    ffn.activation = Activation::none;
    return ffn;
}

// Saves the passing bins of X of all tokens (of top_k also which these are), and the slopes of the
// activation.
class SpectralFftBackwardStage : public TokenBackwardStage
{
public:
    SpectralFftBackwardStage(const StageSize& size,
                             std::unique_ptr<Stage> forward,
                             TokenFilter filter,
                             std::span<float> gradient)
        : TokenBackwardStage(size, gradient.size())
        , m_forward(std::move(forward))
        , m_filter(std::move(filter))
        , m_activation(m_filter.ffn().activation)
        , m_passing(static_cast<std::size_t>(m_filter.ffn().kFreq))
        , m_gradient(gradient)
        , m_saved(static_cast<std::size_t>(size.tokens) * 2 * m_passing)
        , m_slopes(m_activation == Activation::none ? 0
                                                    : static_cast<std::size_t>(size.activations()))
        , m_lists(m_filter.ffn().selection == BinSelection::topK
                      ? static_cast<std::size_t>(size.tokens) * m_passing
                      : 0)
    {}

    void weightsChanged() override
    {
        m_forward->weightsChanged();
        m_filter.update();
    }

protected:
    void saveBlock(const float* x, float* y, const TokenBlock& block) override
    {
        m_forward->asTokenStage()->runBlock(x, y, block.tokens, block.thread);
        if (m_activation != Activation::none) {
            activateKeepingSlopes(
                m_activation, y, m_slopes.data() + at(block.first), at(block.tokens));
        }
        TokenFilter::Scratch& scratch = m_filter.scratch(block.thread);
        LargestSearch search;
        m_filter.transforms().forEach(
            block.tokens, [&](const TransformPair& pair, int first, bool) {
                pair.forward(x + at(first), scratch.spectra.data(), scratch.transforms.data());
                for (int row = 0; row < pair.rows; ++row) {
                    const float* spectrum = m_filter.spectrum(scratch, row);
                    const auto token = static_cast<std::size_t>(block.first + first + row);
                    saveBins(spectrum, m_filter.passing(spectrum, search, scratch), token);
                }
            });
    }

    void runBlock(const float* dy, float* dx, float* sums, const TokenBlock& block) override
    {
        TokenFilter::Scratch& scratch = m_filter.scratch(block.thread);
        float* const transforms = scratch.transforms.data();
        float* const spectra = scratch.spectra.data();
        m_filter.transforms().forEach(
            block.tokens, [&](const TransformPair& pair, int first, bool isLast) {
                const float* gradient = dy + at(first);
                const float* next = isLast ? nullptr : gradient + at(pair.rows);
                if (m_activation != Activation::none) {
                    const float* slopes = m_slopes.data() + at(block.first + first);
                    multiplyBySaved(gradient, slopes, dx + at(first), at(pair.rows));
                    gradient = dx + at(first);
                }
                pair.forward(gradient, spectra, transforms, next);
                for (int row = 0; row < pair.rows; ++row) {
                    const auto token = static_cast<std::size_t>(block.first + first + row);
                    filterToken(m_filter.spectrum(scratch, row), token, scratch, sums);
                }
                pair.inverse(spectra,
                             dx + at(first),
                             transforms,
                             m_activation == Activation::none ? storeKind() : StoreKind::cached);
            });
        fenceStreamingStores();
    }

    // With the factors of the forward pass's inverse transform: 1/d for an unpaired bin, 2/d for
    // the others.
    void finish(const float* sums) override
    {
        for (std::size_t i = 0; i < m_filter.candidates().size(); ++i) {
            const bool alone = isUnpaired(m_filter.candidates()[i], dModel());
            const float factor = (alone ? 1.0F : 2.0F) / static_cast<float>(dModel());
            m_gradient[2 * i] = factor * sums[2 * i];
            m_gradient[2 * i + 1] = factor * sums[2 * i + 1];
        }
    }

private:
    std::size_t at(std::int64_t token) const
    {
        return static_cast<std::size_t>(token) * static_cast<std::size_t>(dModel());
    }

    void saveBins(const float* spectrum, std::span<const int> passing, std::size_t token)
    {
        gatherBins(spectrum, passing, m_saved.data() + token * 2 * m_passing);
        if (!m_lists.empty()) {
            std::copy_n(passing.data(), m_passing, m_lists.data() + token * m_passing);
        }
    }

    std::span<const int> passing(std::size_t token) const
    {
        return m_lists.empty()
            ? m_filter.candidates()
            : std::span<const int>(m_lists).subspan(token * m_passing, m_passing);
    }

    // From the spectrum of dy to that of dx, and the token's contribution to the filter's gradient.
    void filterToken(float* spectrum,
                     std::size_t token,
                     TokenFilter::Scratch& scratch,
                     float* sums) const
    {
        const float* w = m_filter.weights();
        const float* x = m_saved.data() + token * 2 * m_passing;
        const auto multiply = [&](std::size_t weight,
                                  std::size_t i,
                                  const float* g,
                                  float* product,
                                  std::size_t count) {
            multiplyBinsBackward(w + 2 * weight, x + 2 * i, g, product, sums + 2 * weight, count);
        };
        m_filter.apply(spectrum, passing(token), scratch, multiply);
    }

    std::unique_ptr<Stage> m_forward; ///< without the activation
    TokenFilter m_filter;
    Activation m_activation;
    std::size_t m_passing; ///< k
    std::span<float> m_gradient;
    Buffer m_saved; ///< [T, k] complex
    Buffer m_slopes;
    LedgerVector<std::int32_t> m_lists; ///< [T, k], of top_k
};

} // namespace

Result<std::unique_ptr<BackwardStage>> makeSpectralFftBackward(const SpectralFfn& ffn,
                                                               const StageSize& size,
                                                               const std::vector<float>& filter,
                                                               std::span<float> gradient)
{
    FLOPSMITH_TRY(std::unique_ptr<Stage> forward,
                  makeSpectralFft(withoutActivation(ffn), size, filter));
    FLOPSMITH_TRY(TokenFilter made, TokenFilter::create(ffn, size, filter));
    return std::unique_ptr<BackwardStage>(std::make_unique<SpectralFftBackwardStage>(
        size, std::move(forward), std::move(made), gradient));
}

} // namespace flopsmith::cpu
