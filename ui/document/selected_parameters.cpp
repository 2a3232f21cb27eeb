// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/selected_parameters.h"

#include "core/parameter/correction.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

const Block& blockOf(const Scenario& scenario, int run)
{
    return scenario.model.runs.at(static_cast<std::size_t>(run)).block;
}

// Whether `holds` for the parameter in each selected run but its own. Runs of equal blocks differ
// only in their length.
template <class Predicate>
bool holdsInOthers(const Scenario& scenario,
                   const Selection& selection,
                   const Parameter& parameter,
                   Predicate holds)
{
    const ParameterPlace place = placeOf(scenario, parameter);
    const std::vector<int> runs = runsToSet(selection, place);
    return std::all_of(runs.begin(), runs.end(), [&](int run) {
        const bool alike =
            !isLength(parameter) && blockOf(scenario, run) == blockOf(scenario, place.run);
        return run == place.run || alike || holds(parameterAt(scenario, {run, place.key}));
    });
}

} // namespace

std::vector<int> runsToSet(const Selection& selection, const ParameterPlace& place)
{
    const bool selected = selection.isSeveral() && selection.contains(place.run);
    return selected ? selection.runs() : std::vector<int>{};
}

bool isOfAll(const Scenario& scenario, const Selection& selection, const Parameter& parameter)
{
    const std::size_t kind = parameter.value(scenario).index();
    return holdsInOthers(
        scenario, selection, parameter, [&](const std::optional<Parameter>& other) {
            return other && other->value(scenario).index() == kind;
        });
}

bool appliesInAll(const Scenario& scenario, const Selection& selection, const Parameter& parameter)
{
    return parameter.applies(scenario)
        && holdsInOthers(
               scenario, selection, parameter, [&](const std::optional<Parameter>& other) {
                   return other && other->applies(scenario);
               });
}

bool isMixed(const Scenario& scenario, const Selection& selection, const Parameter& parameter)
{
    const FieldValue value = parameter.value(scenario);
    return !holdsInOthers(
        scenario, selection, parameter, [&](const std::optional<Parameter>& other) {
            return other && other->value(scenario) == value;
        });
}

FieldValue possibleValue(const Scenario& scenario,
                         const Parameter& parameter,
                         const FieldValue& wanted)
{
    const LegalValues legal = parameter.legal(scenario);
    const bool number =
        std::holds_alternative<std::int64_t>(wanted) || std::holds_alternative<double>(wanted);
    if (legal.contains(wanted)) {
        return wanted;
    }
    return number ? legal.nearest(wanted) : parameter.value(scenario);
}

std::string correctionsText(const Scenario& scenario,
                            const std::vector<int>& runs,
                            const ParameterPlace& place,
                            const FieldValue& wanted)
{
    std::vector<std::string> sentences; // equal ones of several runs are told once
    for (const int run : runs) {
        const auto other = parameterAt(scenario, {run, place.key});
        if (run == place.run || !other || other->legal(scenario).contains(wanted)) {
            continue;
        }
        std::string sentence = reasonAgainst(other->legal(scenario), wanted, other->text.label)
            + ": " + valueText(possibleValue(scenario, *other, wanted));
        if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end()) {
            sentences.push_back(std::move(sentence));
        }
    }
    std::string all;
    for (const std::string& sentence : sentences) {
        all += (all.empty() ? "" : " \xC2\xB7 ") + sentence;
    }
    return all;
}

} // namespace flopsmith::ui
