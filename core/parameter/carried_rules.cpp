// SPDX-License-Identifier: MIT
#include "core/model/pattern.h"
#include "core/parameter/applied_rules.h"
#include "core/parameter/run_origins.h"
#include "core/parameter/tie_source.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

// Which rules another scenario still has: after an edit of the stack, or read from a file.

namespace flopsmith {
namespace {

// The rules of each run's predecessor, at the place where the run is now.
template <class Rule>
std::vector<Rule> moved(const std::vector<Rule>& rules, const std::vector<int>& from)
{
    std::vector<Rule> all;
    std::copy_if(rules.begin(), rules.end(), std::back_inserter(all), [](const Rule& rule) {
        return rule.place.run < 0;
    });
    for (std::size_t run = 0; run < from.size(); ++run) {
        for (Rule rule : rules) {
            if (rule.place.run >= 0 && rule.place.run == from[run]) {
                rule.place.run = static_cast<int>(run);
                all.push_back(std::move(rule));
            }
        }
    }
    return all;
}

// Whether the run is a further repeat of a pattern, which follows the first one.
bool isRepeat(const Scenario& scenario, const ParameterPlace& place)
{
    return place.run >= 0 && shownRun(scenario.model, place.run) != place.run;
}

} // namespace

ParameterRules carriedOver(const ParameterRules& rules,
                           const Scenario& before,
                           const Scenario& after)
{
    if (rules.isEmpty()
        || (before.model.runs == after.model.runs
            && before.model.patterns == after.model.patterns)) {
        return rules;
    }
    const std::vector<int> from = runsTheyWere(before.model, after.model);
    ParameterRules carried{moved(rules.ties, from), moved(rules.locks, from)};
    std::erase_if(carried.locks, [&after](const LockedPlace& lock) {
        const auto parameter = parameterAt(after, lock.place);
        return !parameter || parameter->value(after).index() != lock.value.index();
    });
    std::erase_if(carried.ties, [&after](const TiedPlace& tied) {
        const auto parameter = parameterAt(after, tied.place);
        return !parameter || !holdsNumber(after, *parameter) || !sourcePlace(after, tied);
    });
    const auto isHidden = [&after](const auto& rule) { return isRepeat(after, rule.place); };
    std::erase_if(carried.ties, isHidden);
    std::erase_if(carried.locks, isHidden);
    return carried;
}

ParameterRules holdingRules(const ParameterRules& rules,
                            const Scenario& scenario,
                            std::vector<std::string>& reasons)
{
    ParameterRules holding;
    for (const TiedPlace& tied : rules.ties) {
        if (isRepeat(scenario, tied.place)) {
            reasons.push_back(tied.place.key
                              + ": a further repeat of a pattern follows the first one; it is not "
                                "tied");
            continue;
        }
        ParameterRules with = holding;
        const Status added = addTie(with, scenario, tied.place, expressionText(tied.tie));
        if (!added) {
            reasons.push_back(added.error().message + "; it is not tied");
        } else if (askedBy(tied, scenario)) {
            reasons.push_back(tied.tie.key + " is not " + shownExpression(tied.tie)
                              + "; it is not tied");
        } else {
            holding = std::move(with);
        }
    }
    for (const LockedPlace& lock : rules.locks) {
        if (isRepeat(scenario, lock.place)) {
            reasons.push_back(lock.place.key
                              + ": a further repeat of a pattern follows the first one; it is not "
                                "locked");
            continue;
        }
        if (const Status added = addLock(holding, scenario, lock.place); !added) {
            reasons.push_back(added.error().message + "; it is not locked");
        }
    }
    return holding;
}

} // namespace flopsmith
