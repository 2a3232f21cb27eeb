// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "core/model/presets.h"
#include "ui/canvas/palette/palette.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/claims_window.h"
#include "ui/inspector/inspector.h"
#include "ui/lab/lab_charts.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_session.h"
#include "ui/theme/icons.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/disabled_action.h"
#include "ui/widgets/escape_key.h"
#include "ui/widgets/layout/fit_screen.h"
#include "ui/widgets/layout/panel_keys.h"
#include "ui/widgets/layout/tab_order.h"
#include "ui/widgets/panel_splitter.h"
#include "ui/window/bars/drop_frame.h"
#include "ui/window/bars/status_line.h"
#include "ui/window/bars/top_bar.h"
#include "ui/window/commands/command_palette.h"
#include "ui/window/designs/column_actions.h"
#include "ui/window/designs/design_actions.h"
#include "ui/window/designs/design_tabs.h"
#include "ui/window/exercise/exercises.h"
#include "ui/window/files/file_opening.h"
#include "ui/window/files/question_bars.h"
#include "ui/window/headline/headline.h"
#include "ui/window/headline/headline_strip.h"
#include "ui/window/history/history_panel.h"
#include "ui/window/history/undo_message.h"
#include "ui/window/lab/lab_place.h"
#include "ui/window/lecture/lecture.h"
#include "ui/window/lessons/lesson_actions.h"
#include "ui/window/lessons/window_recording.h"
#include "ui/window/measuring/window_measuring.h"
#include "ui/window/menus/edit_menu.h"
#include "ui/window/menus/file_menu.h"
#include "ui/window/menus/help_menu.h"
#include "ui/window/menus/teach_menu.h"
#include "ui/window/menus/view_menu.h"
#include "ui/window/panels/design_panels.h"
#include "ui/window/panels/panel_area.h"
#include "ui/window/settings/window_theme.h"
#include "ui/window/stack/stack_pages.h"
#include "ui/window/why/figure_why.h"
#include "ui/window/why/stack_why.h"
#include "ui/window/why/table_why.h"
#include "ui/window/why/why_cards.h"

#include <QAction>
#include <QCloseEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <type_traits>

namespace flopsmith::ui {
namespace {

constexpr QSize kFirstSize(1440, 900); ///< if the screen is large enough

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_document(presets().front().scenario())
    , m_designs(m_document)
    , m_parts{.window = this,
              .document = &m_document,
              .designs = &m_designs,
              .theme = new WindowTheme(this)}
{
    setObjectName(QStringLiteral("window"));
    setAccessibleName(tr("Flopsmith"));
    setWindowIcon(programIcon());
    new EscapeKey(this);
    createFrame();
    connectTheme();
    createMeasuring();
    createHeadline();
    createLessons();
    createCommands();
    createLab();
    createMenus();
    connectDocument();
    restoreSettings();
    m_document.select(Selection::ofRun(static_cast<int>(m_document.model().runs.size()) - 1));
    showTitle();
    m_parts.figures->show();
    orderFocus();
    m_parts.panels->stack().setFocus();
}

MainWindow::~MainWindow()
{
    HistoryPanel& history = m_parts.panels->history();
    history.hide(); // it reads the undo stack while it is visible
    m_document.undoStack().disconnect(&history); // and its bookmarks always
    delete m_parts.saving; // before the undo stack, which emits cleanChanged() when it is destroyed
}

void MainWindow::createFrame()
{
    auto* centre = new QWidget(this);
    centre->setObjectName(QStringLiteral("centre"));
    centre->setAccessibleName(tr("Flopsmith"));
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    createBars(*centre);
    auto* body = new QVBoxLayout;
    body->setContentsMargins(kPanelGap, kPanelGap, kPanelGap, kPanelGap);
    body->setSpacing(kPanelGap);
    m_parts.panels = new DesignPanels(m_document, m_designs, *m_parts.messages, centre);
    m_parts.panels->tellDrags(*m_parts.status);
    connect(&m_parts.panels->inspector(), &Inspector::rebuilt, this, &MainWindow::orderFocus);
    connect(m_parts.questions, &QuestionBars::asked, this, &MainWindow::orderFocus);
    m_parts.lab = new LabPage(m_document, *m_parts.messages, centre);
    m_labArea = new QScrollArea(centre);
    showInArea(*m_labArea, QStringLiteral("lab.area"), *m_parts.lab);
    body->addWidget(m_parts.questions);
    body->addWidget(m_parts.designTabs);
    body->addWidget(m_parts.panels, 1);
    body->addWidget(m_labArea, 1);
    column->addWidget(m_parts.bar);
    column->addWidget(m_parts.headline);
    column->addLayout(body, 1);
    column->addWidget(m_parts.status);
    m_parts.messages->floatAbove(*m_parts.status);
    auto* drops = new DropFrame(*this);
    connect(drops, &DropFrame::dropped, this, &MainWindow::openDropped);
    connect(drops, &DropFrame::textDropped, this, &MainWindow::openDroppedText);
    setCentralWidget(centre);
}

void MainWindow::createBars(QWidget& centre)
{
    m_parts.bar = new TopBar(m_document, &centre);
    m_parts.headline = new HeadlineStrip(&centre);
    m_parts.messages = new MessageBar(&centre);
    m_parts.questions = new QuestionBars(&centre);
    m_parts.designActions = new DesignActions(m_document, m_designs, *m_parts.messages, *this);
    m_parts.designTabs = new DesignTabs(m_document, m_designs, *m_parts.designActions, &centre);
    m_parts.status = new StatusLine(&centre);
}

void MainWindow::connectTheme()
{
    const auto redraw = [this](auto* part) {
        using Part = std::remove_pointer_t<decltype(part)>;
        connect(m_parts.theme, &WindowTheme::changed, part, &Part::updateIcons);
    };
    redraw(m_parts.bar);
    redraw(m_parts.headline);
    redraw(m_parts.messages);
    redraw(m_parts.designTabs);
    redraw(&m_parts.panels->charts());
    redraw(m_parts.lab);
}

void MainWindow::createMeasuring()
{
    m_parts.measuring = new WindowMeasuring(m_document,
                                            {.headline = *m_parts.headline,
                                             .messages = *m_parts.messages,
                                             .status = *m_parts.status,
                                             .stack = m_parts.panels->stackPages(),
                                             .charts = m_parts.panels->charts()},
                                            *m_parts.theme,
                                            *this);
}

void MainWindow::createHeadline()
{
    ChartPages& charts = m_parts.panels->charts();
    m_parts.headline->hardwareChip().setChoices(charts.hardwareMenu());
    auto* cards = new WhyCards(this);
    auto* why = new FigureWhy(m_document, charts, *cards); // the charts own it
    LabCharts& lab = m_parts.lab->charts();
    why->answer(lab.curves());
    why->answer(lab.bars());
    connect(m_parts.measuring, &WindowMeasuring::claimsOpened, why, &FigureWhy::answer);
    new StackWhy(m_document, charts.feed(), m_parts.panels->stack(), *cards);
    new TableWhy(m_document, charts.feed(), m_parts.panels->costs(), *cards);
    m_parts.figures = new Headline(m_document, charts.feed(), *m_parts.headline, *cards, this);
    connect(m_parts.figures, &Headline::shown, this, &MainWindow::showTitle);
    connect(cards, &WhyCards::pageRequested, &charts, &ChartPages::setCurrentName);
}

void MainWindow::createLessons()
{
    DesignPanels& panels = *m_parts.panels;
    MessageBar& messages = *m_parts.messages;
    m_parts.saving = new FileSaving(m_document, messages, *m_parts.questions, *this);
    m_parts.files = new FileOpening(m_document, *m_parts.saving, messages, *this);
    m_parts.lecture = new Lecture({.window = *this,
                                   .document = m_document,
                                   .charts = panels.charts(),
                                   .measuring = m_parts.measuring->control(),
                                   .curves = m_parts.measuring->curves(),
                                   .messages = messages,
                                   .theme = *m_parts.theme});
    auto* recording =
        new WindowRecording(m_document, m_designs, panels.stackPages(), panels.charts(), this);
    connect(m_parts.saving, &FileSaving::documentNeeded, recording, &WindowRecording::giveBack);
    m_parts.lessons =
        new LessonActions(*m_parts.files, *m_parts.lecture, *recording, messages, *this);
    m_parts.exercises = new Exercises(
        m_document, *m_parts.files, *m_parts.saving, messages, panels.exercise(), *this);
    connect(m_parts.exercises, &Exercises::shown, this, &MainWindow::orderFocus);
}

void MainWindow::createCommands()
{
    m_parts.commands = new CommandPalette(m_document, *m_parts.bar, *this);
    m_parts.columns = new ColumnActions(m_designs, m_parts.panels->stack(), *this);
    m_parts.panelKeys = new PanelKeys(*this, focusOrder());
}

// A lesson leads to a lab and back.
void MainWindow::createLab()
{
    LabPage& page = *m_parts.lab;
    auto* place = new LabPlace({.window = *this,
                                .design = {m_parts.panels, m_parts.headline},
                                .stack = m_parts.panels->stack(),
                                .bars = {m_parts.bar, m_parts.status}},
                               *m_parts.theme,
                               m_parts.measuring->control(),
                               *m_labArea,
                               page);
    m_parts.labPlace = place;
    connect(&page, &LabPage::claimsRequested, this, [this, &page] {
        m_parts.measuring->showClaims().showLab(
            std::make_shared<const LabLog>(page.session().log()));
    });
    m_parts.files->openBy(NamedKind::lab, [place, &page](const QString& path) {
        place->show(true);
        return page.open(path);
    });
    for (const auto signal : {&FileOpening::designOpened, &FileOpening::startPageRequested}) {
        connect(m_parts.files, signal, place, [place] { place->show(false); });
    }
    connect(place, &LabPlace::shownChanged, m_parts.status, [this] { m_parts.status->hint({}); });
    connect(m_parts.lecture, &Lecture::labRequested, place, &LabPlace::showForLesson);
    connect(place, &LabPlace::lessonRequested, m_parts.lecture, &Lecture::resume);
}

void MainWindow::createMenus()
{
    TopBar& bar = *m_parts.bar;
    new FileMenu(bar.addMenu(QStringLiteral("file"), tr("&File")), m_parts);
    new EditMenu(bar.addMenu(QStringLiteral("edit"), tr("&Edit")), m_parts);
    new ViewMenu(bar.addMenu(QStringLiteral("view"), tr("&View")), m_parts);
    new TeachMenu(bar.addMenu(QStringLiteral("teach"), tr("&Teach")), m_parts);
    new HelpMenu(bar.addMenu(QStringLiteral("help"), tr("&Help")), m_parts);
}

QList<QWidget*> MainWindow::focusOrder() const
{
    QList<QWidget*> all{
        m_parts.bar, m_parts.headline, m_parts.questions, m_parts.messages, m_parts.designTabs};
    all << m_parts.panels->parts() << m_parts.lab->parts() << m_parts.status;
    return all;
}

void MainWindow::orderFocus()
{
    orderTabs(focusOrder());
}

void MainWindow::connectDocument()
{
    connect(&m_document, &Document::fileChanged, this, &MainWindow::showTitle);
    connect(&m_document, &Document::changeRefused, this, &MainWindow::showError);
    new UndoMessage(m_document, *m_parts.messages, *this);
}

void MainWindow::restoreSettings()
{
    if (!restoreWindow(*this)) {
        resizeToFit(*this, kFirstSize);
    }
    m_parts.panels->restore();
}

bool MainWindow::openFile(const QString& path)
{
    return m_parts.files->open(path);
}

void MainWindow::openDropped(const QString& path)
{
    if (m_parts.files->isReadable(path)
        && (!m_parts.files->replacesDesign(path) || m_parts.saving->mayLeave())) {
        openFile(path);
    }
}

void MainWindow::openDroppedText(const QString& text)
{
    if (const Result<bool> opened = m_parts.files->openText(text, tr("the text")); !opened) {
        showError(QString::fromStdString(opened.error().message));
    }
}

void MainWindow::settle()
{
    m_parts.panels->stackPages().refresh();
    m_parts.panels->charts().feed().flush();
    m_parts.designTabs->flush();
    m_parts.lab->settle();
}

void MainWindow::showError(const QString& sentence)
{
    m_parts.messages->show(MessageBar::Kind::error, sentence);
}

void MainWindow::showTitle()
{
    const QString& path = m_document.file().path();
    const QString name = path.isEmpty() ? QString::fromStdString(m_document.model().name)
                                        : QFileInfo(path).fileName();
    setWindowTitle(tr("%1[*] – Flopsmith").arg(name));
    setWindowModified(m_document.isModified());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_parts.exercises->mayLeave() || !m_parts.lessons->mayLeave()
        || !m_parts.saving->mayLeave()) {
        event->ignore();
        return;
    }
    m_parts.lecture->leave();
    m_parts.saving->leave();
    m_parts.measuring->close();
    storeWindow(*this);
    m_parts.panels->store();
    event->accept();
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    QList<QAction*> everywhere = findChildren<QAction*>();
    everywhere.erase(std::remove_if(everywhere.begin(),
                                    everywhere.end(),
                                    [](const QAction* action) {
                                        return action->shortcutContext() != Qt::WindowShortcut;
                                    }),
                     everywhere.end());
    if (const QString why = refusalOf(everywhere, *event); !why.isEmpty()) {
        m_parts.status->say(why);
        return;
    }
    QMainWindow::keyPressEvent(event);
}

} // namespace flopsmith::ui

#include "moc_main_window.cpp"
