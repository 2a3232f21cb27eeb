// SPDX-License-Identifier: MIT
#include "core/study/variation/variation.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/parameter/parameter_lookup.h"
#include "core/parameter/validation.h"
#include "core/study/variation/field_number.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace flopsmith {
namespace {

// Whether `other` sets everything that `one` sets.
bool isCovered(const std::vector<Parameter>& one, const std::vector<Parameter>& other)
{
    return std::all_of(one.begin(), one.end(), [&other](const Parameter& parameter) {
        return std::any_of(other.begin(), other.end(), [&parameter](const Parameter& each) {
            return each.key == parameter.key;
        });
    });
}

bool overlap(const std::vector<Parameter>& one, const std::vector<Parameter>& other)
{
    return std::any_of(one.begin(), one.end(), [&other](const Parameter& parameter) {
        return isCovered({parameter}, other);
    });
}

// A block that joins a share group takes over the group's parts, which may differ in kind.
bool hasStructureOf(const Scenario& base, const Scenario& scenario)
{
    return std::equal(base.model.runs.begin(),
                      base.model.runs.end(),
                      scenario.model.runs.begin(),
                      scenario.model.runs.end(),
                      [](const BlockRun& a, const BlockRun& b) {
                          return a.block.shareGroup == b.block.shareGroup;
                      });
}

Error noParameter(const std::string& key)
{
    return {excerpt(key) + ": this model has no such parameter"};
}

} // namespace

Result<Variation> Variation::create(const Scenario& base,
                                    const std::vector<std::string>& keys,
                                    const std::vector<Tie>& ties)
{
    Variation variation;
    variation.m_base = base;
    for (const std::string& key : keys) {
        isolateNamedBlocks(variation.m_base.model, key);
    }
    for (const Tie& tie : ties) {
        isolateNamedBlocks(variation.m_base.model, tie.key);
    }
    const Model& isolated = variation.m_base.model; // has forgotten the patterns that a key cuts
    variation.m_patterns =
        isolated.runs.size() == base.model.runs.size() ? base.model.patterns : isolated.patterns;
    for (const std::string& key : keys) {
        variation.m_varied.push_back(matchingParameters(variation.m_base, key));
        if (variation.m_varied.back().empty()) {
            return noParameter(key);
        }
    }
    FLOPSMITH_RETURN_IF_ERROR(variation.everyKeyCounts(keys));
    for (const Tie& tie : ties) {
        FLOPSMITH_RETURN_IF_ERROR(variation.addTie(tie));
    }
    FLOPSMITH_RETURN_IF_ERROR(variation.orderTies());
    variation.listPartsToJudge();
    return variation;
}

bool Variation::PartToJudge::isLegal(const Scenario& scenario) const
{
    return std::all_of(parameters.begin(), parameters.end(), [&](const Parameter* p) {
        return !p->applies(scenario) || p->legal(scenario).contains(p->value(scenario));
    });
}

void Variation::listPartsToJudge()
{
    std::map<std::pair<ParameterScope::Part, int>, std::size_t> places; // in m_parts
    m_table = parameterTable(m_base);
    for (const ParameterList& list : m_table) {
        for (const Parameter& parameter : *list) {
            if (parameter.legal.holdsAlways() == HoldsAlways::yes) {
                continue;
            }
            const ParameterScope& scope = parameter.scope;
            const auto [place, isNew] = places.try_emplace({scope.part, scope.run}, m_parts.size());
            if (isNew) {
                m_parts.push_back({.scope = scope, .parameters = {}});
            }
            m_parts[place->second].parameters.push_back(&parameter);
        }
    }
    for (PartToJudge& part : m_parts) {
        part.legalInBase = part.isLegal(m_base);
    }
}

Status Variation::addTie(const Tie& tie)
{
    const std::vector<Parameter> sources = matchingParameters(m_base, tie.source);
    std::vector<Parameter> followers = matchingParameters(m_base, tie.key);
    if (sources.empty() || followers.empty()) {
        return noParameter(sources.empty() ? tie.source : tie.key);
    }
    for (const std::vector<Parameter>& varied : m_varied) {
        if (overlap(followers, varied)) {
            return Error{tie.key + ": varied and tied at once; leave one of the two"};
        }
    }
    for (const Followers& earlier : m_ties) {
        if (isCovered(earlier.parameters, followers)) {
            return Error{earlier.tie.key + ": tied twice; leave one of the two"};
        }
    }
    if (!numberOf(sources.front().value(m_base)) || !numberOf(followers.front().value(m_base))) {
        return Error{tie.key + " = " + tie.source + ": only numbers can be tied"};
    }
    m_ties.push_back({tie, sources.front(), std::move(followers)});
    return Done{};
}

Status Variation::everyKeyCounts(const std::vector<std::string>& keys) const
{
    for (std::size_t key = 0; key < keys.size(); ++key) {
        for (std::size_t other = key + 1; other < keys.size(); ++other) {
            if (isCovered(m_varied[key], m_varied[other])) {
                return Error{keys[key] + ": varied twice"
                             + (keys[key] == keys[other] ? "" : ", also as " + keys[other])
                             + "; give one axis all its values"};
            }
        }
    }
    return Done{};
}

// A tie comes after the ties that set its source, and after an earlier tie of the same parameter.
Status Variation::orderTies()
{
    std::vector<Followers> ordered;
    while (!m_ties.empty()) {
        const auto next = std::find_if(m_ties.begin(), m_ties.end(), [this](const Followers& tie) {
            return std::all_of(m_ties.begin(), m_ties.end(), [&tie](const Followers& other) {
                const bool earlier = &other < &tie && overlap(other.parameters, tie.parameters);
                return !earlier && !overlap({tie.source}, other.parameters);
            });
        });
        if (next == m_ties.end()) {
            return Error{m_ties.front().tie.key + ": tied to itself"
                         + (m_ties.size() > 1 ? " by way of other ties" : "")
                         + "; one parameter must lead"};
        }
        ordered.push_back(std::move(*next));
        m_ties.erase(next);
    }
    m_ties = std::move(ordered);
    return Done{};
}

double Variation::Followers::wanted(const Scenario& scenario) const
{
    return tiedNumber(tie, source.value(scenario));
}

const Parameter* Variation::Followers::notMet(const Scenario& scenario) const
{
    const double number = wanted(scenario);
    const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) {
        return p.value(scenario) != ofItsKind(p, scenario, number);
    });
    return found == parameters.end() ? nullptr : &*found;
}

bool Variation::meetsTies(const Scenario& scenario) const
{
    return std::all_of(m_ties.begin(), m_ties.end(), [&scenario](const Followers& tie) {
        return tie.notMet(scenario) == nullptr;
    });
}

std::string Variation::tieNote(const Scenario& scenario) const
{
    for (const Followers& tie : m_ties) {
        if (const Parameter* other = tie.notMet(scenario)) {
            return tie.tie.key + " tied to " + tie.tie.source + " would be "
                + numberText(tie.wanted(scenario)) + ", which is not legal; the nearest that is, "
                + valueText(other->value(scenario)) + ", is taken";
        }
    }
    return {};
}

void Variation::assignTies(Scenario& scenario) const
{
    for (const Followers& tie : m_ties) {
        const double wanted = tie.wanted(scenario);
        for (const Parameter& parameter : tie.parameters) {
            const FieldValue value = ofItsKind(parameter, scenario, wanted);
            parameter.assign(scenario, parameter.legal(scenario).nearest(value));
        }
    }
}

Scenario Variation::at(const std::vector<FieldValue>& values) const
{
    Scenario scenario = m_base;
    for (std::size_t key = 0; key < values.size(); ++key) {
        for (const Parameter& parameter : m_varied[key]) {
            parameter.assign(scenario, values[key]);
        }
    }
    assignTies(scenario);
    if (m_patterns != m_base.model.patterns) {
        const auto left = std::exchange(scenario.model.patterns, m_patterns);
        if (patternProblem(scenario.model)) {
            scenario.model.patterns = left;
        }
    }
    return scenario;
}

Scenario Variation::repairedAt(const std::vector<FieldValue>& values) const
{
    constexpr int kRepairPasses = 4; // a repair can trigger further ties
    Scenario asSet = at(values);
    Scenario scenario = asSet;
    for (int pass = 0; pass < kRepairPasses && !problem(scenario).empty(); ++pass) {
        repair(scenario);
        assignTies(scenario);
    }
    for (std::size_t key = 0; key < values.size(); ++key) {
        const auto stays = [&](const Parameter& p) { return p.value(scenario) == values[key]; };
        if (!std::all_of(m_varied[key].begin(), m_varied[key].end(), stays)) {
            return asSet;
        }
    }
    return scenario;
}

std::string Variation::problem(const Scenario& scenario) const
{
    // For speed only values of parts that differ from the base are checked; the full validation
    // runs only to word an error.
    const bool legal = hasStructureOf(m_base, scenario)
        && std::all_of(m_parts.begin(), m_parts.end(), [&](const PartToJudge& part) {
                           const bool fixed = part.scope.part != ParameterScope::Part::scenario
                               && isSameIn(part.scope, scenario, m_base);
                           return fixed ? part.legalInBase : part.isLegal(scenario);
                       });
    if (legal) {
        return {};
    }
    const Status status = validated(scenario);
    return status.ok() ? std::string{} : status.error().message;
}

std::vector<Tie> tiesThatApply(const Scenario& scenario,
                               const std::string& key,
                               const std::vector<Tie>& ties)
{
    std::vector<Tie> apply;
    std::copy_if(ties.begin(), ties.end(), std::back_inserter(apply), [&](const Tie& tie) {
        return Variation::create(scenario, {key}, {tie}).ok();
    });
    return apply;
}

} // namespace flopsmith
