// SPDX-License-Identifier: MIT
#include "core/parameter/parameter_place.h"

#include "core/parameter/parameter_lookup.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

namespace flopsmith {
namespace {

// "ffn.k_freq" of "blocks[6].ffn.k_freq", and all of a key without a block.
std::string_view keyInRun(std::string_view key)
{
    return key.substr(0, kBlockKey.size()) == kBlockKey ? key.substr(key.find('.') + 1) : key;
}

int runOfKey(const Scenario& scenario, std::string_view key)
{
    if (key.substr(0, kBlockKey.size()) != kBlockKey) {
        return -1;
    }
    int block = 0;
    std::from_chars(key.data() + kBlockKey.size(), key.data() + key.size(), block);
    return scenario.model.runOf(block);
}

} // namespace

ParameterPlace placeOf(const Scenario& scenario, const Parameter& parameter)
{
    return {runOfKey(scenario, parameter.key), std::string(keyInRun(parameter.key))};
}

std::string_view keyInRun(const Parameter& parameter)
{
    return keyInRun(std::string_view(parameter.key));
}

bool isOfMutedPart(const Block& block, std::string_view key)
{
    const std::string_view part = key.substr(0, key.find('.') + 1);
    return (block.mixerMuted && part == "mixer.") || (block.crossMuted && part == "cross.")
        || (block.ffnMuted && part == "ffn.");
}

std::optional<Parameter> parameterAt(const Scenario& scenario, const ParameterPlace& place)
{
    const int runs = static_cast<int>(scenario.model.runs.size());
    if (place.run >= runs) {
        return std::nullopt;
    }
    const std::vector<ParameterList> lists = place.run < 0
        ? std::vector<ParameterList>{modelParameterList(), workloadParameterList()}
        : std::vector<ParameterList>{blockParameterList(scenario, place.run)};
    for (const ParameterList& list : lists) {
        const auto found = std::find_if(list->begin(), list->end(), [&place](const Parameter& p) {
            return keyInRun(p.key) == place.key;
        });
        if (found != list->end()) {
            return *found;
        }
    }
    return std::nullopt;
}

bool isLength(const Parameter& parameter)
{
    return parameter.text.key == "layers" || parameter.text.key == "repeat";
}

} // namespace flopsmith
