// SPDX-License-Identifier: MIT
#include "core/parameter/applied_rules.h"

#include "core/base/text.h"
#include "core/parameter/tie_source.h"
#include "core/parameter/validation.h"

#include <cstddef>
#include <utility>

namespace flopsmith {
namespace {

// Assigns the values of all ties, in as many passes as they depend on each other.
void assignTied(Scenario& scenario, const std::vector<TiedPlace>& ties)
{
    bool changed = true;
    for (std::size_t pass = 0; changed && pass <= ties.size(); ++pass) {
        changed = false;
        for (const TiedPlace& tied : ties) {
            if (const std::optional<AskedValue> asked = askedBy(tied, scenario)) {
                asked->parameter.assign(scenario, asked->value);
                changed = true;
            }
        }
    }
}

// Whether the run shares its parameters with the same blocks as before.
bool sameGroup(const Scenario& one, const Scenario& other, int run)
{
    const auto groupOf = [run](const Scenario& scenario) {
        return scenario.model.runs.at(static_cast<std::size_t>(run)).block.shareGroup;
    };
    return run < 0 || groupOf(one) == groupOf(other);
}

} // namespace

std::optional<AskedValue> askedBy(const TiedPlace& tied, const Scenario& scenario)
{
    const auto parameter = parameterAt(scenario, tied.place);
    const Result<Parameter> source = sourceOf(scenario, tied.place, tied.tie.source);
    if (!parameter || !parameter->applies(scenario) || !source) {
        return std::nullopt;
    }
    const double wanted = tiedNumber(tied.tie, source->value(scenario));
    FieldValue value = parameter->legal(scenario).nearest(ofItsKind(*parameter, scenario, wanted));
    return value == parameter->value(scenario)
        ? std::nullopt
        : std::optional(AskedValue{*parameter, std::move(value)});
}

std::string lockedText(const LockedPlace& lock)
{
    return ownName(lock.place) + " is locked at " + valueText(lock.value);
}

void follow(Scenario& scenario, const ParameterRules& rules)
{
    constexpr int kFollowPasses = 4; // a repair can trigger further ties
    for (int pass = 0; !rules.ties.empty() && pass < kFollowPasses; ++pass) {
        const Scenario before = scenario;
        assignTied(scenario, rules.ties);
        if (scenario == before) {
            return;
        }
        repair(scenario);
    }
}

Status keepLocks(Scenario& scenario, const ParameterRules& rules)
{
    const LockedPlace* restored = nullptr;
    for (const LockedPlace& lock : rules.locks) {
        const std::optional<Parameter> parameter = parameterAt(scenario, lock.place);
        if (!parameter || parameter->value(scenario) == lock.value) {
            continue;
        }
        if (isLength(*parameter)) { // ties do not decide which blocks come or go
            return Error{lockedText(lock) + ", and this would change it; unlock it first"};
        }
        parameter->assign(scenario, lock.value);
        restored = &lock;
        if (const LegalValues legal = parameter->legal(scenario); !legal.contains(lock.value)) {
            return Error{lockedText(lock) + ", which this does not allow (" + legal.text()
                         + "); unlock it first"};
        }
    }
    if (restored != nullptr && !validated(scenario)) {
        return Error{lockedText(*restored) + ", which this does not allow; unlock it first"};
    }
    return Done{};
}

void setWithRules(Scenario& scenario,
                  Wishes& wishes,
                  const ParameterRules& rules,
                  const Parameter& parameter,
                  const FieldValue& value,
                  const std::function<void(Scenario&)>& copy)
{
    if (!rules.ties.empty()) {
        Scenario led = scenario;
        parameter.assign(led, value);
        if (copy) {
            copy(led);
        }
        assignTied(led, rules.ties);
        for (const TiedPlace& tied : rules.ties) {
            const auto followerNow = parameterAt(led, tied.place);
            if (followerNow && !isLength(*followerNow)
                && sameGroup(led, scenario, tied.place.run)) { // otherwise the variant may differ
                followerNow->assign(scenario, followerNow->value(led));
            }
        }
    }
    setWithWishes(scenario, wishes, parameter, value, copy);
    std::erase_if(wishes.values, [&rules](const Wish& wish) {
        return rules.tieOf(wish.place) != nullptr || rules.lockOf(wish.place) != nullptr;
    });
    follow(scenario, rules);
}

std::string followedText(const ParameterDifference& change, const Tie& tie, const Scenario& after)
{
    const std::string is = valueText(change.after);
    const std::string text = tie.key + " = " + shownExpression(tie) + ": "
        + (change.before == change.after ? "stays " + is
                                         : valueText(change.before) + " \xE2\x86\x92 " + is);
    const Result<Parameter> source = sourceOf(after, change.place, tie.source);
    const double wanted = source ? tiedNumber(tie, source->value(after)) : 0;
    const bool met = source && change.after == ofItsKind(change.parameter, after, wanted);
    return met ? text : text + " (the legal value nearest to " + numberText(wanted) + ")";
}

} // namespace flopsmith
