// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace flopsmith::test {

/// How large a number of this name may be in a small scenario.
inline std::int64_t smallEnough(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 15> kLimits{
        {{"d_model", 24},
         {"heads", 4},
         {"kv_heads", 2},
         {"vocab", 11},
         {"batch", 2},
         {"seq", 5},
         {"source", 3},
         {"context", 5},
         {"image_size", 9},
         {"patch_size", 4},
         {"experts", 4},
         {"experts_per_token", 2},
         {"window", 3},
         {"k_freq", 5},
         {"share_group", 64}}};
    const auto found = std::find_if(
        kLimits.begin(), kLimits.end(), [&](const auto& limit) { return limit.first == name; });
    return found == kLimits.end() ? 8 : found->second;
}

/// The scenario with at most two blocks in each run and small numbers, so that
/// its whole model is executed in no time.
inline Scenario small(Scenario scenario)
{
    scenario.model.patterns.clear();
    for (BlockRun& run : scenario.model.runs) {
        run.repeat = std::min(run.repeat, 2);
    }
    for (int round = 0; round < 3; ++round) {
        for (const Parameter& parameter : allParameters(scenario)) {
            const FieldValue value = parameter.value(scenario);
            const auto* number = std::get_if<std::int64_t>(&value);
            const std::string name = parameter.key.substr(parameter.key.rfind('.') + 1);
            if (number != nullptr && name != "layers" && name.find("seed") == std::string::npos
                && *number > smallEnough(name) && parameter.applies(scenario)) {
                setAndRepair(scenario,
                             parameter,
                             parameter.legal(scenario).nearest(FieldValue{smallEnough(name)}));
            }
        }
    }
    repair(scenario);
    return scenario;
}

inline Scenario smallPreset(std::string_view id, Phase phase = Phase::prefill)
{
    Scenario scenario{*presetNamed(id), {}};
    scenario.workload.phase = phase;
    scenario.workload.batch = 2;
    scenario.workload.sequence = 5;
    scenario.workload.source = scenario.model.hasEncoder() ? 3 : 0;
    return small(scenario);
}

} // namespace flopsmith::test
