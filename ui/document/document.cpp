// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.h"

#include "core/io/project/project_file.h"
#include "core/model/tree_path.h"
#include "core/note/notes_through.h"
#include "core/parameter/validation.h"

#include <algorithm>
#include <utility>

namespace flopsmith::ui {

Document::Document(Scenario scenario, QObject* parent)
    : QObject(parent)
    , m_state(std::make_shared<const DocumentState>(DocumentState{.scenario = std::move(scenario)}))
    , m_file(*this)
    , m_classLocks(*this, m_history)
    , m_history(*this)
{
    connect(&m_history, &EditHistory::modifiedChanged, this, &Document::fileChanged);
    connect(&m_history, &EditHistory::replayed, this, [this] { setNotice({}); });
}

const CostTree<Count>& Document::costTree() const
{
    return m_costs.tree(scenario(), flopsmith::lens(m_lens).pairs);
}

CostSummary Document::costSummary() const
{
    return summary(costTree(), scenario(), m_lens);
}

bool Document::apply(const QString& text, const Edit& edit, Alongside alongside)
{
    m_history.endGesture();
    DocumentState after = *m_state;
    edit(after);
    carryOver(*m_state, after);
    return take(text, std::move(after), std::move(alongside));
}

bool Document::replaceDesign(const QString& text, const Edit& edit, Alongside alongside)
{
    m_history.endGesture();
    DocumentState after = *m_state;
    edit(after);
    after.notes = holdingNotes(after.notes, after.scenario.model);
    return take(text, std::move(after), std::move(alongside));
}

bool Document::take(const QString& text, DocumentState after, Alongside alongside)
{
    const Status kept = keepRules(scenario(), after);
    const bool taken = kept && push(text, std::move(after), std::move(alongside));
    if (!kept) {
        Q_EMIT changeRefused(QString::fromStdString(kept.error().message));
    }
    setNotice({});
    return taken;
}

bool Document::push(const QString& text, DocumentState after, Alongside alongside)
{
    after.selection = after.selection.within(after.scenario.model);
    if (!m_classLocks.isPreparing()) {
        after.classLocks = m_state->classLocks; // a step that was discarded may have lifted some
    }
    if (after.isAs(*m_state)) {
        select(after.selection);
        return true;
    }
    Status status = validated(after.scenario);
    if (status) {
        status = m_classLocks.keep(after);
    }
    if (!status) {
        Q_EMIT changeRefused(QString::fromStdString(status.error().message));
        return false;
    }
    m_history.record(
        text, std::make_shared<const DocumentState>(std::move(after)), std::move(alongside));
    return true;
}

void Document::show(const StatePtr& state)
{
    const StatePtr before = std::exchange(m_state, state);
    const bool changed = before->scenario != m_state->scenario;
    if (changed) {
        m_costs.replaced(std::shared_ptr<const Scenario>(before, &before->scenario));
    }
    setSelection(existing(m_state->selection));
    if (changed) {
        Q_EMIT scenarioChanged();
    }
    if (before->rules != m_state->rules) {
        Q_EMIT rulesChanged();
    }
    if (before->classLocks != m_state->classLocks) {
        Q_EMIT m_classLocks.changed();
    }
    if (before->notes != m_state->notes) {
        Q_EMIT notesChanged();
    }
    sayIfSelected(before->selection);
}

// Of the state now; those of the history keep theirs.
void Document::setSelection(const Selection& selection)
{
    if (selection != m_state->selection) {
        DocumentState state = *m_state;
        state.selection = selection;
        m_state = std::make_shared<const DocumentState>(std::move(state));
    }
}

// The selection with an operation that the cost tree has.
Selection Document::existing(const Selection& selection) const
{
    Selection found = selection.within(model());
    if (!found.operation.empty()) {
        found.operation = nearestPath(costTree(), found.operation);
    }
    return found;
}

void Document::sayIfSelected(const Selection& before)
{
    const Selection now = selection(); // a receiver may select again
    if (!before.isOfSameParts(now)) {
        Q_EMIT selectionChanged();
    }
    if (before.operation != now.operation) {
        Q_EMIT operationChanged();
    }
}

void Document::start(const Scenario& scenario)
{
    start(Project{.scenario = scenario});
}

void Document::select(const Selection& selection)
{
    const Selection wanted = existing(selection);
    if (wanted == m_state->selection) {
        return;
    }
    m_history.endGesture();
    const StatePtr before = m_state;
    setSelection(wanted);
    sayIfSelected(before->selection);
}

void Document::selectOperation(const std::string& path)
{
    const std::string found = path.empty() ? path : nearestPath(costTree(), path);
    select(selection().withOperation(found, model()));
}

void Document::setLens(LensId lens)
{
    if (lens == m_lens) {
        return;
    }
    m_lens = lens;
    m_costs.clear();
    Q_EMIT lensChanged();
}

void Document::chooseLens(LensId lens)
{
    const ClassLock* lock = classLockOfKey(m_classLocks.held(), "lens");
    if (lock != nullptr && lens != m_lens) {
        refuse(QString::fromStdString(classLockText(*lock)));
        return;
    }
    setLens(lens);
}

void Document::setEditScope(EditScope scope)
{
    if (scope == m_scope) {
        return;
    }
    m_history.endGesture();
    m_scope = scope;
    Q_EMIT editScopeChanged();
}

void Document::tellRemoved(const QString& sentence, const std::function<void()>& restore)
{
    Q_EMIT removed(
        sentence, restore ? restore : [this] { undoStack().undo(); });
}

void Document::setNotice(Notice notice)
{
    if (notice != m_notice) {
        m_notice = std::move(notice);
        Q_EMIT noticeChanged();
    }
}

void Document::start(const Project& project, const FileOrigin& origin)
{
    m_history.clear();
    m_file.restart(origin, project.view);
    const int last = static_cast<int>(project.scenario.model.runs.size()) - 1;
    show(std::make_shared<const DocumentState>(DocumentState{
        .scenario = project.scenario,
        .selection = Selection::ofRun(std::max(last, 0)).within(project.scenario.model),
        .kept = project.kept,
        .rules = project.rules,
        .notes = project.notes}));
    DocumentState locked = *m_state;
    locked.classLocks = withValues(project.classLocks, project.scenario);
    m_state = std::make_shared<const DocumentState>(std::move(locked));
    m_classLocks.restart(project.unlocked);
    setNotice({});
    Q_EMIT fileChanged();
}

} // namespace flopsmith::ui

#include "moc_document.cpp"
