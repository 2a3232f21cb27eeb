// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/parts/window_parts.h"

#include <QObject>

QT_BEGIN_NAMESPACE
class QMenu;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// "Help": lessons, exercises and preparing them for a class, keys, and what something is.
class HelpMenu : public QObject
{
    Q_OBJECT

public:
    HelpMenu(QMenu& menu, const WindowParts& parts);

private:
    void addKeys(QMenu& menu);
    void explainFocus();

    WindowParts m_parts;
};

} // namespace flopsmith::ui
