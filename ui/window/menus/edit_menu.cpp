// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menus/edit_menu.h"

#include "ui/canvas/stack_view.h"
#include "ui/document/document.h"
#include "ui/widgets/layout/standard_keys.h"
#include "ui/window/bars/top_bar.h"
#include "ui/window/fit/fit_dialog.h"
#include "ui/window/menus/shown_dialog.h"
#include "ui/window/panels/design_panels.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>

namespace flopsmith::ui {

EditMenu::EditMenu(QMenu& menu, const WindowParts& parts)
    : QObject(&menu)
    , m_parts(parts)
{
    addUndo();
    addFit();
    connect(&menu, &QMenu::aboutToShow, this, [this, &menu] { fill(menu); });
}

void EditMenu::addUndo()
{
    m_undo = m_parts.document->undoStack().createUndoAction(m_parts.window, tr("Undo"));
    m_redo = m_parts.document->undoStack().createRedoAction(m_parts.window, tr("Redo"));
    m_undo->setObjectName(QStringLiteral("edit.undo"));
    m_redo->setObjectName(QStringLiteral("edit.redo"));
    m_undo->setProperty("generalName", tr("Undo"));
    m_redo->setProperty("generalName", tr("Redo"));
    m_undo->setProperty("disabledReason", tr("There is nothing to undo."));
    m_redo->setProperty("disabledReason", tr("There is nothing to redo."));
    m_undo->setShortcuts(standardKeys(QKeySequence::Undo, tr("Ctrl+Z")));
    m_redo->setShortcuts(standardKeys(QKeySequence::Redo, tr("Ctrl+Shift+Z")));
    m_parts.window->addActions({m_undo, m_redo});
    m_parts.bar->setUndoActions(*m_undo, *m_redo);
}

void EditMenu::addFit()
{
    m_fit = new QAction(tr("Fit to bud&get…"), m_parts.window);
    m_fit->setObjectName(QStringLiteral("edit.fit"));
    m_fit->setShortcut(QKeySequence(tr("Ctrl+B")));
    connect(m_fit, &QAction::triggered, this, [this] {
        showDialog<FitDialog>(*m_parts.window, *m_parts.document, *m_parts.window);
    });
    m_parts.window->addAction(m_fit); // so that the shortcut works while the menu is closed
}

void EditMenu::fill(QMenu& menu)
{
    menu.clear();
    qDeleteAll(menu.findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly)); // filled anew
    menu.addActions({m_undo, m_redo});
    menu.addSeparator();
    m_parts.panels->stack().actionsOfStack().fill(menu);
    menu.addSeparator();
    menu.addAction(m_fit);
}

} // namespace flopsmith::ui

#include "moc_edit_menu.cpp"
