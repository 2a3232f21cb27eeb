// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"

#include <string_view>
#include <vector>

namespace flopsmith {

/// How RoPE's angles are stretched for contexts longer than in training.
enum class RopeScaling {
    none,
    linear, ///< all angles divided by `factor`
    llama3, ///< slow pairs divided, fast ones unchanged, a ramp between them (Llama-3.1)
    yarn, ///< the same with a ramp over the pairs, and rotated features times `amplitude`
};

template <>
std::vector<std::string_view> enumNames<RopeScaling>();

/// The angles of rotary positions: pair i of the first r features is rotated by
/// position·base^(−2i/r) radians, perhaps stretched. The angles come from a table, so that none of
/// these numbers changes a count.
struct Rope
{
    double base = 10'000.0;
    RopeScaling scaling = RopeScaling::none;
    double factor = 1.0; ///< of all that stretch, at least 1
    double lowFrequency = 1.0; ///< llama3: turns within the trained positions below which a pair
        ///< is divided by the whole factor
    double highFrequency = 4.0; ///< llama3: frequencies above this are unchanged
    int trainedPositions = 8'192; ///< llama3 and yarn
    double betaFast = 32.0; ///< yarn: turns within them above which a pair is kept
    double betaSlow = 1.0; ///< yarn: frequencies below this are divided
    bool wholePairs = true; ///< yarn: the ramp begins and ends at whole pairs
    double amplitude = 1.0; ///< yarn: sines and cosines are multiplied by it

    bool operator==(const Rope&) const = default;

    bool isScaled() const { return scaling != RopeScaling::none; }
};

/// The angle of a pair (i < features/2) at a position: features i and i + r/2 of the first r of a
/// head are rotated by it, the "rotate half" convention of Llama and GPT-NeoX.
double rotaryAngle(int position, int pair, int features, const Rope& rope = {});

} // namespace flopsmith
