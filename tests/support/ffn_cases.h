// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/composed.h"
#include "core/ffn/ffn.h"
#include "tests/support/spec_cases.h"

namespace flopsmith::test {

/// "composed gate=scalar … [spectral k_freq=2 …]": the stages of a composed FFN included.
inline std::string describeFfn(const FfnSpec& spec)
{
    std::string text = std::string(info(spec).id) + " " + describe(spec);
    if (const auto* composed = get_if<ComposedFfn>(&spec)) {
        for (const FfnStage& stage : composed->stages) {
            text += "[" + describeFfn(stage.spec) + "] ";
        }
    }
    return text;
}

/// One FFN of a random kind with random numbers and choices.
inline FfnSpec randomFfn(const FieldContext& context, int depth, Random& random);

/// Up to three stages of any kind; below `depth` 0 none of them is composed itself.
inline std::vector<FfnStage> randomStages(const FieldContext& context, int depth, Random& random)
{
    std::vector<FfnStage> stages;
    for (std::int64_t n = random.integer(0, 3); n > 0; --n) {
        stages.push_back({randomFfn(context, depth, random)});
    }
    return stages;
}

inline FfnSpec randomFfn(const FieldContext& context, int depth, Random& random)
{
    const std::vector<FfnSpec> kinds = ffnPrototypes();
    FfnSpec spec =
        kinds[static_cast<std::size_t>(random.integer(0, std::int64_t(kinds.size()) - 1))];
    if (auto* composed = get_if<ComposedFfn>(&spec)) {
        composed->stages =
            depth > 0 ? randomStages(context, depth - 1, random) : std::vector<FfnStage>{};
    }
    return withDrawnChoices(withNumbers(spec, context, kRandomDraw, random), context, random);
}

/// Every variant of the registry with all its choices and flags and several assignments of the
/// numbers; composed FFNs with the stages of the prototype and with random ones, nested too.
inline std::vector<FfnSpec> ffnCases(int dModel, int draws = 12)
{
    const FieldContext context{dModel};
    Random random(static_cast<std::uint64_t>(dModel));
    std::vector<FfnSpec> cases;
    for (const FfnSpec& prototype : ffnPrototypes()) {
        for (FfnSpec spec : generatedCases(prototype, context, draws, random)) {
            if (auto* composed = get_if<ComposedFfn>(&spec)) {
                for (FfnStage& stage : composed->stages) {
                    stage.spec = withNumbers(stage.spec, context, kRandomDraw, random);
                }
                cases.push_back(spec);
                composed->stages = randomStages(context, 2, random);
            }
            cases.push_back(spec);
        }
    }
    return cases;
}

} // namespace flopsmith::test
