// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document_state.h"

#include "core/note/notes_through.h"

#include <QCoreApplication>

namespace flopsmith::ui {
namespace {

std::vector<Note> notesAfter(const DocumentState& before, const DocumentState& after)
{
    const Model& model = after.scenario.model;
    return after.notes == before.notes ? carriedOver(after.notes, before.scenario.model, model)
                                       : holdingNotes(after.notes, model);
}

} // namespace

void carryOver(const DocumentState& before, DocumentState& after)
{
    const Model& model = before.scenario.model;
    after.wishes = carriedOver(after.wishes, model, after.scenario.model);
    after.kept = keptThrough(after.kept, model, after.scenario.model);
    after.rules = carriedOver(after.rules, before.scenario, after.scenario);
    after.notes = notesAfter(before, after);
}

Status keepRules(const Scenario& before, DocumentState& after)
{
    if (after.rules.isEmpty()) {
        return Done{};
    }
    const Scenario edited = after.scenario;
    follow(after.scenario, after.rules);
    const int layers = edited.model.layers();
    if (layers != before.model.layers() && layers != after.scenario.model.layers()) {
        return Error{QCoreApplication::translate("flopsmith::ui::Document",
                                                 "layers is tied; untie it to add or remove blocks")
                         .toStdString()};
    }
    FLOPSMITH_RETURN_IF_ERROR(keepLocks(after.scenario, after.rules));
    if (after.scenario == before && edited != before) {
        return Error{QCoreApplication::translate(
                         "flopsmith::ui::Document",
                         "Only tied or locked parameters would change; untie or unlock them first")
                         .toStdString()};
    }
    after.notes = carriedOver(after.notes, edited.model, after.scenario.model);
    return Done{};
}

} // namespace flopsmith::ui
