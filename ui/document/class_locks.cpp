// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/class_locks.h"

#include <utility>

namespace flopsmith::ui {
namespace {

// Of an action, or the parameter's own name.
QString nameOfLocked(const std::string& key)
{
    const QString name = QString::fromStdString(key);
    return name.contains(QLatin1Char(':')) ? name.section(QLatin1Char(':'), 1)
                                           : name.section(QLatin1Char('.'), -1);
}

QString stepText(const ClassLock& lock)
{
    const QString name = nameOfLocked(lock.key);
    switch (lock.kind) {
    case ClassLock::Kind::hidden: return ClassLocks::tr("Hide %1 for students").arg(name);
    case ClassLock::Kind::fixed: return ClassLocks::tr("Fix %1 for students").arg(name);
    case ClassLock::Kind::bounded: break;
    }
    return ClassLocks::tr("Bound %1 for students").arg(name);
}

} // namespace

ClassLocks::ClassLocks(StateOwner& owner, EditHistory& history, QObject* parent)
    : QObject(parent)
    , m_owner(owner)
    , m_history(history)
{}

std::span<const ClassLock> ClassLocks::held() const
{
    return m_unlocked || m_preparing ? std::span<const ClassLock>() : all();
}

void ClassLocks::unlock()
{
    if (!isPrepared() || m_unlocked) {
        return;
    }
    m_history.endGesture();
    m_unlocked = true;
    m_history.setUnsaved(); // undo does not lead back to what the file says
    Q_EMIT changed();
    Q_EMIT unlocked();
}

void ClassLocks::setPreparing(bool preparing)
{
    if (preparing == m_preparing) {
        return;
    }
    m_history.endGesture();
    if (preparing) {
        unlock();
    } else if (std::exchange(m_unlocked, false)) {
        m_history.setUnsaved();
    }
    m_preparing = preparing;
    Q_EMIT changed();
}

Status ClassLocks::lock(const ClassLock& lock)
{
    if (!m_preparing) {
        return Error{tr("Turn on Prepare for class to lock a control for students").toStdString()};
    }
    DocumentState after = *m_owner.current();
    setClassLock(after.classLocks, lock);
    FLOPSMITH_RETURN_IF_ERROR(checked(after.classLocks));
    m_history.endGesture();
    noteFixedValues(after.classLocks, after.scenario);
    m_owner.push(stepText(lock), std::move(after), {});
    return Done{};
}

void ClassLocks::allow(const std::string& key)
{
    if (!m_preparing || classLockOfKey(all(), key) == nullptr) {
        return;
    }
    m_history.endGesture();
    DocumentState after = *m_owner.current();
    removeClassLock(after.classLocks, key);
    m_owner.push(tr("Allow %1 again").arg(nameOfLocked(key)), std::move(after), {});
}

Status ClassLocks::keep(DocumentState& after) const
{
    if (m_preparing) {
        noteFixedValues(after.classLocks, after.scenario);
    }
    return allowsEdit(held(), m_owner.current()->scenario, after.scenario);
}

void ClassLocks::restart(bool isUnlocked)
{
    m_unlocked = isUnlocked;
    m_preparing = false;
    Q_EMIT changed();
}

std::vector<ClassLock> withValues(std::vector<ClassLock> locks, const Scenario& scenario)
{
    std::vector<ClassLock> noted = locks;
    noteFixedValues(noted, scenario);
    for (std::size_t i = 0; i < locks.size(); ++i) {
        if (locks[i].values.empty()) {
            locks[i].values = noted[i].values;
        }
    }
    return locks;
}

} // namespace flopsmith::ui

#include "moc_class_locks.cpp"
