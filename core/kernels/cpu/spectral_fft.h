// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/stage.h"

#include <vector>

namespace flopsmith::cpu {

/// The spectral FFN by transforms of full length: rfft, filter, irfft, activation, token by token
/// while the spectrum is in the cache. `filter`: (re, im) per candidate bin.
Result<std::unique_ptr<Stage>> makeSpectralFft(const SpectralFfn& ffn,
                                               const StageSize& size,
                                               const std::vector<float>& filter);

Count spectralFftBytes(const SpectralFfn& ffn, const StageSize& size);

} // namespace flopsmith::cpu
