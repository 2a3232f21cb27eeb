// SPDX-License-Identifier: MIT
#include "core/parameter/differences.h"

#include "core/ffn/composed.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr int kPartsBeforeRuns = 2; // of parameterTable(): workload and model

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
                   std::vector<ParameterDifference>& changes)
{
    for (const Parameter& parameter : part) {
        if (!parameter.applies(before)) {
            continue;
        }
        FieldValue was = parameter.value(before);
        FieldValue is = parameter.value(after);
        if (was != is) {
            changes.push_back({{run, std::string(keyInRun(parameter))},
                               parameter,
                               std::move(was),
                               std::move(is)});
        }
    }
}

} // namespace

std::vector<ParameterDifference> parameterDifferences(const Scenario& before, const Scenario& after)
{
    std::vector<ParameterDifference> changes;
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
