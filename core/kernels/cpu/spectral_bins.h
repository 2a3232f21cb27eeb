// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/spectral.h"
#include "core/kernels/cpu/stage.h"

#include <cstddef>
#include <cstdint>
#include <span>

// What the forward and the backward pass by transforms do with the bins of one token, each (re, im).
namespace flopsmith::cpu {

/// What one thread needs, as offsets into its part of one buffer. Each begins a cache line.
struct SpectralScratch
{
    std::size_t transforms; ///< of TokenTransforms
    std::size_t spectrum; ///< [batch, F] complex
    std::size_t products; ///< [k] complex, of the kept bins of `learned`
    std::size_t power; ///< [F], of top_k
    std::size_t mask; ///< [F], of top_k
    std::size_t end;

    SpectralScratch(const SpectralFfn& ffn, const StageSize& size);
};

/// Bins from 0 on that a spectrum is wanted to have: only a low-pass filter needs fewer than all.
std::size_t wantedBins(const SpectralFfn& ffn, int dModel);

/// mask[j] is set for the k bins of largest |X|². `power` [F] is scratch.
void maskLargestBins(const float* spectrum,
                     std::size_t bins,
                     int k,
                     float* power,
                     std::int32_t* mask);

/// The bins where the mask is set, 0 elsewhere; `to` may be `from`.
void keepMaskedBins(const float* from, const std::int32_t* mask, std::size_t bins, float* to);

/// The bins of a list behind one another, and back into a spectrum of zeros.
void gatherBins(const float* spectrum, std::span<const int> list, float* gathered);
void scatterBins(const float* gathered,
                 std::span<const int> list,
                 float* spectrum,
                 std::size_t bins);

} // namespace flopsmith::cpu
