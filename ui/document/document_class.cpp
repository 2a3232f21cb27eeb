// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/project/project_file.h"
#include "ui/document/document.h"

#include <utility>

// What a lecturer locks for students.

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
    case ClassLock::Kind::hidden: return Document::tr("Hide %1 for students").arg(name);
    case ClassLock::Kind::fixed: return Document::tr("Fix %1 for students").arg(name);
    case ClassLock::Kind::bounded: break;
    }
    return Document::tr("Bound %1 for students").arg(name);
}

} // namespace

std::span<const ClassLock> Document::heldLocks() const
{
    return m_unlocked || m_preparing ? std::span<const ClassLock>() : classLocks();
}

void Document::unlock()
{
    if (!isPrepared() || m_unlocked) {
        return;
    }
    m_history.endGesture();
    m_unlocked = true;
    m_history.setUnsaved(); // undo does not lead back to what the file says
    Q_EMIT classLocksChanged();
    Q_EMIT unlocked();
}

void Document::setPreparing(bool preparing)
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
    Q_EMIT classLocksChanged();
}

Status Document::lockForClass(const ClassLock& lock)
{
    if (!m_preparing) {
        return Error{tr("Turn on Prepare for class to lock a control for students").toStdString()};
    }
    DocumentState after = *m_state;
    setClassLock(after.classLocks, lock);
    if (const Status status = checked(after.classLocks); !status) {
        return status;
    }
    m_history.endGesture();
    noteFixedValues(after.classLocks, after.scenario);
    push(stepText(lock), std::move(after), {});
    return Done{};
}

void Document::allowForClass(const std::string& key)
{
    if (!m_preparing || classLockOfKey(classLocks(), key) == nullptr) {
        return;
    }
    m_history.endGesture();
    DocumentState after = *m_state;
    removeClassLock(after.classLocks, key);
    push(tr("Allow %1 again").arg(nameOfLocked(key)), std::move(after), {});
}

void Document::chooseLens(LensId lens)
{
    const ClassLock* lock = classLockOfKey(heldLocks(), "lens");
    if (lock != nullptr && lens != m_lens) {
        refuse(QString::fromStdString(classLockText(*lock)));
        return;
    }
    setLens(lens);
}

// While the design is prepared, fixed parameters are fixed at the values that they get.
Status Document::keepClassLocks(DocumentState& after) const
{
    if (m_preparing) {
        noteFixedValues(after.classLocks, after.scenario);
    }
    return allowsEdit(heldLocks(), scenario(), after.scenario);
}

void Document::startClassLocks(const Project& project)
{
    m_unlocked = project.unlocked;
    m_preparing = false;
    std::vector<ClassLock> noted = project.classLocks;
    noteFixedValues(noted, project.scenario);
    DocumentState locked = *m_state;
    locked.classLocks = project.classLocks;
    for (std::size_t i = 0; i < noted.size(); ++i) {
        if (locked.classLocks[i].values.empty()) { // a file may leave them out
            locked.classLocks[i].values = noted[i].values;
        }
    }
    m_state = std::make_shared<const DocumentState>(std::move(locked));
    Q_EMIT classLocksChanged();
}

} // namespace flopsmith::ui
