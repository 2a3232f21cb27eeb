// SPDX-License-Identifier: MIT
#include "core/parameter/changed_parameters.h"

#include "core/ffn/composed.h"
#include "core/parameter/parameter_lookup.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace flopsmith {
namespace {

constexpr int kPartsBeforeRuns = 2; // of parameterTable(): workload and model

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

bool haveSameRuns(const Scenario& before, const Scenario& after)
{
    return before.model.runs.size() == after.model.runs.size();
}

// Only then the parameters of one exist in the other.
bool haveSameParts(const Block& one, const Block& other)
{
    return one.mixer.index() == other.mixer.index() && one.cross.index() == other.cross.index()
        && haveSameVariants(one.ffn, other.ffn);
}

void appendChanges(const Scenario& before,
                   const Scenario& after,
                   const std::vector<Parameter>& part,
                   int run,
                   std::vector<ParameterChange>& changes)
{
    for (const Parameter& parameter : part) {
        if (!parameter.applies(before)) {
            continue;
        }
        FieldValue was = parameter.value(before);
        FieldValue is = parameter.value(after);
        if (was != is) {
            changes.push_back({{run, std::string(keyInRun(parameter.key))},
                               parameter,
                               std::move(was),
                               std::move(is)});
        }
    }
}

} // namespace

bool haveSameVariants(const FfnSpec& one, const FfnSpec& other)
{
    const auto* composed = get_if<ComposedFfn>(&one);
    const auto* otherComposed = get_if<ComposedFfn>(&other);
    if (composed == nullptr || otherComposed == nullptr) {
        return one.index() == other.index();
    }
    return std::equal(
        composed->stages.begin(),
        composed->stages.end(),
        otherComposed->stages.begin(),
        otherComposed->stages.end(),
        [](const FfnStage& a, const FfnStage& b) { return haveSameVariants(a.spec, b.spec); });
}

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
        ? std::vector<ParameterList>{modelParameterList(),
                                     std::make_shared<const std::vector<Parameter>>(
                                         workloadParameters())}
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

std::vector<ParameterChange> changedParameters(const Scenario& before, const Scenario& after)
{
    std::vector<ParameterChange> changes;
    if (!haveSameRuns(before, after)) {
        return changes;
    }
    const std::vector<ParameterList> table = parameterTable(before);
    for (int part = 0; part < static_cast<int>(table.size()); ++part) {
        const int run = part - kPartsBeforeRuns;
        const auto index = static_cast<std::size_t>(std::max(run, 0));
        if (run < 0
            || (before.model.runs[index] != after.model.runs[index]
                && haveSameParts(before.model.runs[index].block, after.model.runs[index].block))) {
            appendChanges(
                before, after, *table[static_cast<std::size_t>(part)], std::max(run, -1), changes);
        }
    }
    return changes;
}

bool isLength(const Parameter& parameter)
{
    return parameter.text.key == "layers" || parameter.text.key == "repeat";
}

} // namespace flopsmith
