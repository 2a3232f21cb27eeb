// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/composed.h"
#include "core/ffn/ffn.h"
#include "core/ffn/moe.h"

#include <vector>

namespace flopsmith::test {

/// Gated FFNs whose numbers that change no count are not the usual ones; many features are beyond
/// the limits.
inline std::vector<FfnSpec> ffnsWithValues()
{
    const GateValues gptOss{.limit = 0.4, .siluSlope = 1.702, .upOffset = 1.0};
    const GatedFfn gated{.dFf = 19, .bias = true, .gate = gptOss};
    const GatedFfn relu{
        .dFf = 33, .activation = Activation::relu, .gate = {.limit = 0.3, .upOffset = 2.0}};
    const GatedFfn sloped{.dFf = 8, .gate = {.siluSlope = 0.5}};
    const MoeFfn experts{.experts = 4,
                         .perToken = 2,
                         .dFf = 12,
                         .bias = true,
                         .sharedExperts = 1,
                         .sharedDFf = 5,
                         .gate = gptOss};
    ComposedFfn composed;
    composed.stages = {{gated}, {sloped}};
    return {gated, relu, sloped, experts, composed};
}

} // namespace flopsmith::test
