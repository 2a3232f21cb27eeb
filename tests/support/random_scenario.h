// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/composed.h"
#include "core/ffn/dense.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"

#include <rapidcheck.h>

#include <string>

namespace flopsmith::test {

/// Any FFN of the registry; composed ones get one to three random stages.
inline FfnSpec randomFfn(int depth = 0)
{
    const std::vector<FfnSpec> all = ffnPrototypes();
    FfnSpec ffn = all[*rc::gen::inRange<std::size_t>(0, all.size())];
    if (auto* composed = get_if<ComposedFfn>(&ffn)) {
        if (depth > 1) {
            return DenseFfn{};
        }
        composed->stages.clear();
        const int count = *rc::gen::inRange(1, 4);
        for (int i = 0; i < count; ++i) {
            composed->stages.push_back({randomFfn(depth + 1)});
        }
    }
    return ffn;
}

/// A valid scenario: random structure, then every parameter at a random one of its legal stops.
inline Scenario randomScenario()
{
    Scenario scenario{presets()[*rc::gen::inRange<std::size_t>(0, presets().size())].make(), {}};
    scenario.model.runs.clear();
    scenario.model.patterns.clear();
    std::vector<MixerSpec> mixers;
    for (const MixerSpec& mixer : mixerPrototypes()) {
        if (!readsSource(mixer)) {
            mixers.push_back(mixer);
        }
    }
    const int runs = *rc::gen::inRange(1, 4);
    for (int i = 0; i < runs; ++i) {
        Block block;
        block.mixer = mixers[*rc::gen::inRange<std::size_t>(0, mixers.size())];
        block.ffn = randomFfn();
        scenario.model.runs.push_back({block, *rc::gen::inRange(1, 5)});
    }
    for (const Parameter& parameter : allParameters(scenario)) {
        if (parameter.key == "layers" || !parameter.applies(scenario)
            || !*rc::gen::arbitrary<bool>()) {
            continue;
        }
        const std::vector<FieldValue> stops = parameter.legal(scenario).stops();
        setAndRepair(scenario, parameter, stops[*rc::gen::inRange<std::size_t>(0, stops.size())]);
    }
    scenario.model.joinEqualRuns();
    repair(scenario);
    return scenario;
}

} // namespace flopsmith::test
