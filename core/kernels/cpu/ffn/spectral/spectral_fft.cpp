// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/spectral/spectral_fft.h"

#include "core/kernels/cpu/ffn/spectral/token_filter.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/lanes.h"

namespace flopsmith::cpu {
namespace {

class SpectralFftStage : public TokenStage
{
public:
    SpectralFftStage(const StageSize& size, TokenFilter filter)
        : TokenStage(size)
        , m_filter(std::move(filter))
    {}

    void runBlock(const float* x, float* y, int tokens, int thread) override
    {
        LargestSearch search;
        TokenFilter::Scratch& scratch = m_filter.scratch(thread);
        m_filter.transforms().forEach(
            tokens, [&](const TransformPair& pair, int first, bool isLast) {
                const float* from = x + at(first);
                const float* next = isLast ? nullptr : from + at(pair.rows);
                pair.forward(from, scratch.spectra.data(), scratch.transforms.data(), next);
                for (int row = 0; row < pair.rows; ++row) {
                    filterToken(m_filter.spectrum(scratch, row), search, scratch);
                }
                inverse(pair, y + at(first), scratch);
            });
        fenceStreamingStores();
    }

    void weightsChanged() override { m_filter.update(); }

private:
    std::size_t at(int token) const
    {
        return static_cast<std::size_t>(token) * static_cast<std::size_t>(dModel());
    }

    void filterToken(float* spectrum, LargestSearch& search, TokenFilter::Scratch& scratch) const
    {
        const auto multiply = [w = m_filter.weights()](std::size_t weight,
                                                       std::size_t /*i*/,
                                                       const float* z,
                                                       float* product,
                                                       std::size_t count) {
            multiplyBins(w + 2 * weight, z, product, count);
        };
        m_filter.apply(spectrum, m_filter.passing(spectrum, search, scratch), scratch, multiply);
    }

    void inverse(const TransformPair& pair, float* y, TokenFilter::Scratch& scratch) const
    {
        const Activation activation = m_filter.ffn().activation;
        const bool isLastPass = activation == Activation::none;
        pair.inverse(scratch.spectra.data(),
                     y,
                     scratch.transforms.data(),
                     isLastPass ? storeKind() : StoreKind::cached);
        addBiasAndActivate(activation, nullptr, y, at(pair.rows));
    }

    TokenFilter m_filter;
};

} // namespace

Result<std::unique_ptr<Stage>> makeSpectralFft(const SpectralFfn& ffn,
                                               const StageSize& size,
                                               const std::vector<float>& filter)
{
    FLOPSMITH_TRY(TokenFilter made, TokenFilter::create(ffn, size, filter));
    return std::unique_ptr<Stage>(std::make_unique<SpectralFftStage>(size, std::move(made)));
}

} // namespace flopsmith::cpu
