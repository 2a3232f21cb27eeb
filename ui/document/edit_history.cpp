// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/edit_history.h"

#include "ui/document/set_state_command.h"

#include <algorithm>
#include <utility>

namespace flopsmith::ui {

EditHistory::EditHistory(StateOwner& owner, QObject* parent)
    : QObject(parent)
    , m_owner(owner)
{
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, &EditHistory::sayIfModified);
    connect(&m_undoStack, &QUndoStack::indexChanged, this, &EditHistory::sayIfModified);
}

const SetStateCommand* EditHistory::step(int index) const
{
    return static_cast<const SetStateCommand*>(m_undoStack.command(index));
}

bool EditHistory::isModified() const
{
    const int clean = m_undoStack.cleanIndex();
    const auto [first, last] = std::minmax({clean, m_undoStack.index()}); // by value
    bool modified = clean < 0;
    for (int index = first; index < last && !modified; ++index) {
        modified = step(index)->changesDocument();
    }
    return modified;
}

void EditHistory::sayIfModified()
{
    const bool modified = isModified();
    if (std::exchange(m_wasModified, modified) != modified) {
        Q_EMIT modifiedChanged();
    }
}

void EditHistory::clear()
{
    endGesture();
    setBookmark(0, std::nullopt);
    m_undoStack.clear();
    setDiscarded({});
}

void EditHistory::record(const QString& text, const StatePtr& after, Alongside alongside)
{
    Discarded undone = undoneSteps();
    m_undoStack.push(new SetStateCommand(
        *this, m_owner, text, after, m_gesture ? m_gesture->id : 0, std::move(alongside)));
    if (!undone.steps.empty()) {
        setDiscarded(std::move(undone));
    }
}

void EditHistory::recordBeside(const QString& text, Alongside alongside)
{
    endGesture();
    record(text, m_owner.current(), std::move(alongside));
}

std::optional<StepCost> EditHistory::stepCost(int step, LensId lens) const
{
    const SetStateCommand* command = this->step(step);
    if (command == nullptr || (isInGesture() && !command->hasCost(lens))) {
        return std::nullopt;
    }
    return command->cost(lens);
}

std::optional<QString> EditHistory::bookmark(int steps) const
{
    const SetStateCommand* command = step(steps - 1);
    return steps == 0 ? m_startBookmark : command == nullptr ? std::nullopt : command->bookmark();
}

void EditHistory::setBookmark(int steps, const std::optional<QString>& name)
{
    if (bookmark(steps) == name || steps > m_undoStack.count()) {
        return;
    }
    (steps == 0 ? m_startBookmark : step(steps - 1)->bookmark()) = name;
    Q_EMIT bookmarksChanged();
}

void EditHistory::removeBookmark(int steps)
{
    const auto remove = [this, steps, name = bookmark(steps)](bool done) {
        setBookmark(steps, done ? std::nullopt : name);
    };
    if (m_undoStack.canRedo()) {
        remove(true);
    } else {
        recordBeside(tr("Remove bookmark"), remove);
    }
}

EditHistory::Discarded EditHistory::undoneSteps() const
{
    Discarded undone{.first = m_undoStack.index()};
    for (int index = undone.first; index < m_undoStack.count(); ++index) {
        const SetStateCommand& command = *step(index);
        undone.steps.push_back(
            {command.text(), command.after(), command.alongside(), command.bookmark()});
    }
    return undone;
}

void EditHistory::setDiscarded(Discarded discarded)
{
    m_discarded = std::move(discarded);
    Q_EMIT discardedChanged();
}

void EditHistory::restoreDiscarded()
{
    endGesture();
    const Discarded restored = m_discarded;
    if (restored.steps.empty()) {
        return;
    }
    m_undoStack.setIndex(restored.first);
    setDiscarded({}); // but for what the first of them replaces
    for (const DiscardedStep& each : restored.steps) {
        if (!m_owner.push(each.text, *each.after, each.alongside)) {
            break; // it was locked for a class in the meantime
        }
        setBookmark(m_undoStack.index(), each.bookmark);
    }
}

void EditHistory::beginGesture()
{
    m_gesture = Gesture{.id = ++m_lastGesture, .start = m_owner.current()};
}

void EditHistory::endGesture()
{
    if (m_gesture) {
        m_gesture.reset();
        Q_EMIT gestureEnded();
    }
}

void EditHistory::cancelGesture()
{
    if (m_gesture && m_owner.current()->scenario != m_gesture->start->scenario) {
        record({}, m_gesture->start);
        Q_EMIT replayed();
    }
    endGesture();
}

StatePtr EditHistory::baseOfChange(const std::string& parameter)
{
    if (!m_gesture) {
        return m_owner.current();
    }
    if (!m_gesture->parameter.empty() && m_gesture->parameter != parameter) {
        beginGesture();
    }
    m_gesture->parameter = parameter;
    return m_gesture->start;
}

} // namespace flopsmith::ui

#include "moc_edit_history.cpp"
