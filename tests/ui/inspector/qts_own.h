// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QComboBox>
#include <QHeaderView>
#include <QScrollBar>
#include <QSplitter>
#include <QString>
#include <QTabBar>

namespace flopsmith::ui::test {

inline bool isInside(const QWidget& widget, bool (*isOwner)(const QWidget&))
{
    const QWidget* owner = widget.parentWidget();
    while (owner != nullptr && !isOwner(*owner)) {
        owner = owner->parentWidget();
    }
    return owner != nullptr;
}

/// Parts that Qt makes inside its own widgets have names and roles of their own.
inline bool isQtsOwn(const QWidget& widget)
{
    const auto makesParts = [](const QWidget& owner) {
        return qobject_cast<const QComboBox*>(&owner) != nullptr
            || qobject_cast<const QAbstractItemView*>(&owner) != nullptr
            || qobject_cast<const QTabBar*>(&owner) != nullptr;
    };
    return widget.objectName().startsWith(QLatin1String("qt_"))
        || qobject_cast<const QScrollBar*>(&widget) != nullptr
        || qobject_cast<const QSplitterHandle*>(&widget) != nullptr || isInside(widget, makesParts);
}

} // namespace flopsmith::ui::test
