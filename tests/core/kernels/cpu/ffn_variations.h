// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/composed.h"
#include "core/ffn/ffn.h"
#include "core/ffn/micro_refine.h"
#include "core/ffn/polynomial.h"
#include "tests/core/kernels/cpu/cases.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace flopsmith::cpu {

/// Clenshaw's recurrence of degree K multiplies rounding errors by up to K², iterations and stages
/// add theirs, gradients sum over tokens: all degrees, widths and tokens here are at most this.
inline constexpr double kTerms = kLargestTested * kLargestTested;

/// As variations(), with the stages of a composition made legal too.
inline std::vector<FfnSpec> ffnVariations(FfnSpec prototype,
                                          int dModel,
                                          int mixtures,
                                          Random& random)
{
    if (auto* composed = get_if<ComposedFfn>(&prototype)) {
        for (FfnStage& stage : composed->stages) {
            stage.spec = legalised(stage.spec, fields(stage.spec), {.dModel = dModel});
        }
    }
    return variations(prototype, fields(prototype), dModel, mixtures, random);
}

/// A stage of every kind, in the order of the registry, one of them a composition. Polynomials are
/// bounded ones: powers in sequence make values so large that no rounding error stays small.
inline std::vector<FfnStage> stagesOfEveryKind(int dModel)
{
    const PolynomialFfn bounded{.basis = PolynomialBasis::chebyshev};
    std::vector<FfnStage> stages;
    for (const FfnSpec& prototype : ffnPrototypes()) {
        FfnSpec stage = legalised(prototype, fields(prototype), {.dModel = dModel});
        if (auto* composed = get_if<ComposedFfn>(&stage)) {
            composed->stages = {{bounded}, {MicroRefineFfn{}}};
        } else if (holds_alternative<PolynomialFfn>(stage)) {
            stage = bounded;
        }
        stages.push_back({stage});
    }
    return stages;
}

inline std::string nameOf(const testing::TestParamInfo<FfnSpec>& tested)
{
    return std::string(info(tested.param).id);
}

} // namespace flopsmith::cpu
