// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/spectral/token_filter.h"

#include "core/kernels/cpu/simd/lanes.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

std::size_t binsOf(const StageSize& size)
{
    return static_cast<std::size_t>(SpectralFfn::bins(size.dModel));
}

// Bins from 0 on that transforms compute: only a low-pass filter needs fewer than all.
std::size_t wantedBins(const SpectralFfn& ffn, const StageSize& size)
{
    return ffn.selection == BinSelection::lowPass ? static_cast<std::size_t>(ffn.kFreq)
                                                  : binsOf(size);
}

} // namespace

TokenFilter::Scratch::Scratch(const SpectralFfn& ffn, const StageSize& size)
    : transforms(TokenTransforms::scratchSize(size))
    , spectra(static_cast<std::size_t>(TokenTransforms::batchOf(size)) * 2 * binsOf(size))
    , products(2 * static_cast<std::size_t>(ffn.kFreq))
    , power(ffn.selection == BinSelection::topK ? binsOf(size) : 0)
    , list(ffn.selection == BinSelection::topK ? binsOf(size) + kLanes : 0)
{}

Result<TokenFilter> TokenFilter::create(const SpectralFfn& ffn,
                                        const StageSize& size,
                                        const std::vector<float>& weights)
{
    FLOPSMITH_TRY(const TokenTransforms transforms,
                  TokenTransforms::create(size, wantedBins(ffn, size)));
    return TokenFilter(ffn, size, weights, transforms);
}

TokenFilter::TokenFilter(const SpectralFfn& ffn,
                         const StageSize& size,
                         const std::vector<float>& weights,
                         const TokenTransforms& transforms)
    : m_ffn(ffn)
    , m_bins(binsOf(size))
    , m_transforms(transforms)
    , m_given(weights)
    , m_weights(weights.size())
{
    const std::vector<int> candidates = ffn.candidateBins(size.dModel);
    m_candidates.assign(candidates.begin(), candidates.end());
    m_scale = 1.0F / static_cast<float>(size.dModel);
    update();
    for (int thread = 0; thread < size.threads.count; ++thread) {
        m_scratch.emplace_back(ffn, size);
    }
}

void TokenFilter::update()
{
    std::ranges::transform(m_given, m_weights.data(), [this](float w) { return w * m_scale; });
}

std::span<const int> TokenFilter::passing(const float* spectrum,
                                          LargestSearch& search,
                                          Scratch& scratch) const
{
    if (m_ffn.selection != BinSelection::topK) {
        return m_candidates;
    }
    std::int32_t* const list = scratch.list.data();
    chooseLargestBins(spectrum, m_bins, m_ffn.kFreq, search, scratch.power.data(), list);
    return {list, static_cast<std::size_t>(m_ffn.kFreq)};
}

} // namespace flopsmith::cpu
