// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "core/model/presets.h"
#include "ui/canvas/palette/palette.h"
#include "ui/canvas/stack_view.h"
#include "ui/exercises/exercise_panel.h"
#include "ui/inspector/inspector.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_path.h"
#include "ui/lessons/base/lesson_file.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/layout/fit_screen.h"
#include "ui/widgets/layout/tab_order.h"
#include "ui/widgets/panel_splitter.h"
#include "ui/window/bars/cost_figures.h"
#include "ui/window/bars/drop_frame.h"
#include "ui/window/bars/status_line.h"
#include "ui/window/bars/top_bar.h"
#include "ui/window/designs/design_actions.h"
#include "ui/window/designs/design_tabs.h"
#include "ui/window/exercise/exercises.h"
#include "ui/window/files/file_actions.h"
#include "ui/window/files/question_bars.h"
#include "ui/window/history/history_panel.h"
#include "ui/window/lab/lab_place.h"
#include "ui/window/lecture/lecture.h"
#include "ui/window/lessons/lesson_actions.h"
#include "ui/window/measuring/window_measuring.h"
#include "ui/window/panels/design_panels.h"
#include "ui/window/panels/panel_area.h"
#include "ui/window/stack/stack_pages.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr QSize kFirstSize(1440, 900); ///< if the screen is large enough

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_document(presets().front().scenario())
    , m_designs(m_document)
    , m_theme(new WindowTheme(this))
{
    setObjectName(QStringLiteral("window"));
    setAccessibleName(tr("Flopsmith"));
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    createFrame();
    connectTheme();
    m_measuring = new WindowMeasuring(m_document,
                                      {.bar = *m_bar,
                                       .messages = *m_messages,
                                       .status = *m_status,
                                       .stack = m_panels->stackPages(),
                                       .charts = m_panels->charts()},
                                      *m_theme,
                                      *this);
    createActions();
    connectDocument();
    restoreSettings();
    m_document.select(Selection::ofRun(static_cast<int>(m_document.model().runs.size()) - 1));
    showTitle();
    m_figures->show();
    orderFocus();
    m_panels->stack().setFocus();
}

MainWindow::~MainWindow()
{
    m_panels->history().hide(); // it reads the undo stack while it is visible
    m_document.undoStack().disconnect(&m_panels->history()); // and its bookmarks always
    delete m_files; // before the undo stack, which emits cleanChanged() when it is destroyed
}

void MainWindow::createFrame()
{
    auto* centre = new QWidget(this);
    centre->setObjectName(QStringLiteral("centre"));
    centre->setAccessibleName(tr("Flopsmith"));
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_bar = new TopBar(m_document, centre);
    m_messages = new MessageBar(centre);
    m_questions = new QuestionBars(centre);
    m_designActions = new DesignActions(m_document, m_designs, *m_messages, *this);
    m_designTabs = new DesignTabs(m_document, m_designs, *m_designActions, centre);
    m_status = new StatusLine(centre);
    auto* body = new QVBoxLayout;
    body->setContentsMargins(kPanelGap, kPanelGap, kPanelGap, kPanelGap);
    body->setSpacing(kPanelGap);
    m_panels = new DesignPanels(m_document, m_designs, *m_messages, centre);
    m_panels->tellDrags(*m_status);
    connect(&m_panels->inspector(), &Inspector::rebuilt, this, &MainWindow::orderFocus);
    connect(m_questions, &QuestionBars::asked, this, &MainWindow::orderFocus);
    m_lab = new LabPage(m_document, *m_messages, centre);
    m_labArea = new QScrollArea(centre);
    showInArea(*m_labArea, QStringLiteral("lab.area"), *m_lab);
    body->addWidget(m_questions);
    body->addWidget(m_designTabs);
    body->addWidget(m_panels, 1);
    body->addWidget(m_labArea, 1);
    column->addWidget(m_bar);
    column->addLayout(body, 1);
    column->addWidget(m_status);
    m_messages->floatAbove(*m_status);
    m_dropFrame = new DropFrame(*this);
    setCentralWidget(centre);
}

QList<QWidget*> MainWindow::parts() const
{
    QList<QWidget*> all{m_bar, m_questions, m_messages, m_designTabs};
    all << m_panels->parts() << m_lab->parts() << m_status;
    return all;
}

void MainWindow::orderFocus()
{
    orderTabs(parts());
}

void MainWindow::connectDocument()
{
    m_figures = new CostFigures(m_document, *m_status, this);
    connect(m_figures, &CostFigures::shown, this, &MainWindow::showTitle);
    connect(&m_document, &Document::fileChanged, this, &MainWindow::showTitle);
    connect(&m_document, &Document::changeRefused, this, [this](const QString& sentence) {
        m_messages->show(MessageBar::Kind::error, sentence);
    });
}

void MainWindow::restoreSettings()
{
    if (!restoreWindow(*this)) {
        resizeToFit(*this, kFirstSize);
    }
    m_panels->restore();
}

bool MainWindow::openFile(const QString& path)
{
    if (isLabPath(path)) {
        m_labPlace->show(true);
        return m_lab->open(path);
    }
    return m_files->open(path);
}

void MainWindow::connectTheme()
{
    connect(m_theme, &WindowTheme::changed, m_bar, &TopBar::updateIcons);
    connect(m_theme, &WindowTheme::changed, m_messages, &MessageBar::updateIcons);
    connect(m_theme, &WindowTheme::changed, m_designTabs, &DesignTabs::updateIcons);
    connect(m_theme, &WindowTheme::changed, &m_panels->charts(), &ChartPages::updateIcons);
    connect(m_theme, &WindowTheme::changed, m_lab, &LabPage::updateIcons);
}

void MainWindow::settle()
{
    m_panels->stackPages().refresh();
    m_panels->charts().feed().flush();
    m_designTabs->flush();
    m_figures->flush();
    m_lab->settle();
}

void MainWindow::showTitle()
{
    const QString name = m_document.file().path().isEmpty()
        ? QString::fromStdString(m_document.model().name)
        : QFileInfo(m_document.file().path()).fileName();
    setWindowTitle(tr("%1[*] – Flopsmith").arg(name));
    setWindowModified(m_document.isModified());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_exercises->mayLeave() || !m_lessons->mayLeave() || !m_files->mayLeave()) {
        event->ignore();
        return;
    }
    m_lecture->leave();
    m_files->leave();
    m_measuring->close();
    storeWindow(*this);
    m_panels->store();
    event->accept();
}

} // namespace flopsmith::ui

#include "moc_main_window.cpp"
