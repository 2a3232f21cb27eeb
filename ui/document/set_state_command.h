// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/edit_history.h"

#include <QUndoCommand>

#include <optional>
#include <utility>

namespace flopsmith::ui {

/// A step of the document's undo stack: swaps whole states, so that one command serves every kind of
/// change.
class SetStateCommand : public QUndoCommand
{
public:
    SetStateCommand(EditHistory& history,
                    StateOwner& owner,
                    const QString& text,
                    StatePtr after,
                    int gesture,
                    Alongside alongside)
        : QUndoCommand(text)
        , m_history(history)
        , m_owner(owner)
        , m_before(owner.current())
        , m_after(std::move(after))
        , m_gesture(gesture)
        , m_alongside(std::move(alongside))
    {}

    void undo() override
    {
        m_history.endGesture();
        changeAlongside(false);
        m_owner.show(m_before);
        Q_EMIT m_history.replayed();
    }

    void redo() override
    {
        changeAlongside(true);
        m_owner.show(m_after);
        if (std::exchange(m_wasDone, true)) {
            Q_EMIT m_history.replayed();
        }
    }

    int id() const override { return m_gesture > 0 ? 1 : -1; }

    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* next = static_cast<const SetStateCommand*>(other);
        if (next->m_gesture != m_gesture) {
            return false;
        }
        m_after = next->m_after;
        m_cost.reset();
        setObsolete(m_after->scenario == m_before->scenario && m_after->rules == m_before->rules
                    && m_after->classLocks
                        == m_before->classLocks); // dragged away and back leaves no step
        return true;
    }

    /// Of the state after the step; the stack hands out its commands to read only.
    std::optional<QString>& bookmark() const { return m_bookmark; }

    const StatePtr& after() const { return m_after; }
    const Alongside& alongside() const { return m_alongside; }
    bool changesDocument() const { return !m_before->isAs(*m_after); }
    bool hasCost(LensId id) const { return m_cost && m_costLens == id; }

    StepCost cost(LensId id) const
    {
        if (!hasCost(id)) {
            m_cost = {flopsUnder(id, m_before->scenario), flopsUnder(id, m_after->scenario)};
            m_costLens = id;
        }
        return *m_cost;
    }

private:
    static std::optional<Count> flopsUnder(LensId id, const Scenario& scenario)
    {
        const CostTree<Count> tree = flopsmith::costTree(scenario, flopsmith::lens(id).pairs);
        return summary(tree, scenario, id).flops;
    }

    void changeAlongside(bool done) const
    {
        if (m_alongside) {
            m_alongside(done);
        }
    }

    EditHistory& m_history;
    StateOwner& m_owner;
    StatePtr m_before;
    StatePtr m_after;
    int m_gesture;
    Alongside m_alongside;
    bool m_wasDone = false;
    mutable std::optional<QString> m_bookmark{};
    mutable std::optional<StepCost> m_cost; ///< under m_costLens; kept when first asked for
    mutable LensId m_costLens = LensId::exact;
};

} // namespace flopsmith::ui
