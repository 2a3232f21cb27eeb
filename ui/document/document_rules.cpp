// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pattern.h"
#include "core/note/notes_through.h"
#include "core/parameter/parameter_rules.h"
#include "core/parameter/validation.h"
#include "ui/document/document.h"
#include "ui/document/selected_parameters.h"

#include <utility>

// Ties and locks of parameters.

namespace flopsmith::ui {
namespace {

QString nameOfRuled(const Parameter& parameter)
{
    return QString::fromUtf8(parameter.text.key.data(),
                             static_cast<qsizetype>(parameter.text.key.size()));
}

} // namespace

// On which runs an edit of the parameter would set it.
std::vector<ParameterPlace> Document::placesToRule(const Parameter& parameter) const
{
    const ParameterPlace place = placeOf(scenario(), parameter);
    std::vector<int> runs = runsToSet(selection(), place);
    if (runs.empty() && place.run >= 0 && m_scope == EditScope::allEqual) {
        const auto& all = model().runs;
        for (std::size_t run = 0; run < all.size(); ++run) {
            const int index = static_cast<int>(run);
            if (shownRun(model(), index) == index
                && all[run].block == all.at(static_cast<std::size_t>(place.run)).block) {
                runs.push_back(index);
            }
        }
    }
    if (runs.empty()) {
        return {place};
    }
    std::vector<ParameterPlace> places;
    for (const int run : runs) {
        places.push_back({run, place.key});
    }
    return places;
}

Result<DocumentState> Document::tied(const Parameter& parameter, const QString& expression) const
{
    FLOPSMITH_RETURN_IF_ERROR(allowsSetting(m_classLocks.held(), parameter));
    DocumentState after = *m_state;
    for (const ParameterPlace& place : placesToRule(parameter)) {
        FLOPSMITH_RETURN_IF_ERROR(
            addTie(after.rules, scenario(), place, expression.toUtf8().toStdString()));
    }
    follow(after.scenario, after.rules);
    FLOPSMITH_RETURN_IF_ERROR(keepLocks(after.scenario, after.rules));
    after.notes = carriedOver(after.notes, model(), after.scenario.model);
    const Status legal = validated(after.scenario);
    return legal ? Result<DocumentState>(std::move(after)) : legal.error();
}

Result<QString> Document::tiePreview(const Parameter& parameter, const QString& expression) const
{
    FLOPSMITH_TRY(const DocumentState after, tied(parameter, expression));
    const ParameterPlace place = placeOf(scenario(), parameter);
    const ParameterDifference change{
        place, parameter, parameter.value(scenario()), parameter.value(after.scenario)};
    return QString::fromStdString(followedText(change, *after.rules.tieOf(place), after.scenario));
}

Status Document::tieParameter(const Parameter& parameter, const QString& expression)
{
    m_history.endGesture();
    const Result<DocumentState> after = tied(parameter, expression);
    if (!after) {
        return after.error();
    }
    const Scenario before = scenario();
    push(tr("Tie %1").arg(nameOfRuled(parameter)), after, {});
    setNotice(
        {QString::fromStdString(dependentsText(before, {}, scenario(), parameter, rules())), {}});
    return Done{};
}

void Document::freeParameter(const Parameter& parameter)
{
    DocumentState after = *m_state;
    bool wasTied = false;
    for (const ParameterPlace& place : placesToRule(parameter)) {
        wasTied = wasTied || after.rules.tieOf(place) != nullptr;
        after.rules.removeTie(place);
        after.rules.removeLock(place);
    }
    m_history.endGesture();
    const QString name = nameOfRuled(parameter);
    push(wasTied ? tr("Untie %1").arg(name) : tr("Unlock %1").arg(name), std::move(after), {});
    setNotice({});
}

Status Document::lockParameter(const Parameter& parameter)
{
    DocumentState after = *m_state;
    for (const ParameterPlace& place : placesToRule(parameter)) {
        FLOPSMITH_RETURN_IF_ERROR(addLock(after.rules, scenario(), place));
    }
    m_history.endGesture();
    push(tr("Lock %1").arg(nameOfRuled(parameter)), std::move(after), {});
    setNotice({});
    return Done{};
}

// Ties are followed and locks kept after an edit of the stack, or the edit cannot be.
Status Document::keepRules(DocumentState& after) const
{
    if (after.rules.isEmpty()) {
        return Done{};
    }
    const Scenario edited = after.scenario;
    follow(after.scenario, after.rules);
    const int layers = edited.model.layers();
    if (layers != model().layers() && layers != after.scenario.model.layers()) {
        return Error{tr("layers is tied; untie it to add or remove blocks").toStdString()};
    }
    FLOPSMITH_RETURN_IF_ERROR(keepLocks(after.scenario, after.rules));
    if (after.scenario == scenario() && edited != scenario()) {
        return Error{tr("Only tied or locked parameters would change; untie or unlock them first")
                         .toStdString()};
    }
    after.notes = carriedOver(after.notes, edited.model, after.scenario.model);
    return Done{};
}

} // namespace flopsmith::ui
