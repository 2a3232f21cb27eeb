// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/spectral.h"
#include "core/kernels/cpu/select/selection.h"
#include "core/kernels/cpu/stage.h"

#include <cstddef>
#include <cstdint>
#include <span>

// What the forward and the backward pass by transforms do with the bins of one token, each (re, im).
namespace flopsmith::cpu {

/// What one thread needs, as offsets into its part of one buffer. Each begins a cache line.
struct SpectralScratch
{
    std::size_t transforms = 0; ///< of TokenTransforms
    std::size_t spectrum; ///< [batch, F] complex
    std::size_t products; ///< [k] complex, of the kept bins of `learned` and top_k
    std::size_t power; ///< [F], of top_k
    std::size_t list; ///< [F] and a register more, of top_k
    std::size_t end;

    SpectralScratch(const SpectralFfn& ffn, const StageSize& size);
};

/// Bins from 0 on that a spectrum is wanted to have: only a low-pass filter needs fewer than all.
std::size_t wantedBins(const SpectralFfn& ffn, int dModel);

/// The k bins of largest |X|², ascending; of equal ones the lower. `power` [F] is scratch, `list`
/// has room for F and a register more.
void chooseLargestBins(const float* spectrum,
                       std::size_t bins,
                       int k,
                       LargestSearch& search,
                       float* power,
                       std::int32_t* list);

/// The bins of a list behind one another, and back into a spectrum of zeros.
void gatherBins(const float* spectrum, std::span<const int> list, float* gathered);
void scatterBins(const float* gathered,
                 std::span<const int> list,
                 float* spectrum,
                 std::size_t bins);

} // namespace flopsmith::cpu
