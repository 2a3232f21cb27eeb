// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/spectral.h"
#include "core/kernels/cpu/backward_stage.h"

#include <vector>

namespace flopsmith::cpu {

/// The spectral FFN by two products with the cosines and sines of the kept bins alone.
/// `filter`: (re, im) per kept bin.
Result<std::unique_ptr<Stage>> makeSpectralDirect(const SpectralFfn& ffn,
                                                  const StageSize& size,
                                                  const std::vector<float>& filter);

/// Its backward pass, by products with the transposed bases.
std::unique_ptr<BackwardStage> makeSpectralDirectBackward(const SpectralFfn& ffn,
                                                          const StageSize& size,
                                                          const std::vector<float>& filter,
                                                          std::span<float> gradient);

} // namespace flopsmith::cpu
