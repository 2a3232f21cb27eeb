// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.h"

#include "core/io/project/project_file.h"
#include "core/model/presets.h"
#include "core/model/tree_path.h"
#include "core/note/notes_through.h"
#include "core/parameter/validation.h"
#include "ui/document/set_state_command.h"

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

// Escapes a name for the text of a step: in menus an & would underline the next letter.
QString nameInStep(const QString& name)
{
    constexpr qsizetype kLongest = 40;
    QString shown = name.size() > kLongest ? name.left(kLongest) + QStringLiteral("…") : name;
    return shown.replace(QLatin1Char('&'), QLatin1String("&&"));
}

std::vector<Note> notesAfter(const DocumentState& before, const DocumentState& after)
{
    const Model& model = after.scenario.model;
    return after.notes == before.notes ? carriedOver(after.notes, before.scenario.model, model)
                                       : holdingNotes(after.notes, model);
}

} // namespace

Document::Document(Scenario scenario, QObject* parent)
    : QObject(parent)
    , m_state(std::make_shared<const DocumentState>(DocumentState{.scenario = std::move(scenario)}))
{
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, &Document::sayIfModified);
    connect(&m_undoStack, &QUndoStack::indexChanged, this, &Document::sayIfModified);
}

const CostTree<Count>& Document::costTree() const
{
    return m_costs.tree(scenario(), flopsmith::lens(m_lens).pairs);
}

CostSummary Document::costSummary() const
{
    return summary(costTree(), scenario(), m_lens);
}

const Document::SetStateCommand* Document::step(int index) const
{
    return static_cast<const SetStateCommand*>(m_undoStack.command(index));
}

std::optional<QString> Document::bookmark(int steps) const
{
    const SetStateCommand* command = step(steps - 1);
    return steps == 0 ? m_startBookmark : command == nullptr ? std::nullopt : command->bookmark();
}

void Document::setBookmark(int steps, const std::optional<QString>& name)
{
    if (bookmark(steps) == name || steps > m_undoStack.count()) {
        return;
    }
    (steps == 0 ? m_startBookmark : step(steps - 1)->bookmark()) = name;
    Q_EMIT bookmarksChanged();
}

std::optional<StepCost> Document::stepCost(int step) const
{
    const SetStateCommand* command = this->step(step);
    if (command == nullptr || (isInGesture() && !command->hasCost(m_lens))) {
        return std::nullopt;
    }
    return command->cost(m_lens);
}

bool Document::apply(const QString& text, const Edit& edit, Alongside alongside)
{
    endGesture();
    DocumentState after = *m_state;
    edit(after);
    after.wishes = carriedOver(after.wishes, model(), after.scenario.model);
    after.kept = keptThrough(after.kept, model(), after.scenario.model);
    after.rules = carriedOver(after.rules, scenario(), after.scenario);
    after.notes = notesAfter(*m_state, after);
    return take(text, std::move(after), std::move(alongside));
}

bool Document::replaceDesign(const QString& text, const Edit& edit, Alongside alongside)
{
    endGesture();
    DocumentState after = *m_state;
    edit(after);
    after.notes = holdingNotes(after.notes, after.scenario.model);
    return take(text, std::move(after), std::move(alongside));
}

void Document::recordBeside(const QString& text, Alongside alongside)
{
    endGesture();
    record(text, m_state, 0, std::move(alongside));
}

bool Document::take(const QString& text, DocumentState after, Alongside alongside)
{
    const Status kept = keepRules(after);
    const bool taken = kept && push(text, std::move(after), 0, std::move(alongside));
    if (!kept) {
        Q_EMIT changeRefused(QString::fromStdString(kept.error().message));
    }
    setNotice({});
    return taken;
}

bool Document::push(const QString& text, DocumentState after, int gesture, Alongside alongside)
{
    after.selection = after.selection.within(after.scenario.model);
    if (!m_preparing) {
        after.classLocks = m_state->classLocks; // a step that was discarded may have lifted some
    }
    if (after.isAs(*m_state)) {
        select(after.selection);
        return true;
    }
    Status status = validated(after.scenario);
    if (status) {
        status = keepClassLocks(after);
    }
    if (!status) {
        Q_EMIT changeRefused(QString::fromStdString(status.error().message));
        return false;
    }
    record(text,
           std::make_shared<const DocumentState>(std::move(after)),
           gesture,
           std::move(alongside));
    return true;
}

// A legal state that no class lock forbids, or that is not an edit: read from a file.
void Document::record(const QString& text, StatePtr after, int gesture, Alongside alongside)
{
    Discarded undone = undoneSteps();
    m_undoStack.push(
        new SetStateCommand(*this, text, std::move(after), gesture, std::move(alongside)));
    if (!undone.steps.empty()) {
        setDiscarded(std::move(undone));
    }
}

Document::Discarded Document::undoneSteps() const
{
    Discarded undone{.first = m_undoStack.index()};
    for (int index = undone.first; index < m_undoStack.count(); ++index) {
        undone.steps.push_back(step(index)->copy());
    }
    return undone;
}

void Document::setDiscarded(Discarded discarded)
{
    m_discarded = std::move(discarded);
    Q_EMIT discardedChanged();
}

void Document::restoreDiscarded()
{
    endGesture();
    const Discarded restored = m_discarded;
    if (restored.steps.empty()) {
        return;
    }
    m_undoStack.setIndex(restored.first);
    setDiscarded({}); // but for what the first of them replaces
    for (const DiscardedStep& each : restored.steps) {
        if (!push(each.text, *each.after, 0, each.alongside)) {
            break; // it was locked for a class in the meantime
        }
        setBookmark(m_undoStack.index(), each.bookmark);
    }
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
        Q_EMIT classLocksChanged();
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

bool Document::isModified() const
{
    const int clean = m_undoStack.cleanIndex();
    const auto [first, last] = std::minmax({clean, m_undoStack.index()}); // by value
    bool modified = clean < 0;
    for (int index = first; index < last && !modified; ++index) {
        modified = step(index)->changesDocument();
    }
    return modified;
}

void Document::sayIfModified()
{
    const bool modified = isModified();
    if (std::exchange(m_wasModified, modified) != modified) {
        Q_EMIT fileChanged();
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

void Document::start(const Project& project)
{
    m_fileHash.clear();
    restart(project, {});
}

void Document::loadModel(const Model& model)
{
    load(model, scenario().workload.precision);
}

void Document::loadPreset(const Preset& preset)
{
    load(preset.make(), preset.precision());
}

void Document::load(const Model& model, const Precision& precision)
{
    apply(tr("Load %1").arg(nameInStep(QString::fromStdString(model.name))),
          [&](DocumentState& state) {
              state.scenario.model = model;
              state.scenario.workload.precision = precision;
              state.wishes = {};
              state.rules = {};
              state.notes = {};
              std::erase_if(state.kept, [](const KeptKey& key) { return isInModel(key); });
              state.selection = Selection::ofRun(static_cast<int>(model.runs.size()) - 1);
          });
}

void Document::rename(const QString& name)
{
    apply(tr("Rename to %1").arg(nameInStep(name)), [&name](DocumentState& state) {
        state.scenario.model.name = fittingModelName(name.toStdString());
    });
}

void Document::select(const Selection& selection)
{
    const Selection wanted = existing(selection);
    if (wanted == m_state->selection) {
        return;
    }
    endGesture();
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

void Document::setEditScope(EditScope scope)
{
    if (scope == m_scope) {
        return;
    }
    endGesture();
    m_scope = scope;
    Q_EMIT editScopeChanged();
}

void Document::restart(const Project& project, const QString& path)
{
    endGesture();
    setBookmark(0, std::nullopt);
    m_undoStack.clear();
    setDiscarded({});
    m_path = path;
    m_view = project.view;
    const int last = static_cast<int>(project.scenario.model.runs.size()) - 1;
    show(std::make_shared<const DocumentState>(DocumentState{
        .scenario = project.scenario,
        .selection = Selection::ofRun(std::max(last, 0)).within(project.scenario.model),
        .kept = project.kept,
        .rules = project.rules,
        .notes = project.notes}));
    startClassLocks(project);
    setNotice({});
    Q_EMIT fileChanged();
}

} // namespace flopsmith::ui

#include "moc_document.cpp"
