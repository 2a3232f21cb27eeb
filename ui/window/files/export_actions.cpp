// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/export_actions.h"

#include <QAction>
#include <QMenu>

namespace flopsmith::ui {

ExportActions::ExportActions(Document& document, QWidget& window)
    : QObject(&window)
    , m_document(document)
    , m_window(window)
{}

void ExportActions::addTo(QMenu& menu)
{
    for (const ExportTarget& target : exportTargets()) {
        QAction* action = menu.addAction(QLatin1Char('&') + target.title + QStringLiteral(" …"));
        action->setObjectName(QStringLiteral("file.export.") + target.name);
        action->setToolTip(target.tip);
        connect(action, &QAction::triggered, this, [this, &target] { show(target); });
    }
}

ExportDialog& ExportActions::show(const ExportTarget& target)
{
    auto* open = m_window.findChild<ExportDialog*>(QStringLiteral("export.") + target.name);
    auto* dialog = open != nullptr ? open : new ExportDialog(m_document, target, m_window);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
    return *dialog;
}

} // namespace flopsmith::ui

#include "moc_export_actions.cpp"
