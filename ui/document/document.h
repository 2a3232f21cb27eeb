// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/lens/cost_summary.h"
#include "core/parameter/correction.h"
#include "core/parameter/parameter_table.h"
#include "ui/document/class_locks.h"
#include "ui/document/cost_cache.h"
#include "ui/document/document_file.h"
#include "ui/document/edit_history.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace flopsmith::ui {

/// A message about the last change: why a parameter's value was corrected, which others changed with
/// it and what could be done instead, or what muting a part saves.
struct Notice
{
    QString text;
    std::optional<Alternative> alternative;

    bool isEmpty() const { return text.isEmpty(); }
    bool operator==(const Notice&) const = default;
};

/// Which blocks a parameter of the selected run is set on, if it is the only one.
enum class EditScope {
    run, ///< the selected run
    allEqual, ///< every run whose blocks equal those of the selected one
};

/// The open model: a scenario with its undo stack, the selection, the lens and the file it came
/// from. Views read everything from here. Every change goes through here, is checked by the
/// validator, and is one undo step. Signals are emitted only on a real change.
class Document
    : public QObject
    , private StateOwner
{
    Q_OBJECT

public:
    explicit Document(Scenario scenario, QObject* parent = nullptr);

    /// All that undo and redo restore.
    const DocumentState& state() const { return *m_state; }

    const Scenario& scenario() const { return m_state->scenario; }
    const Model& model() const { return m_state->scenario.model; }
    const Selection& selection() const { return m_state->selection; }

    /// The selected operation or part by its path in costTree(), which has it; empty: none.
    const std::string& operation() const { return m_state->selection.operation; }

    LensId lens() const { return m_lens; }
    EditScope editScope() const { return m_scope; }

    /// Cost of the scenario under the lens's pairs rule; computed once per change.
    const CostTree<Count>& costTree() const;
    CostSummary costSummary() const;

    /// Where it is read from and written to.
    DocumentFile& file() { return m_file; }
    const DocumentFile& file() const { return m_file; }

    /// All steps, done and undone, with their bookmarks and gestures.
    EditHistory& history() { return m_history; }
    const EditHistory& history() const { return m_history; }
    QUndoStack& undoStack() { return m_history.undoStack(); }

    /// Whether its file lacks something of it.
    bool isModified() const { return m_history.isModified(); }

    /// Changes a copy of the scenario and takes it over as one undo step, unless the result is
    /// illegal: then nothing changes and changeRefused() says why. `edit` may also select. Notes
    /// follow their blocks; an edit that knows better where they are changes them itself.
    using Edit = std::function<void(DocumentState&)>;
    bool apply(const QString& text, const Edit& edit, Alongside alongside = {});

    /// The same with an edit that puts another design in: its wishes, rules, notes and kept keys are
    /// those that the edit leaves, and nothing of them is carried over. Notes at what the other design
    /// does not have go away.
    bool replaceDesign(const QString& text, const Edit& edit, Alongside alongside = {});

    bool push(const QString& text, DocumentState after, Alongside alongside) override;

    const ParameterRules& rules() const { return m_state->rules; }

    /// What a lecturer locked for students.
    ClassLocks& classLocks() { return m_classLocks; }
    const ClassLocks& classLocks() const { return m_classLocks; }

    /// Notes at parts of the model, which go with their blocks through every edit.
    const std::vector<Note>& notes() const { return m_state->notes; }

    /// Says why something cannot be done; nothing changes.
    void refuse(const QString& sentence) { Q_EMIT changeRefused(sentence); }

    const Notice& notice() const { return m_notice; }

    /// Sets a notice about the last change, until the next one.
    void setNotice(Notice notice);
    void notify(const QString& sentence) { setNotice({sentence, {}}); }

    /// Says that something is gone, with the way back, which is undo where the removal is the last
    /// step.
    void tellRemoved(const QString& sentence, const std::function<void()>& restore = {});

    /// Starts a new document without history, of this file or of none.
    void start(const Scenario& scenario);
    void start(const Project& project, const FileOrigin& origin = {});

    void select(const Selection& selection);

    /// Selects an operation or part by its path in costTree(), and the run or the part of the model
    /// that it belongs to. Of a path that the tree does not have, the nearest part around it; empty:
    /// no operation, and the runs stay selected.
    void selectOperation(const std::string& path);
    void setLens(LensId lens);

    /// Sets the lens as a person chooses it: not while it is locked for a class.
    void chooseLens(LensId lens);
    void setEditScope(EditScope scope);

Q_SIGNALS:
    void scenarioChanged();
    void selectionChanged(); ///< other runs or another part
    void operationChanged();
    void lensChanged();
    void editScopeChanged();
    void rulesChanged();
    void notesChanged();

    /// The path or the modified flag has changed.
    void fileChanged();
    void changeRefused(const QString& sentence);
    void noticeChanged();

    /// Something is gone, and `restore` brings it back until the next step.
    void removed(const QString& sentence, const std::function<void()>& restore);

private:
    const StatePtr& current() const override { return m_state; }
    void show(const StatePtr& state) override;
    bool take(const QString& text, DocumentState after, Alongside alongside);
    void setSelection(const Selection& selection);
    Selection existing(const Selection& selection) const;
    void sayIfSelected(const Selection& before);

    StatePtr m_state; ///< never null; replaced as a whole
    LensId m_lens = LensId::exact;
    EditScope m_scope = EditScope::run;
    Notice m_notice;
    mutable CostCache m_costs;
    DocumentFile m_file;
    ClassLocks m_classLocks;
    EditHistory m_history; ///< last: its undo stack emits signals while it is destroyed
};

} // namespace flopsmith::ui
