// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/claims_window.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_session.h"
#include "ui/lessons/base/lesson_library.h"
#include "ui/theme/theme.h"
#include "ui/widgets/explain/explainer.h"
#include "ui/widgets/layout/panel_keys.h"
#include "ui/widgets/layout/standard_keys.h"
#include "ui/window/bars/status_line.h"
#include "ui/window/bars/top_bar.h"
#include "ui/window/class_locks/class_preparation.h"
#include "ui/window/commands/command_palette.h"
#include "ui/window/designs/column_actions.h"
#include "ui/window/designs/design_actions.h"
#include "ui/window/exercise/exercises.h"
#include "ui/window/files/export_actions.h"
#include "ui/window/files/file_actions.h"
#include "ui/window/files/report_export.h"
#include "ui/window/fit/fit_dialog.h"
#include "ui/window/help/about.h"
#include "ui/window/help/keys_sheet.h"
#include "ui/window/history/history_panel.h"
#include "ui/window/lab/lab_place.h"
#include "ui/window/lecture/lecture.h"
#include "ui/window/lessons/lesson_actions.h"
#include "ui/window/lessons/window_recording.h"
#include "ui/window/main_window.h"
#include "ui/window/measuring/window_measuring.h"
#include "ui/window/panels/design_panels.h"
#include "ui/window/share/share_actions.h"
#include "ui/window/start/start_page.h"

#include <QApplication>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>

// The window's menus, and the windows that they open.

namespace flopsmith::ui {

void MainWindow::createActions()
{
    m_files = new FileActions(m_document, *m_messages, *m_questions, *this);
    QMenu& file = m_bar->addMenu(QStringLiteral("file"), tr("&File"));
    m_files->fill(file);
    createLecture();
    m_lessons->fill(file);
    createShareActions(file);
    (new ReportExport(m_document, m_panels->charts().feed(), *m_messages, *this))->addTo(file);
    (new ExportActions(m_document, *this))->addTo(file);
    m_files->addQuit(file);
    connect(m_files, &FileActions::startPageRequested, this, &MainWindow::showStartPage);
    createUndoActions();
    fillEditMenu(m_bar->addMenu(QStringLiteral("edit"), tr("&Edit")));
    createViewMenu(m_bar->addMenu(QStringLiteral("view"), tr("&View")));
    m_panels->charts().fillExportMenu(m_bar->addMenu(QStringLiteral("export"), tr("E&xport")));
    createHelpMenu(m_bar->addMenu(QStringLiteral("help"), tr("&Help")));
}

// A lesson leads to a lab and back.
void MainWindow::createLecture()
{
    m_lecture = new Lecture({.window = *this,
                             .document = m_document,
                             .charts = m_panels->charts(),
                             .measuring = m_measuring->control(),
                             .curves = m_measuring->curves(),
                             .messages = *m_messages,
                             .theme = *m_theme});
    auto* recording = new WindowRecording(
        m_document, m_designs, m_panels->stackPages(), m_panels->charts(), this);
    m_lessons = new LessonActions(*m_files, *m_lecture, *recording, *m_messages, *this);
}

void MainWindow::createLab()
{
    m_labPlace = new LabPlace({.window = *this,
                               .design = *m_panels,
                               .stack = m_panels->stack(),
                               .bars = {m_bar, m_status}},
                              *m_theme,
                              m_measuring->control(),
                              *m_labArea,
                              *m_lab);
    connect(m_lab, &LabPage::claimsWanted, this, [this] {
        m_measuring->showClaims().showLab(std::make_shared<const LabLog>(m_lab->session().log()));
    });
    connect(m_files, &FileActions::labWanted, this, &MainWindow::openFile);
    for (const auto signal : {&FileActions::designOpened, &FileActions::startPageRequested}) {
        connect(m_files, signal, m_labPlace, [this] { m_labPlace->show(false); });
    }
    connect(m_lecture, &Lecture::labWanted, m_labPlace, &LabPlace::showForLesson);
    connect(m_labPlace, &LabPlace::lessonWanted, m_lecture, &Lecture::resume);
}

void MainWindow::createShareActions(QMenu& file)
{
    auto* share = new ShareActions(m_document, m_panels->charts(), *this);
    share->fill(file);
    connect(share, &ShareActions::copied, m_status, &StatusLine::hint);
    connect(m_files, &FileActions::pageWanted, &m_panels->charts(), &Pages::setCurrentName);
    connect(&m_panels->stack().actionsOfStack().clipboard(),
            &BlockClipboard::designPasted,
            m_files,
            [this](const QString& text) {
                if (const Result<bool> opened = m_files->openText(text); !opened) {
                    m_document.refuse(QString::fromStdString(opened.error().message));
                }
            });
}

void MainWindow::createUndoActions()
{
    QAction* undo = m_document.undoStack().createUndoAction(this, tr("Undo"));
    QAction* redo = m_document.undoStack().createRedoAction(this, tr("Redo"));
    undo->setObjectName(QStringLiteral("edit.undo"));
    redo->setObjectName(QStringLiteral("edit.redo"));
    undo->setProperty("generalName", tr("Undo"));
    redo->setProperty("generalName", tr("Redo"));
    undo->setProperty("disabledReason", tr("There is nothing to undo."));
    redo->setProperty("disabledReason", tr("There is nothing to redo."));
    undo->setShortcuts(standardKeys(QKeySequence::Undo, tr("Ctrl+Z")));
    redo->setShortcuts(standardKeys(QKeySequence::Redo, tr("Ctrl+Shift+Z")));
    addActions({undo, redo});
    m_bar->setUndoActions(*undo, *redo);
}

void MainWindow::fillEditMenu(QMenu& menu)
{
    connect(&menu, &QMenu::aboutToShow, this, [this, &menu] {
        menu.clear();
        qDeleteAll(menu.findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly)); // filled anew
        menu.addActions({findChild<QAction*>(QStringLiteral("edit.undo")),
                         findChild<QAction*>(QStringLiteral("edit.redo"))});
        menu.addSeparator();
        m_panels->stack().actionsOfStack().fill(menu);
        menu.addSeparator();
        menu.addAction(findChild<QAction*>(QStringLiteral("edit.fit")));
    });
    auto* fit = new QAction(tr("Fit to bud&get…"), this);
    fit->setObjectName(QStringLiteral("edit.fit"));
    fit->setShortcut(QKeySequence(tr("Ctrl+B")));
    connect(fit, &QAction::triggered, this, [this] { showFit(); });
    addAction(fit); // so that the shortcut works while the menu is closed
}

void MainWindow::createViewMenu(QMenu& menu)
{
    const auto add = [this, &menu](const char* name, const QString& text, auto keys) {
        QAction* action = menu.addAction(text);
        action->setObjectName(QStringLiteral("view.") + QLatin1String(name));
        action->setShortcuts(keys);
        addAction(action); // so that the shortcuts work while the menu is closed
        return action;
    };
    using Keys = QList<QKeySequence>;
    menu.addAction(&(new CommandPalette(m_document, *m_bar, *this))->action());
    menu.addSeparator();
    menu.addActions(m_panels->charts().actions());
    menu.addSeparator();
    menu.addAction(&m_panels->stack().actionsOfStack().inside());
    menu.addActions(m_panels->stack().zoom().actions().all());
    m_designActions->fill(menu);
    menu.addActions((new ColumnActions(m_designs, m_panels->stack(), *this))->all());
    menu.addSeparator();
    m_panelKeys = new PanelKeys(*this, parts());
    m_panelKeys->fill(menu);
    menu.addSeparator();
    connect(add("claims", tr("&Claims about FFNs"), Keys{tr("Ctrl+L")}),
            &QAction::triggered,
            this,
            [this] { m_measuring->showClaims(); });
    createLab();
    menu.addAction(&m_labPlace->action());
    addAction(&m_labPlace->action());
    connect(add("devices", tr("De&vices…"), Keys{tr("Ctrl+Shift+D")}),
            &QAction::triggered,
            this,
            [this] { m_measuring->showDevices(); });
    connectHistory(*add("history", tr("&History"), Keys{tr("Ctrl+Shift+H")}));
    menu.addActions(m_panels->history().stepActions());
    addActions(m_panels->history().stepActions()); // while the menu is closed
    menu.addSeparator();
    createThemeActions(menu);
    menu.addSeparator();
    Keys fullScreen = standardKeys(QKeySequence::FullScreen, tr("F11"));
    fullScreen.removeAll(m_designActions->freeze().shortcut()); // KDE's second key
    QAction* full = add("fullScreen", tr("&Full screen"), fullScreen);
    full->setToolTip(tr("Once more: lecture mode"));
    connect(full, &QAction::triggered, this, [this] {
        if (!isFullScreen()) {
            setWindowState(windowState() | Qt::WindowFullScreen);
        } else if (m_labPlace->isShown()) {
            m_labPlace->present(!m_labPlace->isPresented());
        } else {
            m_lecture->startFromFullScreen();
        }
    });
    QAction* lecture = add("lecture", tr("Lec&ture mode"), Keys{tr("F5")});
    lecture->setToolTip(tr("One chart large, with the keys of a presenter; Esc leaves it and shows "
                           "the design as it is now"));
    connect(lecture, &QAction::triggered, this, [this] {
        if (m_labPlace->isShown()) {
            m_labPlace->present(!m_labPlace->isPresented());
        } else {
            m_lecture->start();
        }
    });
}

void MainWindow::connectHistory(QAction& action)
{
    action.setCheckable(true);
    action.setChecked(!m_panels->history().isHidden());
    connect(&action, &QAction::toggled, this, [this](bool open) {
        m_panels->openHistory(open);
        storeHistoryOpen(open);
    });
}

void MainWindow::createThemeActions(QMenu& menu)
{
    const auto theme = [this, &menu](const char* name, const QString& text, ThemeChoice choice) {
        QAction* action = menu.addAction(text, this, [this, choice] { m_theme->choose(choice); });
        action->setObjectName(QStringLiteral("view.") + QLatin1String(name));
    };
    theme("light", tr("&Light theme"), ThemeChoice::light);
    theme("dark", tr("&Dark theme"), ThemeChoice::dark);
    theme("system", tr("Theme of the &system"), ThemeChoice::system);
    connect(&m_bar->themeButton(), &QToolButton::clicked, this, [this] {
        const bool dark = systemTheme().dark;
        m_theme->choose(dark ? ThemeChoice::light : ThemeChoice::dark);
    });
}

void MainWindow::createHelpMenu(QMenu& menu)
{
    addLessons(menu);
    QAction* keys = menu.addAction(tr("&Keys"), this, &MainWindow::showKeys);
    keys->setObjectName(QStringLiteral("help.keys"));
    keys->setShortcuts(standardKeys(QKeySequence::HelpContents, tr("F1")) << QKeySequence(tr("?")));
    addAction(keys);
    QAction* what = menu.addAction(tr("What is t&his?"), this, &MainWindow::explainFocus);
    what->setObjectName(QStringLiteral("help.whatIsThis"));
    what->setShortcuts(standardKeys(QKeySequence::WhatsThis, tr("Shift+F1")));
    addAction(what);
    QAction* about = menu.addAction(tr("&About Flopsmith"), this, &MainWindow::showAbout);
    about->setObjectName(QStringLiteral("help.about"));
    about->setMenuRole(QAction::AboutRole);
}

void MainWindow::addLessons(QMenu& menu)
{
    QAction* all = menu.addAction(tr("&Lessons…"), this, &MainWindow::showLessons);
    all->setObjectName(QStringLiteral("help.lessons"));
    all->setShortcut(QKeySequence(tr("Ctrl+Shift+T")));
    addAction(all);
    QMenu* below = menu.addMenu(tr("&Play a lesson"));
    below->setObjectName(QStringLiteral("help.lessons.menu"));
    below->setAccessibleName(tr("Play a lesson"));
    for (const LibraryLesson& entry : lessonLibrary()) {
        const Result<Lesson>& lesson = entry.lesson;
        QString title = lesson ? lessonTitle(*lesson, usualLanguage()) : entry.name;
        QAction* action = below->addAction(
            tr("Lesson: %1").arg(title.replace(QLatin1Char('&'), QLatin1String("&&"))));
        action->setObjectName(QStringLiteral("help.lesson.") + entry.name);
        action->setEnabled(lesson.ok());
        if (lesson) {
            action->setToolTip(lessonSummary(*lesson, usualLanguage()));
            connect(action, &QAction::triggered, this, [this, &lesson] {
                m_lecture->startLesson(*lesson);
            });
        } else {
            action->setProperty("disabledReason", QString::fromStdString(lesson.error().message));
        }
    }
    m_exercises = new Exercises(m_document, *m_files, *m_messages, m_panels->exercise(), *this);
    m_exercises->addTo(menu);
    connect(m_exercises, &Exercises::shown, this, &MainWindow::orderFocus);
    (new ClassPreparation(m_document, *m_questions, m_panels->charts(), *m_bar, *this))
        ->addTo(menu);
    menu.addSeparator();
}

void MainWindow::showLessons()
{
    m_lessons->showList();
}

void MainWindow::showStartPage()
{
    const auto* open = findChild<StartPage*>();
    if (open == nullptr || !open->isVisible()) { // a closed one is deleted later
        auto* page = new StartPage(m_document, *m_files, *this);
        connect(page, &StartPage::lessonsRequested, this, &MainWindow::showLessons);
        page->open();
    }
}

void MainWindow::showKeys()
{
    auto* open = findChild<KeysSheet*>();
    auto* sheet = open != nullptr ? open : new KeysSheet(*this);
    sheet->show();
    sheet->raise();
    sheet->activateWindow();
}

FitDialog& MainWindow::showFit()
{
    auto* open = findChild<FitDialog*>();
    auto* dialog = open != nullptr ? open : new FitDialog(m_document, *this);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
    return *dialog;
}

// While its menu is open, the focus is still where it was.
void MainWindow::explainFocus()
{
    QWidget* focus = QApplication::focusWidget();
    if (focus == nullptr || !Explainer::openFor(*focus)) {
        m_messages->show(MessageBar::Kind::note,
                         tr("Go to a parameter, to the stack or to an entry of the palette, then "
                            "ask what it is."));
    }
}

void MainWindow::showAbout()
{
    auto* open = findChild<About*>();
    auto* about = open != nullptr ? open : new About(this);
    about->show();
    about->raise();
    about->activateWindow();
}

} // namespace flopsmith::ui
