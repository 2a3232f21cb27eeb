// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/edits/rule_edit.h"

#include "core/model/pattern.h"
#include "core/note/notes_through.h"
#include "core/parameter/validation.h"
#include "ui/document/document.h"
#include "ui/document/selected_parameters.h"

#include <utility>

namespace flopsmith::ui {
namespace {

QString nameOfRuled(const Parameter& parameter)
{
    return QString::fromUtf8(parameter.text.key.data(),
                             static_cast<qsizetype>(parameter.text.key.size()));
}

// On which runs an edit of the parameter would set it.
std::vector<ParameterPlace> placesToRule(const Document& document, const Parameter& parameter)
{
    const ParameterPlace place = placeOf(document.scenario(), parameter);
    std::vector<int> runs = runsToSet(document.selection(), place);
    if (runs.empty() && place.run >= 0 && document.editScope() == EditScope::allEqual) {
        const auto& all = document.model().runs;
        for (std::size_t run = 0; run < all.size(); ++run) {
            const int index = static_cast<int>(run);
            if (shownRun(document.model(), index) == index
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

Result<DocumentState> tied(const Document& document,
                           const Parameter& parameter,
                           const QString& expression)
{
    FLOPSMITH_RETURN_IF_ERROR(allowsSetting(document.classLocks().held(), parameter));
    DocumentState after = document.state();
    for (const ParameterPlace& place : placesToRule(document, parameter)) {
        FLOPSMITH_RETURN_IF_ERROR(
            addTie(after.rules, document.scenario(), place, expression.toUtf8().toStdString()));
    }
    follow(after.scenario, after.rules);
    FLOPSMITH_RETURN_IF_ERROR(keepLocks(after.scenario, after.rules));
    after.notes = carriedOver(after.notes, document.model(), after.scenario.model);
    const Status legal = validated(after.scenario);
    return legal ? Result<DocumentState>(std::move(after)) : legal.error();
}

} // namespace

Result<QString> tiePreview(const Document& document,
                           const Parameter& parameter,
                           const QString& expression)
{
    FLOPSMITH_TRY(const DocumentState after, tied(document, parameter, expression));
    const ParameterPlace place = placeOf(document.scenario(), parameter);
    const ParameterDifference change{
        place, parameter, parameter.value(document.scenario()), parameter.value(after.scenario)};
    return QString::fromStdString(followedText(change, *after.rules.tieOf(place), after.scenario));
}

Status tieParameter(Document& document, const Parameter& parameter, const QString& expression)
{
    document.history().endGesture();
    FLOPSMITH_TRY(const DocumentState after, tied(document, parameter, expression));
    const Scenario before = document.scenario();
    document.push(Document::tr("Tie %1").arg(nameOfRuled(parameter)), after, {});
    document.setNotice({QString::fromStdString(dependentsText(
                            before, {}, document.scenario(), parameter, document.rules())),
                        {}});
    return Done{};
}

void freeParameter(Document& document, const Parameter& parameter)
{
    DocumentState after = document.state();
    bool wasTied = false;
    for (const ParameterPlace& place : placesToRule(document, parameter)) {
        wasTied = wasTied || after.rules.tieOf(place) != nullptr;
        after.rules.removeTie(place);
        after.rules.removeLock(place);
    }
    document.history().endGesture();
    const QString name = nameOfRuled(parameter);
    document.push(wasTied ? Document::tr("Untie %1").arg(name)
                          : Document::tr("Unlock %1").arg(name),
                  std::move(after),
                  {});
    document.setNotice({});
}

Status lockParameter(Document& document, const Parameter& parameter)
{
    DocumentState after = document.state();
    for (const ParameterPlace& place : placesToRule(document, parameter)) {
        FLOPSMITH_RETURN_IF_ERROR(addLock(after.rules, document.scenario(), place));
    }
    document.history().endGesture();
    document.push(Document::tr("Lock %1").arg(nameOfRuled(parameter)), std::move(after), {});
    document.setNotice({});
    return Done{};
}

} // namespace flopsmith::ui
