// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "core/model/presets.h"
#include "ui/canvas/inside/inside_canvas.h"
#include "ui/canvas/inside/inside_page.h"
#include "ui/canvas/palette/palette.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/claims_window.h"
#include "ui/chart_pages/comparison_tables.h"
#include "ui/chart_pages/curve_measuring.h"
#include "ui/exercises/exercise_panel.h"
#include "ui/inspector/inspector.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_path.h"
#include "ui/lessons/base/lesson_file.h"
#include "ui/measuring/devices_window.h"
#include "ui/measuring/measuring_control.h"
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
    createActions();
    connectDocument();
    connectMeasuring();
    m_labPlace->connectMeasuring();
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

void MainWindow::connectMeasuring()
{
    m_measuring = new MeasuringControl(m_document, this);
    m_measuring->fillDeviceMenu(m_bar->deviceChip());
    connect(m_measuring, &MeasuringControl::deviceListRequested, this, [this] { showDevices(); });
    connect(m_measuring, &MeasuringControl::timesChanged, this, &MainWindow::showRunTimes);
    connect(m_measuring, &MeasuringControl::progressed, m_status, &StatusLine::setProgress);
    connect(m_measuring,
            &MeasuringControl::progressed,
            this,
            [this](int, int total, const QString&) { m_bar->showMeasuring(total > 0); });
    connect(m_measuring, &MeasuringControl::unavailable, this, [this](const QString& sentence) {
        m_messages->show(MessageBar::Kind::note, sentence);
    });
    connect(m_measuring, &MeasuringControl::availableAgain, this, [this](const QString& sentence) {
        if (m_messages->sentence() == sentence) {
            m_messages->clear();
        }
    });
    connect(m_status, &StatusLine::cancelled, m_measuring, &MeasuringControl::cancel);
    connect(m_measuring, &MeasuringControl::finished, this, [this] {
        m_panels->charts().differences().timesMeasured();
        m_panels->charts().feed().timesMeasured();
    });
    connect(&m_panels->charts(),
            &ChartPages::peaksWanted,
            m_measuring,
            &MeasuringControl::measurePeaks);
    connect(&m_bar->measureButton(), &QPushButton::clicked, m_measuring, &MeasuringControl::toggle);
    connectCurves();
    showRunTimes();
}

void MainWindow::connectCurves()
{
    m_curves = new CurveMeasuring(m_document, m_panels->charts().feed(), *m_measuring, this);
    m_panels->charts().addCurves(*m_curves);
    connect(m_curves, &CurveMeasuring::progressed, m_status, &StatusLine::setProgress);
    connect(m_curves, &CurveMeasuring::unavailable, this, [this](const QString& sentence) {
        m_messages->show(MessageBar::Kind::note, sentence);
    });
    connect(m_status, &StatusLine::cancelled, m_curves, &CurveMeasuring::cancel);
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

void MainWindow::showRunTimes()
{
    m_panels->charts().setRunTimeWarning(m_measuring->deviceWarning());
    m_bar->setDeviceWarning(m_measuring->deviceWarning());
    m_panels->charts().feed().setRunTimes(m_measuring->runTimes());
    m_panels->charts().differences().compareTimesOn(m_measuring->device(), m_measuring->store());
    m_panels->charts().feed().compareTimesOn(m_measuring->device(), m_measuring->store());
    m_panels->stackPages().inside().canvas().setTimes(m_measuring->runTimes().parts,
                                                      m_measuring->runTimes().times);
    m_panels->charts().setPeaksBeaten(beatsPeaks(m_measuring->runTimes()));
    const QString total = totalText(m_measuring->runTimes());
    const QString device = m_measuring->deviceDescription();
    const auto& times = m_measuring->runTimes().times;
    const bool stored = std::any_of(
        times.begin(), times.end(), [](const PartTime& time) { return time.storedAt.has_value(); });
    m_status->setMeasured(
        total.isEmpty()
            ? QString()
            : (stored ? tr("%1 stored of %2") : tr("%1 measured on %2")).arg(total, device),
        tr("sum over all parts of median time × uses, on %1").arg(device));
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_exercises->mayLeave() || !m_lessons->mayLeave() || !m_files->mayLeave()) {
        event->ignore();
        return;
    }
    m_lecture->leave();
    m_files->leave();
    m_measuring->cancel();
    m_curves->cancel();
    if (m_claims != nullptr) {
        m_claims->close();
    }
    if (m_devices != nullptr) {
        m_devices->close();
    }
    storeWindow(*this);
    m_panels->store();
    event->accept();
}

} // namespace flopsmith::ui

#include "moc_main_window.cpp"
