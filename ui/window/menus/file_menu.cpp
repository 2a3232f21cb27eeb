// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menus/file_menu.h"

#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/window/bars/status_line.h"
#include "ui/window/files/export_actions.h"
#include "ui/window/files/file_actions.h"
#include "ui/window/files/report_export.h"
#include "ui/window/lessons/lesson_actions.h"
#include "ui/window/panels/design_panels.h"
#include "ui/window/share/share_actions.h"
#include "ui/window/start/start_page.h"

#include <QMainWindow>
#include <QMenu>

namespace flopsmith::ui {

FileMenu::FileMenu(QMenu& menu, const WindowParts& parts)
    : QObject(&menu)
    , m_parts(parts)
{
    QWidget& window = *parts.window;
    parts.files->fill(menu);
    parts.lessons->fill(menu);
    addSharing(menu);
    (new ReportExport(*parts.document, parts.panels->charts().feed(), *parts.messages, window))
        ->addTo(menu);
    (new ExportActions(*parts.document, window))->addTo(menu);
    parts.files->addQuit(menu);
    connect(parts.files, &FileActions::startPageRequested, this, &FileMenu::showStartPage);
}

void FileMenu::addSharing(QMenu& menu)
{
    ChartPages& charts = m_parts.panels->charts();
    auto* share = new ShareActions(*m_parts.document, charts, *m_parts.window);
    share->fill(menu);
    connect(share, &ShareActions::copied, m_parts.status, &StatusLine::hint);
    connect(m_parts.files, &FileActions::pageWanted, &charts, &Pages::setCurrentName);
    connect(&m_parts.panels->stack().actionsOfStack().clipboard(),
            &BlockClipboard::designPasted,
            this,
            &FileMenu::openPasted);
}

void FileMenu::openPasted(const QString& text)
{
    if (const Result<bool> opened = m_parts.files->openText(text); !opened) {
        m_parts.document->refuse(QString::fromStdString(opened.error().message));
    }
}

void FileMenu::showStartPage()
{
    const auto* open = m_parts.window->findChild<StartPage*>();
    if (open == nullptr || !open->isVisible()) { // a closed one is deleted later
        auto* page = new StartPage(*m_parts.document, *m_parts.files, *m_parts.window);
        connect(page, &StartPage::lessonsRequested, m_parts.lessons, &LessonActions::showList);
        page->open();
    }
}

} // namespace flopsmith::ui

#include "moc_file_menu.cpp"
