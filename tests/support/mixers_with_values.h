// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mixer/latent_attention.h"
#include "core/mixer/mixer.h"

#include <vector>

namespace flopsmith::test {

/// Mixers whose numbers that change no count are not the usual ones.
inline std::vector<MixerSpec> mixersWithValues()
{
    const Rope stretched{.base = 500.0,
                         .scaling = RopeScaling::yarn,
                         .factor = 4.0,
                         .trainedPositions = 64,
                         .betaFast = 4.0,
                         .amplitude = 1.25};
    Attention attention{
        .heads = 4, .kvHeads = 2, .headDim = 6, .rotary = true, .qkNorm = QkNorm::perHead};
    attention.rope = stretched;
    attention.scoreScale = 0.3;
    attention.qkNormEpsilon = 0.1;
    Attention limited = attention;
    limited.qkvLimit = 0.6;
    Attention limitedOnly{.heads = 4, .kvHeads = 1, .qkvBias = false};
    limitedOnly.qkvLimit = 0.4;
    LatentAttention latent{
        .heads = 2, .qLoraRank = 5, .kvLoraRank = 7, .qkNopeDim = 3, .qkRopeDim = 4, .vHeadDim = 5};
    latent.rope = stretched;
    latent.scoreScale = 0.4;
    latent.normEpsilon = 0.1;
    LatentAttention absorbed = latent;
    absorbed.form = LatentForm::absorbed;
    return {attention, limited, limitedOnly, latent, absorbed};
}

} // namespace flopsmith::test
