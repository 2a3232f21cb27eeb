// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/zoom/zoom_actions.h"

#include "ui/widgets/layout/standard_keys.h"

#include <QAction>
#include <QWidget>

namespace flopsmith::ui {

ZoomActions::ZoomActions(QWidget& canvas)
    : QObject(&canvas)
    , m_canvas(canvas)
{
    QList<QKeySequence> larger = standardKeys(QKeySequence::ZoomIn, tr("Ctrl++"));
    if (const QKeySequence unshifted(tr("Ctrl+=")); !larger.contains(unshifted)) {
        larger << unshifted; // + is often the shifted =
    }
    m_larger = added(QStringLiteral("zoomIn"), tr("Zoom stack in"), larger);
    m_smaller = added(QStringLiteral("zoomOut"),
                      tr("Zoom stack out"),
                      standardKeys(QKeySequence::ZoomOut, tr("Ctrl+-")));
    m_fit = added(QStringLiteral("zoomFit"), tr("Fit the whole stack"), {tr("Ctrl+0")});
    m_actualSize = added(QStringLiteral("zoomActual"), tr("Stack at its &usual size"), {tr("1")});
    m_selection = added(QStringLiteral("zoomSelection"), tr("Zoom to the selection"), {tr("Z")});
    m_minimap = added(QStringLiteral("minimap"), tr("&Minimap of a tall stack"), {tr("Ctrl+M")});
    m_minimap->setCheckable(true);
    m_minimap->setChecked(true);
    m_notes = added(QStringLiteral("notes"), tr("Notes beside the stack"), {});
    m_notes->setCheckable(true);
    m_notes->setChecked(true);
    for (QAction* typed : {m_actualSize, m_selection}) { // elsewhere these are typed
        typed->setShortcutContext(Qt::WidgetShortcut);
    }
}

QAction* ZoomActions::added(const QString& name,
                            const QString& text,
                            const QList<QKeySequence>& keys)
{
    auto* action = new QAction(text, this);
    action->setObjectName(QStringLiteral("view.") + name);
    action->setShortcuts(keys);
    m_canvas.addAction(action);
    return action;
}

QList<QAction*> ZoomActions::all() const
{
    return {m_larger, m_smaller, m_fit, m_actualSize, m_selection, m_minimap, m_notes};
}

} // namespace flopsmith::ui

#include "moc_zoom_actions.cpp"
