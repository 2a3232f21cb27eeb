// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/class_locks/class_lock_menu.h"

#include "ui/document/document.h"
#include "ui/widgets/class_locks/class_lock_dialog.h"

#include <QMenu>

namespace flopsmith::ui {
namespace {

QString actionText(ClassLock::Kind kind)
{
    switch (kind) {
    case ClassLock::Kind::hidden: return ClassLockDialog::tr("&Hide for students…");
    case ClassLock::Kind::fixed: return ClassLockDialog::tr("&Fix at this value…");
    case ClassLock::Kind::bounded: break;
    }
    return ClassLockDialog::tr("&Bound to a range…");
}

QString actionName(const QMenu& menu, const QString& name)
{
    return menu.objectName() + QStringLiteral(".class.") + name;
}

} // namespace

void addClassLockActions(QMenu& menu,
                         Document& document,
                         const std::string& key,
                         std::initializer_list<ClassLock::Kind> kinds,
                         QWidget& window,
                         double low,
                         double high)
{
    if (!document.classLocks().isPreparing()) {
        return;
    }
    menu.addSeparator();
    const ClassLock* now = classLockOfKey(document.classLocks().all(), key);
    for (const ClassLock::Kind kind : kinds) {
        ClassLock lock{.key = key, .kind = kind};
        if (kind == ClassLock::Kind::bounded) {
            const bool wasBounded = now != nullptr && now->kind == kind;
            lock.min = wasBounded ? now->min : low;
            lock.max = wasBounded ? now->max : high;
        }
        lock.sentence = now != nullptr ? now->sentence : std::string();
        QAction* action = menu.addAction(actionText(kind), &window, [&document, &window, lock] {
            (new ClassLockDialog(document, lock, window))->open();
        });
        action->setObjectName(actionName(menu, QString::fromUtf8(nameOf(kind).data())));
    }
    if (now != nullptr) {
        QAction* action = menu.addAction(ClassLockDialog::tr("&Allow again"),
                                         &window,
                                         [&document, key] { document.classLocks().allow(key); });
        action->setObjectName(actionName(menu, QStringLiteral("allow")));
    }
}

} // namespace flopsmith::ui
