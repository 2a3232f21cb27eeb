// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mixer/attention.h"
#include "core/mixer/mixer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace flopsmith::cpu {

/// Norms, partial RoPE, soft-cap, sinks and each kind of bias at once, by both algorithms, causal
/// or not, with windows inside a block of keys, beyond it, and none.
inline std::vector<Attention> attentionsWithEveryStep()
{
    std::vector<Attention> all;
    int next = 0;
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        for (const int window : {0, 100, 301}) {
            for (const bool causal : {true, false}) {
                const bool even = next++ % 2 == 0;
                Attention attention{.heads = 4, .kvHeads = 2, .causal = causal, .rotary = true};
                attention.rotaryDim = 2;
                attention.window = window;
                attention.algorithm = algorithm;
                attention.qkNorm = even ? QkNorm::perHead : QkNorm::fullWidth;
                attention.qkNormKind = next % 4 < 2 ? NormKind::rmsNorm : NormKind::layerNorm;
                attention.qkNormShift = true;
                attention.sinks = true;
                attention.softCap = 1.5;
                attention.positionBias =
                    next % 3 == 0 ? PositionBias::alibi : PositionBias::relative;
                all.push_back(attention);
            }
        }
    }
    return all;
}

inline std::string mixerName(const testing::TestParamInfo<MixerSpec>& tested)
{
    return std::string(info(tested.param).id);
}

} // namespace flopsmith::cpu
