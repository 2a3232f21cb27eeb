// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menus/file_menu.h"

#include "core/model/presets.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/recent_files.h"
#include "ui/widgets/layout/standard_keys.h"
#include "ui/window/bars/status_line.h"
#include "ui/window/files/export_actions.h"
#include "ui/window/files/file_opening.h"
#include "ui/window/files/file_saving.h"
#include "ui/window/files/report_export.h"
#include "ui/window/panels/design_panels.h"
#include "ui/window/settings/window_settings.h"
#include "ui/window/share/share_actions.h"
#include "ui/window/start/start_page.h"

#include <QDir>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>

namespace flopsmith::ui {
namespace {

QAction* added(QMenu& menu,
               const QString& name,
               const QString& text,
               const QList<QKeySequence>& keys = {})
{
    QAction* action = menu.addAction(text);
    action->setObjectName(QStringLiteral("file.") + name);
    action->setShortcuts(keys);
    return action;
}

} // namespace

FileMenu::FileMenu(QMenu& menu, const WindowParts& parts)
    : QObject(&menu)
    , m_parts(parts)
{
    addFiles(menu);
    menu.addSeparator();
    addSharing(menu);
    addExports(menu);
    addQuit(menu);
    connect(parts.files, &FileOpening::startPageRequested, this, &FileMenu::showStartPage);
}

void FileMenu::addFiles(QMenu& menu)
{
    connect(
        added(
            menu, QStringLiteral("new"), tr("&New"), standardKeys(QKeySequence::New, tr("Ctrl+N"))),
        &QAction::triggered,
        this,
        [this] {
            m_parts.files->startWith({newModel(), {}});
        });
    connect(added(menu, QStringLiteral("start"), tr("Start pa&ge …"), {tr("Ctrl+Shift+N")}),
            &QAction::triggered,
            m_parts.files,
            &FileOpening::startPageRequested);
    connect(added(menu,
                  QStringLiteral("open"),
                  tr("&Open …"),
                  standardKeys(QKeySequence::Open, tr("Ctrl+O"))),
            &QAction::triggered,
            m_parts.files,
            &FileOpening::askAndOpen);
    QMenu* recent = menu.addMenu(tr("Open &recent"));
    recent->setObjectName(QStringLiteral("file.recent"));
    recent->setAccessibleName(tr("Recent files"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(*recent); });
    addOpenLast(menu);
    menu.addSeparator();
    connect(added(menu,
                  QStringLiteral("save"),
                  tr("&Save"),
                  standardKeys(QKeySequence::Save, tr("Ctrl+S"))),
            &QAction::triggered,
            this,
            [this] { m_parts.saving->save(); });
    connect(added(menu,
                  QStringLiteral("saveAs"),
                  tr("Save &as …"),
                  standardKeys(QKeySequence::SaveAs, tr("Ctrl+Shift+S"))),
            &QAction::triggered,
            this,
            [this] { m_parts.saving->askAndSave(); });
    connect(added(menu, QStringLiteral("rename"), tr("Rena&me model …"), {Qt::Key_F2}),
            &QAction::triggered,
            this,
            &FileMenu::rename);
    for (QAction* action : menu.actions()) {
        m_parts.window->addAction(action); // so that the shortcuts work while the menu is closed
    }
}

void FileMenu::addOpenLast(QMenu& menu)
{
    QAction* action = added(menu, QStringLiteral("openLast"), tr("Open the last file at s&tart"));
    action->setCheckable(true);
    action->setChecked(storedOpenLast());
    connect(action, &QAction::toggled, this, &storeOpenLast);
}

void FileMenu::addQuit(QMenu& menu)
{
    menu.addSeparator();
    connect(added(menu,
                  QStringLiteral("quit"),
                  tr("&Quit"),
                  standardKeys(QKeySequence::Quit, tr("Ctrl+Q"))),
            &QAction::triggered,
            m_parts.window,
            &QWidget::close);
    m_parts.window->addAction(menu.actions().back());
}

void FileMenu::rename()
{
    auto* dialog = new QInputDialog(m_parts.window);
    dialog->setObjectName(QStringLiteral("rename"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Rename model"));
    dialog->setLabelText(tr("Name of the model"));
    dialog->setTextValue(QString::fromStdString(m_parts.document->model().name));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
        if (!name.trimmed().isEmpty()) {
            renameModel(*m_parts.document, name.trimmed());
        }
    });
    dialog->open();
}

void FileMenu::fillRecent(QMenu& menu)
{
    menu.clear();
    for (const QString& path : recentFiles()) {
        menu.addAction(
            QDir::toNativeSeparators(path).replace(QLatin1Char('&'), QLatin1String("&&")),
            this,
            [this, path] { m_parts.files->openRecent(path); });
    }
    if (menu.isEmpty()) {
        QAction* none = menu.addAction(tr("none yet"));
        none->setEnabled(false);
        none->setProperty("disabledReason", tr("No file was opened or saved yet."));
        return;
    }
    menu.addSeparator();
    menu.addAction(tr("&Clear list"), this, [] { clearRecentFiles(); });
}

// Of the design as a document or a program, and of each chart.
void FileMenu::addExports(QMenu& menu)
{
    ChartPages& charts = m_parts.panels->charts();
    QMenu* below = menu.addMenu(tr("E&xport"));
    below->setObjectName(QStringLiteral("file.export"));
    below->setAccessibleName(tr("Export"));
    (new ReportExport(*m_parts.document, charts.feed(), *m_parts.messages, *m_parts.window))
        ->addTo(*below);
    below->addSeparator();
    (new ExportActions(*m_parts.document, *m_parts.window))->addTo(*below);
    below->addSeparator();
    QMenu* figures = below->addMenu(tr("&Charts"));
    figures->setObjectName(QStringLiteral("file.export.charts"));
    figures->setAccessibleName(tr("Export a chart"));
    charts.fillExportMenu(*figures);
}

void FileMenu::addSharing(QMenu& menu)
{
    ChartPages& charts = m_parts.panels->charts();
    auto* share = new ShareActions(*m_parts.document, charts, *m_parts.window);
    share->fill(menu);
    connect(share, &ShareActions::copied, m_parts.status, &StatusLine::hint);
    connect(m_parts.files, &FileOpening::pageRequested, &charts, &Pages::setCurrentName);
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
