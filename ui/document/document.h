// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/lens/cost_summary.h"
#include "core/model/model_cost.h"
#include "core/parameter/correction.h"
#include "core/parameter/parameter_table.h"
#include "ui/document/selection.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>

#include <functional>
#include <optional>

namespace flopsmith {
struct JournalEntry;
struct JournalHistory;
struct Project;
} // namespace flopsmith

namespace flopsmith::ui {

/// What undo and redo switch between.
struct DocumentState
{
    Scenario scenario;
    Selection selection;
    Wishes wishes{}; ///< what comes back when it is legal again; not in files

    bool operator==(const DocumentState&) const = default;
};

/// What a person should know of the last change of a parameter: why a value was corrected, which
/// others changed with it, and what could be done instead.
struct Notice
{
    QString text;
    std::optional<Alternative> alternative;

    bool isEmpty() const { return text.isEmpty(); }
    bool operator==(const Notice&) const = default;
};

/// Which blocks a parameter of the selected run is set on.
enum class EditScope {
    run, ///< the selected run
    allEqual, ///< every run whose blocks equal those of the selected one
};

/// The open model: a scenario with its undo stack, the selection, the lens and the file it came
/// from. Everything that views show is asked from here; every change goes through here, is checked
/// by the validator, and is one undo step. Signals are emitted only when something is different.
class Document : public QObject
{
    Q_OBJECT

public:
    explicit Document(Scenario scenario, QObject* parent = nullptr);

    const Scenario& scenario() const { return m_state.scenario; }
    const Model& model() const { return m_state.scenario.model; }
    Selection selection() const { return m_state.selection; }
    LensId lens() const { return m_lens; }
    EditScope editScope() const { return m_scope; }

    /// Cost of the scenario under the lens's pairs rule; computed once per change.
    const CostTree<Count>& costTree() const;
    CostSummary costSummary() const;

    /// Empty until the document has been saved or opened.
    const QString& filePath() const { return m_path; }
    bool isModified() const { return !m_undoStack.isClean(); }
    QUndoStack& undoStack() { return m_undoStack; }

    /// Changes a copy of the scenario and takes it over as one undo step, unless the result is
    /// illegal: then nothing changes and changeRefused() says why. `edit` may also select.
    using Edit = std::function<void(DocumentState&)>;
    bool apply(const QString& text, const Edit& edit);

    /// Sets a parameter and moves what depends on it to legal values; what moved so comes back when
    /// it is legal again, and the notice names it. Between beginGesture() and endGesture() all
    /// changes of one parameter are one undo step, each starts from the scenario as it was when
    /// the gesture began (so that dependents come back), and returning there leaves no step.
    bool setParameter(const Parameter& parameter, const FieldValue& value);

    /// Sets a parameter to what somebody typed, or to the nearest legal value: then the notice says
    /// why, and how the typed one would be possible.
    void enterParameter(const Parameter& parameter, const FieldValue& typed);

    /// Something was typed for the parameter that is no value of it at all.
    void refuseText(const Parameter& parameter, const QString& typed);

    const Notice& notice() const { return m_notice; }

    /// Does what the notice offers, as one undo step.
    void takeAlternative();
    void beginGesture();
    void endGesture();
    bool isInGesture() const { return m_gesture.has_value(); }

    /// A new document without a file and without history.
    void start(const Scenario& scenario);

    /// Replaces the model and keeps the workload, as one undo step.
    void loadModel(const Model& model);
    void rename(const QString& name);

    void select(Selection selection);
    void setLens(LensId lens);
    void setEditScope(EditScope scope);

    /// Reads a project or a Hugging Face config.json, and starts a new undo history; the document
    /// is unchanged when that fails. Only a project becomes the file that save() writes. Gives
    /// what a reader should know of an import.
    Result<QStringList> open(const QString& path);

    /// Writes the project as a whole or, on failure, not at all. save() needs a filePath().
    Status save();
    Status saveAs(const QString& path);

    /// Whether the file still holds what was read from it or written to it last.
    enum class OnDisk { asLeft, changed, removed };
    OnDisk onDisk() const;

    /// Takes over what the file holds now, as one undo step; the document is unmodified then.
    Status reload();

    /// What this document holds is in no file any more: it is modified until it is saved.
    void setUnsaved();

    /// The present state for a journal, and a document as a journal kept it: with the undo history
    /// that it has, modified, and belonging to the same file.
    JournalEntry journalEntry() const;
    void restore(const JournalHistory& history);

Q_SIGNALS:
    void scenarioChanged();
    void selectionChanged();
    void lensChanged();
    void editScopeChanged();

    /// The path or the modified flag.
    void fileChanged();
    void changeRefused(const QString& sentence);
    void noticeChanged();

private:
    class SetStateCommand;

    struct Gesture
    {
        int id = 0;
        DocumentState start;
        std::string key; ///< of the parameter that moves; empty until the first change
    };

    bool push(const QString& text, DocumentState after, int gesture);
    void show(const DocumentState& state);
    Project project() const;
    void restart(Scenario scenario, const QString& path, const std::string& view);
    DocumentState withParameter(DocumentState base,
                                const Parameter& parameter,
                                const FieldValue& value) const;
    void alignEqualBlocks(const Scenario& base, Scenario& changed) const;
    void setNotice(Notice notice);

    DocumentState m_state;
    LensId m_lens = LensId::exact;
    EditScope m_scope = EditScope::run;
    QString m_path;
    std::string m_fileHash; ///< of the file's content when it was last read or written
    std::string m_view; ///< the file's part about the window as JSON, kept as it is
    QUndoStack m_undoStack;
    std::optional<Gesture> m_gesture;
    int m_lastGesture = 0;
    Notice m_notice;
    mutable std::optional<CostTree<Count>> m_tree;
};

} // namespace flopsmith::ui
