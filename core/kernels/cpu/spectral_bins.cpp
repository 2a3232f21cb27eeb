// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/spectral_bins.h"

#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/selection.h"
#include "core/kernels/cpu/token_transforms.h"

#include <algorithm>

namespace flopsmith::cpu {

SpectralScratch::SpectralScratch(const SpectralFfn& ffn, const StageSize& size)
{
    const std::size_t wanted = wantedBins(ffn, size.dModel);
    const auto bins = static_cast<std::size_t>(SpectralFfn::bins(size.dModel));
    const auto batch = static_cast<std::size_t>(TokenTransforms::batchOf(size, wanted));
    const bool topK = ffn.selection == BinSelection::topK;
    const bool learned = ffn.selection == BinSelection::learned;
    transforms = 0;
    spectrum = transforms + wholeLines(TokenTransforms::scratchSize(size, wanted));
    products = spectrum + wholeLines(batch * 2 * bins);
    power = products + (learned ? wholeLines(2 * static_cast<std::size_t>(ffn.kFreq)) : 0);
    mask = power + (topK ? wholeLines(bins) : 0);
    end = mask + (topK ? wholeLines(bins) : 0);
}

std::size_t wantedBins(const SpectralFfn& ffn, int dModel)
{
    return static_cast<std::size_t>(
        ffn.selection == BinSelection::lowPass ? ffn.kFreq : SpectralFfn::bins(dModel));
}

void maskLargestBins(const float* spectrum,
                     std::size_t bins,
                     int k,
                     float* power,
                     std::int32_t* mask)
{
    for (std::size_t j = 0; j < bins; ++j) {
        power[j] = spectrum[2 * j] * spectrum[2 * j] + spectrum[2 * j + 1] * spectrum[2 * j + 1];
    }
    maskLargest(power, static_cast<int>(bins), k, mask);
}

void keepMaskedBins(const float* from, const std::int32_t* mask, std::size_t bins, float* to)
{
    for (std::size_t j = 0; j < bins; ++j) {
        to[2 * j] = mask[j] != 0 ? from[2 * j] : 0.0F;
        to[2 * j + 1] = mask[j] != 0 ? from[2 * j + 1] : 0.0F;
    }
}

void gatherBins(const float* spectrum, std::span<const int> list, float* gathered)
{
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::copy_n(spectrum + 2 * static_cast<std::size_t>(list[i]), 2, gathered + 2 * i);
    }
}

void scatterBins(const float* gathered,
                 std::span<const int> list,
                 float* spectrum,
                 std::size_t bins)
{
    std::fill_n(spectrum, 2 * bins, 0.0F);
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::copy_n(gathered + 2 * i, 2, spectrum + 2 * static_cast<std::size_t>(list[i]));
    }
}

} // namespace flopsmith::cpu
