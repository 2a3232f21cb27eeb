// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/spectral.h"
#include "core/kernels/cpu/ffn/spectral/spectral_bins.h"
#include "core/kernels/cpu/ffn/spectral/token_transforms.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace flopsmith::cpu {

/// The filter of one token's spectrum, and the data that both passes by transforms need for it.
class TokenFilter
{
public:
    /// Of one thread.
    struct Scratch
    {
        Buffer transforms; ///< of TokenTransforms
        Buffer spectra; ///< [batch, F] complex
        Buffer products; ///< [k] complex
        Buffer power; ///< [F], of top_k
        LedgerVector<std::int32_t> list; ///< [F] and a register more, of top_k

        Scratch(const SpectralFfn& ffn, const StageSize& size);
    };

    /// `weights`: (re, im) per candidate bin.
    static Result<TokenFilter> create(const SpectralFfn& ffn,
                                      const StageSize& size,
                                      const std::vector<float>& weights);

    /// Copies the weights again.
    void update();

    const SpectralFfn& ffn() const { return m_ffn; }
    const TokenTransforms& transforms() const { return m_transforms; }
    Scratch& scratch(int thread) { return m_scratch[static_cast<std::size_t>(thread)]; }

    /// The bin of each weight.
    std::span<const int> candidates() const { return m_candidates; }

    /// The weights times the factor 1/d of the inverse transform.
    const float* weights() const { return m_weights.data(); }

    /// Spectrum of a row of a batch.
    float* spectrum(Scratch& scratch, int row) const
    {
        return scratch.spectra.data() + static_cast<std::size_t>(row) * 2 * m_bins;
    }

    /// The k bins that pass; for top_k this token's bins, in the list of `scratch`.
    std::span<const int> passing(const float* spectrum,
                                 LargestSearch& search,
                                 Scratch& scratch) const;

    /// Replaces the passing bins of a spectrum by their products and the others by zeros:
    /// multiply(weight, i, z, product, count) for `count` neighbours, of which the first has the
    /// number i among those that pass and the given one among the weights.
    template <class Multiply>
    void apply(float* spectrum,
               std::span<const int> passing,
               Scratch& scratch,
               const Multiply& multiply) const
    {
        float* const products = scratch.products.data();
        switch (m_ffn.selection) {
        case BinSelection::lowPass: // the inverse transform treats the other bins as zero
            multiply(0, 0, spectrum, spectrum, passing.size());
            return;
        case BinSelection::learned:
            gatherBins(spectrum, passing, products);
            multiply(0, 0, products, products, passing.size());
            break;
        case BinSelection::topK:
            for (std::size_t i = 0; i < passing.size(); ++i) {
                const auto bin = static_cast<std::size_t>(passing[i]);
                multiply(bin, i, spectrum + 2 * bin, products + 2 * i, 1);
            }
            break;
        }
        scatterBins(products, passing, spectrum, m_bins);
    }

private:
    TokenFilter(const SpectralFfn& ffn,
                const StageSize& size,
                const std::vector<float>& weights,
                const TokenTransforms& transforms);

    SpectralFfn m_ffn;
    std::size_t m_bins; ///< F
    TokenTransforms m_transforms;
    LedgerVector<int> m_candidates;
    std::span<const float> m_given; ///< borrowed
    float m_scale = 1.0F; ///< 1/d
    Buffer m_weights; ///< given, times the scale
    std::vector<Scratch> m_scratch;
};

} // namespace flopsmith::cpu
