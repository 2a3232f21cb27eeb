// SPDX-License-Identifier: MIT
#include "core/parameter/tie_source.h"

#include "core/base/printable.h"
#include "core/parameter/parameter_lookup.h"

#include <algorithm>
#include <string_view>
#include <variant>

namespace flopsmith {
namespace {

// "heads" as a key of one block: "blocks[6].heads".
std::string keyInBlocks(const Scenario& scenario, int run, const std::string& name)
{
    return std::string(kBlockKey) + std::to_string(scenario.model.firstBlock(run)) + "]." + name;
}

// Those of the run that the name means, without the parameter itself.
std::vector<Parameter> sourcesInRun(const Scenario& scenario,
                                    const ParameterPlace& place,
                                    const std::string& name)
{
    if (place.run < 0) {
        return {};
    }
    std::vector<Parameter> found =
        matchingParameters(scenario, keyInBlocks(scenario, place.run, name));
    std::erase_if(found, [&](const Parameter& p) { return placeOf(scenario, p) == place; });
    return found;
}

// One of the model or the workload.
std::optional<Parameter> sourceOutside(const Scenario& scenario,
                                       const ParameterPlace& place,
                                       const std::string& name)
{
    const ParameterPlace exact{-1, name};
    std::optional<Parameter> found = parameterAt(scenario, exact);
    const bool usable = found && found->applies(scenario) && exact != place;
    return usable ? found : std::nullopt;
}

Error noSource(const Scenario& scenario, const ParameterPlace& place, const std::string& name)
{
    if (name == ownName(place)) {
        return {name + ": tied to itself; one parameter must lead"};
    }
    if (place.run < 0 && !matchingParameters(scenario, name).empty()) {
        return {excerpt(name) + " belongs to the blocks; " + ownName(place)
                + " can follow only parameters of the model and the workload"};
    }
    return {excerpt(name) + ": there is no such parameter here"};
}

} // namespace

std::string ownName(const ParameterPlace& place)
{
    return place.key.substr(place.key.rfind('.') + 1); // npos + 1 is 0
}

bool holdsNumber(const Scenario& scenario, const Parameter& parameter)
{
    const FieldValue value = parameter.value(scenario);
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

std::optional<ParameterPlace> sourcePlace(const Scenario& scenario, const TiedPlace& tied)
{
    const Result<Parameter> source = sourceOf(scenario, tied.place, tied.tie.source);
    return source ? std::optional(placeOf(scenario, *source)) : std::nullopt;
}

Result<Parameter> sourceOf(const Scenario& scenario,
                           const ParameterPlace& place,
                           const std::string& source)
{
    std::vector<Parameter> found = sourcesInRun(scenario, place, source);
    if (found.size() > 1) {
        return Error{excerpt(source) + ": this block has several of that name; write "
                     + placeOf(scenario, found[0]).key + " or " + placeOf(scenario, found[1]).key};
    }
    if (found.empty()) {
        const std::optional<Parameter> outside = sourceOutside(scenario, place, source);
        if (!outside) {
            return noSource(scenario, place, source);
        }
        found.push_back(*outside);
    }
    if (!holdsNumber(scenario, found.front())) {
        return Error{excerpt(source) + " is no number; only numbers can be followed"};
    }
    return found.front();
}

std::vector<std::string> possibleSources(const Scenario& scenario, const ParameterPlace& place)
{
    std::vector<std::string> names;
    const auto add = [&](const Parameter& parameter) {
        const ParameterPlace at = placeOf(scenario, parameter);
        for (const std::string& name : {ownName(at), at.key}) {
            const Result<Parameter> found = sourceOf(scenario, place, name);
            if (found && placeOf(scenario, *found) == at) {
                names.push_back(name);
                return;
            }
        }
    };
    const std::vector<Parameter> workload = workloadParameters();
    const ParameterList model = modelParameterList();
    std::for_each(model->begin(), model->end(), add);
    std::for_each(workload.begin(), workload.end(), add);
    if (place.run >= 0) {
        const ParameterList block = blockParameterList(scenario, place.run);
        std::for_each(block->begin(), block->end(), add);
    }
    return names;
}

} // namespace flopsmith
