// SPDX-License-Identifier: MIT
#include "core/parameter/differences.h"

#include "core/ffn/composed.h"

#include <algorithm>

namespace flopsmith {
namespace {

// Only then the parameters of one exist in the other.
bool haveSameParts(const Block& one, const Block& other)
{
    return one.mixer.index() == other.mixer.index() && one.cross.index() == other.cross.index()
        && haveSameVariants(one.ffn, other.ffn);
}

// In a list of the same variants it stands at the same index.
const Parameter* partnerOf(std::string_view key,
                           std::size_t index,
                           const std::vector<Parameter>& others)
{
    if (index < others.size() && keyInRun(others[index]) == key) {
        return &others[index];
    }
    const auto found = std::find_if(others.begin(), others.end(), [key](const Parameter& other) {
        return keyInRun(other) == key;
    });
    return found == others.end() ? nullptr : &*found;
}

void appendDifferences(std::vector<ParameterDifference>& all,
                       int run,
                       const Scenario& before,
                       const ParameterList& parameters,
                       const Scenario& after,
                       const ParameterList& others)
{
    for (std::size_t i = 0; i < parameters->size(); ++i) {
        const Parameter& parameter = (*parameters)[i];
        const std::string_view key = keyInRun(parameter);
        const Parameter* const other = partnerOf(key, i, *others);
        if (other == nullptr || !parameter.applies(before)) {
            continue;
        }
        FieldValue was = parameter.value(before);
        FieldValue is = other->value(after);
        if (was != is) {
            all.push_back({{run, std::string(key)}, parameter, std::move(was), std::move(is)});
        }
    }
}

} // namespace

std::vector<ParameterDifference> parameterDifferences(const Scenario& before, const Scenario& after)
{
    std::vector<ParameterDifference> all;
    const std::vector<BlockRun>& runs = before.model.runs;
    if (runs.size() != after.model.runs.size()) {
        return all;
    }
    for (const ParameterList& list : {workloadParameterList(), modelParameterList()}) {
        appendDifferences(all, -1, before, list, after, list);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const BlockRun& other = after.model.runs[i];
        if (runs[i] != other && haveSameParts(runs[i].block, other.block)) {
            const int run = static_cast<int>(i);
            const std::vector<ParameterDifference> own = runDifferences(before, run, after, run);
            all.insert(all.end(), own.begin(), own.end());
        }
    }
    return all;
}

std::vector<ParameterDifference> runDifferences(const Scenario& before,
                                                int runBefore,
                                                const Scenario& after,
                                                int runAfter)
{
    std::vector<ParameterDifference> all;
    appendDifferences(all,
                      runBefore,
                      before,
                      blockParameterList(before, runBefore),
                      after,
                      blockParameterList(after, runAfter));
    return all;
}

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

} // namespace flopsmith
