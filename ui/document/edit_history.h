// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lens/cost_summary.h"
#include "ui/document/document_state.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace flopsmith::ui {

class SetStateCommand;

/// A change outside the document that belongs to a step: called with true whenever the step is done,
/// and with false when it is undone.
using Alongside = std::function<void(bool done)>;

/// What the parts of a document know of it: the state, and the one command that replaces it.
class StateOwner
{
public:
    virtual const StatePtr& current() const = 0;

    /// Takes a state over as one undo step, unless it is illegal or a class lock forbids it: then
    /// nothing changes, and the refusal says why. Within a gesture it is a part of its step.
    virtual bool push(const QString& text, DocumentState after, Alongside alongside) = 0;

    /// Shows the state of a step that is done or undone.
    virtual void show(const StatePtr& state) = 0;

protected:
    ~StateOwner() = default;
};

/// The FLOPs before and after a step of the undo stack, under one lens, where it defines them.
struct StepCost
{
    std::optional<Count> before{};
    std::optional<Count> after{};
};

/// The steps of a document: its undo stack with their costs and bookmarks, the steps that an edit
/// after an undo has discarded, and gestures, whose changes are one step.
class EditHistory : public QObject
{
    Q_OBJECT

public:
    explicit EditHistory(StateOwner& owner, QObject* parent = nullptr);

    QUndoStack& undoStack() { return m_undoStack; }
    const QUndoStack& undoStack() const { return m_undoStack; }

    /// Whether the file lacks something of the document. Steps of recordBeside() do not count.
    bool isModified() const;

    /// Call when the file is not as the document was saved: it is modified until it is saved.
    void setUnsaved() { m_undoStack.resetClean(); }

    /// Forgets all steps.
    void clear();

    /// Records a legal state that no class lock forbids, or that is not an edit: read from a file.
    void record(const QString& text, const StatePtr& after, Alongside alongside = {});

    /// Records a step that changes only what stands beside the document: what `alongside` does.
    void recordBeside(const QString& text, Alongside alongside);

    /// The FLOPs around a step of the undo stack, done or undone. They are counted when first asked
    /// for and kept. Empty if there is no such step, and during a gesture if they were not counted
    /// before it.
    std::optional<StepCost> stepCost(int step, LensId lens) const;

    /// The name of the bookmark at the state after so many steps, which may be empty; none without a
    /// bookmark. It goes with its step.
    std::optional<QString> bookmark(int steps) const;
    void setBookmark(int steps, const std::optional<QString>& name);

    /// Removes a bookmark as a step of its own, unless that would discard undone steps.
    void removeBookmark(int steps);

    /// How many undone steps the last edit after an undo has discarded, and the way back: undoes what
    /// was done instead and does them again. That is then what is discarded; none where there are
    /// none.
    int discardedSteps() const { return static_cast<int>(m_discarded.steps.size()); }
    void restoreDiscarded();

    void beginGesture();
    void endGesture();

    /// Ends the gesture with the state at its beginning, and no step of it stays.
    void cancelGesture();
    bool isInGesture() const { return m_gesture.has_value(); }

    /// The state that a change of this parameter starts from: within a gesture that at its beginning.
    /// Another parameter than the one that the gesture has changed begins a gesture of its own.
    StatePtr baseOfChange(const std::string& parameter);

Q_SIGNALS:
    void modifiedChanged();
    void gestureEnded();
    void bookmarksChanged();
    void discardedChanged();
    void replayed(); ///< a step was undone or done again

private:
    /// A step that is no longer on the undo stack.
    struct DiscardedStep
    {
        QString text{};
        StatePtr after{};
        Alongside alongside{};
        std::optional<QString> bookmark{};
    };

    /// Undone steps that another edit replaced, and after how many steps they began.
    struct Discarded
    {
        int first = 0;
        std::vector<DiscardedStep> steps{};
    };

    struct Gesture
    {
        int id = 0;
        StatePtr start{};
        std::string parameter{}; ///< that changes; empty until the first change
    };

    const SetStateCommand* step(int index) const;
    Discarded undoneSteps() const;
    void setDiscarded(Discarded discarded);
    void sayIfModified();

    StateOwner& m_owner;
    Discarded m_discarded;
    std::optional<QString> m_startBookmark; ///< of the state before all steps
    std::optional<Gesture> m_gesture;
    int m_lastGesture = 0;
    bool m_wasModified = false; ///< as modifiedChanged() said last
    QUndoStack m_undoStack; ///< after what is read when it emits signals while it is destroyed
};

} // namespace flopsmith::ui
