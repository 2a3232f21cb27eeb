// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/spectral/spectral_bins.h"
#include "core/kernels/cpu/ffn/spectral/spectral_fft.h"
#include "core/kernels/cpu/ffn/spectral/token_transforms.h"
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

// sums += conj(x)·g and product = conj(w)·g for `count` neighbours; `product` may be g.
void filterBackward(const float* w,
                    const float* x,
                    const float* g,
                    float* product,
                    float* sums,
                    std::size_t count)
{
    for (std::size_t i = 0; i < 2 * count; i += 2) {
        const float re = g[i];
        const float im = g[i + 1];
        sums[i] += x[i] * re + x[i + 1] * im;
        sums[i + 1] += x[i] * im - x[i + 1] * re;
        product[i] = w[i] * re + w[i + 1] * im;
        product[i + 1] = w[i] * im - w[i + 1] * re;
    }
}

// Keeps the chosen bins of X of all tokens (of top_k also which these are), and what goes into the
// activation.
class SpectralFftBackwardStage : public TokenBackwardStage
{
public:
    SpectralFftBackwardStage(const SpectralFfn& ffn,
                             const StageSize& size,
                             std::unique_ptr<Stage> forward,
                             const std::vector<float>& filter,
                             std::span<float> gradient,
                             const TokenTransforms& transforms)
        : TokenBackwardStage(size, filter.size())
        , m_ffn(ffn)
        , m_forward(std::move(forward))
        , m_bins(static_cast<std::size_t>(SpectralFfn::bins(size.dModel)))
        , m_transforms(transforms)
        , m_layout(ffn, size)
        , m_candidates(ffn.candidateBins(size.dModel))
        , m_filter(filter.size())
        , m_gradient(gradient)
        , m_scratch(static_cast<std::size_t>(size.threads.count) * m_layout.end)
        , m_kept(static_cast<std::size_t>(size.tokens) * 2 * kept())
        , m_slopes(
              ffn.activation == Activation::none ? 0 : static_cast<std::size_t>(size.activations()))
        , m_lists(ffn.selection == BinSelection::topK
                      ? static_cast<std::size_t>(size.tokens) * kept()
                      : 0)
    {
        const float scale = 1.0F / static_cast<float>(size.dModel);
        std::transform(filter.begin(), filter.end(), m_filter.data(), [scale](float w) {
            return w * scale; // of the inverse transform
        });
    }

protected:
    void rememberBlock(const float* x, float* y, const TokenBlock& block) override
    {
        m_forward->asTokenStage()->runBlock(x, y, block.tokens, block.thread);
        if (m_ffn.activation != Activation::none) {
            activateKeepingSlopes(
                m_ffn.activation, y, m_slopes.data() + at(block.first), at(block.tokens));
        }
        float* scratch = scratchOf(block.thread);
        float* transforms = scratch + m_layout.transforms;
        float* spectrum = scratch + m_layout.spectrum;
        LargestSearch search;
        m_transforms.forEach(block.tokens, [&](const TransformPair& pair, int first, bool) {
            pair.forward(x + at(first), spectrum, transforms);
            for (int row = 0; row < pair.rows; ++row) {
                keep(spectrum + static_cast<std::size_t>(row) * 2 * m_bins,
                     static_cast<std::size_t>(block.first + first + row),
                     search,
                     scratch);
            }
        });
    }

    void runBlock(const float* dy, float* dx, float* sums, const TokenBlock& block) override
    {
        float* scratch = scratchOf(block.thread);
        float* transforms = scratch + m_layout.transforms;
        float* spectrum = scratch + m_layout.spectrum;
        m_transforms.forEach(block.tokens, [&](const TransformPair& pair, int first, bool isLast) {
            const float* gradient = dy + at(first);
            const float* next = isLast ? nullptr : gradient + at(pair.rows);
            if (m_ffn.activation != Activation::none) {
                multiplyByKept(gradient,
                               m_slopes.data() + at(block.first + first),
                               dx + at(first),
                               at(pair.rows));
                gradient = dx + at(first);
            }
            pair.forward(gradient, spectrum, transforms, next);
            for (int row = 0; row < pair.rows; ++row) {
                filterToken(spectrum + static_cast<std::size_t>(row) * 2 * m_bins,
                            static_cast<std::size_t>(block.first + first + row),
                            scratch + m_layout.products,
                            sums);
            }
            pair.inverse(spectrum,
                         dx + at(first),
                         transforms,
                         m_ffn.activation == Activation::none ? storeKind() : StoreKind::cached);
        });
        fenceStreamingStores();
    }

    // With the factors of the forward pass's inverse transform: 1/d for bin 0 and bin d/2, 2/d for
    // the others.
    void finish(const float* sums) override
    {
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            const bool alone = m_candidates[i] == 0 || 2 * m_candidates[i] == dModel();
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

    float* scratchOf(int thread)
    {
        return m_scratch.data() + static_cast<std::size_t>(thread) * m_layout.end;
    }

    std::size_t kept() const { return static_cast<std::size_t>(m_ffn.kFreq); }

    std::span<const int> listOf(std::size_t token) const
    {
        return m_lists.empty() ? std::span<const int>(m_candidates)
                               : std::span<const int>(m_lists).subspan(token * kept(), kept());
    }

    void keep(const float* spectrum, std::size_t token, LargestSearch& search, float* scratch)
    {
        if (m_ffn.selection == BinSelection::topK) {
            auto* list = reinterpret_cast<std::int32_t*>(scratch + m_layout.list);
            chooseLargestBins(
                spectrum, m_bins, m_ffn.kFreq, search, scratch + m_layout.power, list);
            std::copy_n(list, kept(), m_lists.data() + token * kept());
        }
        gatherBins(spectrum, listOf(token), m_kept.data() + token * 2 * kept());
    }

    // The spectrum of dy to that of dx, and the token's share of the filter's gradient.
    void filterToken(float* spectrum, std::size_t token, float* products, float* sums) const
    {
        const std::span<const int> list = listOf(token);
        const float* x = m_kept.data() + token * 2 * kept();
        const float* w = m_filter.data();
        switch (m_ffn.selection) {
        case BinSelection::lowPass:
            filterBackward(w, x, spectrum, spectrum, sums, list.size());
            return;
        case BinSelection::learned:
            gatherBins(spectrum, list, products);
            filterBackward(w, x, products, products, sums, list.size());
            break;
        case BinSelection::topK:
            for (std::size_t i = 0; i < list.size(); ++i) {
                const std::size_t bin = 2 * static_cast<std::size_t>(list[i]);
                filterBackward(w + bin, x + 2 * i, spectrum + bin, products + 2 * i, sums + bin, 1);
            }
            break;
        }
        scatterBins(products, list, spectrum, m_bins);
    }

    SpectralFfn m_ffn;
    std::unique_ptr<Stage> m_forward; ///< without the activation
    std::size_t m_bins; ///< F
    TokenTransforms m_transforms;
    SpectralScratch m_layout;
    std::vector<int> m_candidates; ///< the bin of each entry
    Buffer m_filter;
    std::span<float> m_gradient;
    Buffer m_scratch;
    Buffer m_kept;
    Buffer m_slopes;
    std::vector<std::int32_t> m_lists;
};

} // namespace

Result<std::unique_ptr<BackwardStage>> makeSpectralFftBackward(const SpectralFfn& ffn,
                                                               const StageSize& size,
                                                               const std::vector<float>& filter,
                                                               std::span<float> gradient)
{
    Result<std::unique_ptr<Stage>> forward = makeSpectralFft(withoutActivation(ffn), size, filter);
    if (!forward) {
        return forward.error();
    }
    const Result<TokenTransforms> transforms =
        TokenTransforms::create(size, wantedBins(ffn, size.dModel));
    if (!transforms) {
        return transforms.error();
    }
    return std::unique_ptr<BackwardStage>(std::make_unique<SpectralFftBackwardStage>(
        ffn, size, std::move(*forward), filter, gradient, *transforms));
}

} // namespace flopsmith::cpu
