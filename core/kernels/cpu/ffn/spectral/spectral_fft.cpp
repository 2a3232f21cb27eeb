// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/spectral/spectral_fft.h"

#include "core/kernels/cpu/ffn/spectral/spectral_bins.h"
#include "core/kernels/cpu/ffn/spectral/token_transforms.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/lanes.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// w·z for `count` neighbours; `z` may be `product`.
void multiplyBins(const float* w, const float* z, float* product, std::size_t count)
{
    for (std::size_t i = 0; i < 2 * count; i += 2) {
        const float re = w[i] * z[i] - w[i + 1] * z[i + 1];
        const float im = w[i] * z[i + 1] + w[i + 1] * z[i];
        product[i] = re;
        product[i + 1] = im;
    }
}

class SpectralFftStage : public TokenStage
{
public:
    SpectralFftStage(const SpectralFfn& ffn,
                     const StageSize& size,
                     const std::vector<float>& filter,
                     const TokenTransforms& transforms)
        : TokenStage(size)
        , m_ffn(ffn)
        , m_bins(static_cast<std::size_t>(SpectralFfn::bins(size.dModel)))
        , m_transforms(transforms)
        , m_layout(ffn, size)
        , m_learned(ffn.selection == BinSelection::learned ? ffn.candidateBins(size.dModel)
                                                           : std::vector<int>())
        , m_filter(filter.size())
        , m_scratch(static_cast<std::size_t>(size.threads.count) * m_layout.end)
    {
        const float scale = 1.0F / static_cast<float>(size.dModel);
        std::transform(filter.begin(), filter.end(), m_filter.data(), [scale](float w) {
            return w * scale; // of the inverse transform
        });
    }

    void runBlock(const float* x, float* y, int tokens, int thread) override
    {
        LargestSearch search;
        m_transforms.forEach(tokens, [&](const TransformPair& pair, int first, bool isLast) {
            const float* next = isLast ? nullptr : x + at(first + pair.rows);
            transformRows(pair, x + at(first), next, y + at(first), search, thread);
        });
        fenceStreamingStores();
    }

private:
    std::size_t at(int token) const
    {
        return static_cast<std::size_t>(token) * static_cast<std::size_t>(dModel());
    }

    void transformRows(const TransformPair& pair,
                       const float* x,
                       const float* next,
                       float* y,
                       LargestSearch& search,
                       int thread)
    {
        float* scratch = m_scratch.data() + static_cast<std::size_t>(thread) * m_layout.end;
        float* spectrum = scratch + m_layout.spectrum;
        pair.forward(x, spectrum, scratch + m_layout.transforms, next);
        for (int row = 0; row < pair.rows; ++row) {
            filterToken(spectrum + static_cast<std::size_t>(row) * 2 * m_bins, search, scratch);
        }
        const bool isLastPass = m_ffn.activation == Activation::none;
        pair.inverse(spectrum,
                     y,
                     scratch + m_layout.transforms,
                     isLastPass ? storeKind() : StoreKind::cached);
        addBiasAndActivate(m_ffn.activation, nullptr, y, at(pair.rows));
    }

    void filterToken(float* spectrum, LargestSearch& search, float* scratch) const
    {
        const auto k = static_cast<std::size_t>(m_ffn.kFreq);
        float* products = scratch + m_layout.products;
        switch (m_ffn.selection) {
        case BinSelection::lowPass: multiplyBins(m_filter.data(), spectrum, spectrum, k); break;
        case BinSelection::learned:
            gatherBins(spectrum, m_learned, products);
            multiplyBins(m_filter.data(), products, products, k);
            scatterBins(products, m_learned, spectrum, m_bins);
            break;
        case BinSelection::topK: filterLargest(spectrum, search, scratch); break;
        }
    }

    void filterLargest(float* spectrum, LargestSearch& search, float* scratch) const
    {
        auto* list = reinterpret_cast<std::int32_t*>(scratch + m_layout.list);
        chooseLargestBins(spectrum, m_bins, m_ffn.kFreq, search, scratch + m_layout.power, list);
        const std::span<const int> chosen(list, static_cast<std::size_t>(m_ffn.kFreq));
        float* products = scratch + m_layout.products;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const std::size_t bin = 2 * static_cast<std::size_t>(chosen[i]);
            multiplyBins(m_filter.data() + bin, spectrum + bin, products + 2 * i, 1);
        }
        scatterBins(products, chosen, spectrum, m_bins);
    }

    SpectralFfn m_ffn;
    std::size_t m_bins;
    TokenTransforms m_transforms;
    SpectralScratch m_layout;
    std::vector<int> m_learned;
    Buffer m_filter;
    Buffer m_scratch;
};

} // namespace

Result<std::unique_ptr<Stage>> makeSpectralFft(const SpectralFfn& ffn,
                                               const StageSize& size,
                                               const std::vector<float>& filter)
{
    const Result<TokenTransforms> transforms =
        TokenTransforms::create(size, wantedBins(ffn, size.dModel));
    if (!transforms) {
        return transforms.error();
    }
    return std::unique_ptr<Stage>(
        std::make_unique<SpectralFftStage>(ffn, size, filter, *transforms));
}

} // namespace flopsmith::cpu
