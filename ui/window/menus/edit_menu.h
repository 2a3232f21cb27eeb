// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/parts/window_parts.h"

#include <QObject>

QT_BEGIN_NAMESPACE
class QAction;
class QMenu;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// "Edit": undo and redo, what can be done with the selected blocks, and the search for a value that
/// fits a budget.
class EditMenu : public QObject
{
    Q_OBJECT

public:
    EditMenu(QMenu& menu, const WindowParts& parts);

private:
    void addUndo();
    void addFit();
    void fill(QMenu& menu);

    WindowParts m_parts;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QAction* m_fit = nullptr;
};

} // namespace flopsmith::ui
