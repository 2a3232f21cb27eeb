// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/spectral.h"
#include "core/kernels/cpu/backward_stage.h"

#include <vector>

namespace flopsmith::cpu {

/// The spectral FFN by transforms of full length: rfft, filter, irfft, activation, token by token
/// while the spectrum is in the cache. `filter`: (re, im) per candidate bin.
Result<std::unique_ptr<Stage>> makeSpectralFft(const SpectralFfn& ffn,
                                               const StageSize& size,
                                               const std::vector<float>& filter);

/// Its backward pass: dx = irfft(conj(w)·rfft(dy)).
Result<std::unique_ptr<BackwardStage>> makeSpectralFftBackward(const SpectralFfn& ffn,
                                                               const StageSize& size,
                                                               const std::vector<float>& filter,
                                                               std::span<float> gradient);

} // namespace flopsmith::cpu
