// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/edit_history.h"

#include <QObject>

#include <span>
#include <string>
#include <vector>

namespace flopsmith::ui {

/// What a lecturer locks for students: whether its locks hold, are lifted, or are being prepared.
/// The locks themselves are a part of the document's state.
class ClassLocks : public QObject
{
    Q_OBJECT

public:
    ClassLocks(StateOwner& owner, EditHistory& history, QObject* parent = nullptr);

    /// Whether or not they hold now.
    const std::vector<ClassLock>& all() const { return m_owner.current()->classLocks; }
    bool isPrepared() const { return !all().empty(); }

    /// Those that hold now: none while the design is prepared or after unlock(). Edits that they do
    /// not allow are refused with their sentence; undo and redo are not.
    std::span<const ClassLock> held() const;

    /// Lifts them for good, which undo does not take back: it is saved and travels.
    void unlock();
    bool isUnlocked() const { return m_unlocked; }

    /// While a design is prepared, its class locks are edited and do not hold. Beginning it on a
    /// prepared design unlocks that; at the end the locks hold anew.
    bool isPreparing() const { return m_preparing; }
    void setPreparing(bool preparing);

    /// Locks a control, or allows it again, as one undo step. A fixed parameter keeps the value that
    /// it has at the end of preparing. The Error says why not.
    Status lock(const ClassLock& lock);
    void allow(const std::string& key);

    /// Whether the locks allow an edit. While the design is prepared, its fixed parameters are fixed
    /// at the values that they get.
    Status keep(DocumentState& after) const;

    /// Begins anew with another design.
    void restart(bool isUnlocked);

    /// What a file says that is read again; changed() is left to the caller.
    void setUnlocked(bool isUnlocked) { m_unlocked = isUnlocked; }

Q_SIGNALS:
    /// Other locks hold, or it is another step of preparing them.
    void changed();
    void unlocked(); ///< by unlock()

private:
    StateOwner& m_owner;
    EditHistory& m_history;
    bool m_unlocked = false;
    bool m_preparing = false;
};

/// The locks of a design as they hold: with the values of fixed parameters, which a file may leave
/// out.
std::vector<ClassLock> withValues(std::vector<ClassLock> locks, const Scenario& scenario);

} // namespace flopsmith::ui
