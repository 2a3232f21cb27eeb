// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/disabled_action.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/bars/drop_frame.h"
#include "ui/window/bars/status_line.h"
#include "ui/window/files/file_actions.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QDropEvent>
#include <QKeyEvent>
#include <QMimeData>

#include <algorithm>

// Files that are dropped on the window, and keys that no widget has handled.

namespace flopsmith::ui {

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls()) {
        m_dropFrame->light(*event->mimeData());
        event->acceptProposedAction();
    }
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event)
{
    m_dropFrame->hide();
    QMainWindow::dragLeaveEvent(event);
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_dropFrame->hide();
    const QString path = droppedFile(*event->mimeData());
    if (path.isEmpty()) {
        m_messages->show(MessageBar::Kind::error,
                         tr("Only files of this machine can be opened by dropping them."));
        return;
    }
    event->acceptProposedAction();
    openDropped(path);
}

void MainWindow::openDropped(const QString& path)
{
    if (m_files->isReadable(path) && (!m_files->replacesDesign(path) || m_files->mayLeave())) {
        openFile(path);
    }
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_messages->isVisible()) {
        m_messages->clear();
        return;
    }
    QList<QAction*> everywhere = findChildren<QAction*>();
    everywhere.erase(std::remove_if(everywhere.begin(),
                                    everywhere.end(),
                                    [](const QAction* action) {
                                        return action->shortcutContext() != Qt::WindowShortcut;
                                    }),
                     everywhere.end());
    if (const QString why = refusalOf(everywhere, *event); !why.isEmpty()) {
        m_status->say(why);
        return;
    }
    QMainWindow::keyPressEvent(event);
}

} // namespace flopsmith::ui
