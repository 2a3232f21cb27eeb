// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_page.h"

#include "ui/charts/base/drawing.h"
#include "ui/document/document.h"
#include "ui/lab/lab_charts.h"
#include "ui/lab/lab_session.h"
#include "ui/lab/plan_bar.h"
#include "ui/lab/play_bar.h"
#include "ui/lab/rate_picker.h"
#include "ui/lab/recent_labs.h"
#include "ui/lab/result_actions.h"
#include "ui/lab/run_panel.h"
#include "ui/lab/sample_writer.h"
#include "ui/theme/theme.h"
#include "ui/theme/type_scale.h"
#include "ui/widgets/open_path.h"
#include "ui/widgets/panel_splitter.h"
#include "ui/widgets/save_path.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QKeyEvent>
#include <QMenu>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

/// A task and arms for it.
struct LabComparison
{
    TaskSpec task;
    std::vector<Arm> arms;
};

Result<LabComparison> namedComparison(const std::string& task, const std::vector<std::string>& arms)
{
    FLOPSMITH_TRY(const TaskSpec found, taskNamed(task));
    LabComparison comparison{.task = found, .arms = {}};
    for (const std::string& name : arms) {
        FLOPSMITH_TRY(const FfnSpec ffn, armNamed(name, LabSizes{}.dModel));
        comparison.arms.push_back({.name = name, .ffn = ffn});
    }
    return comparison;
}

constexpr int kDrawEvery = 200; ///< milliseconds between two pictures of a log that grows

} // namespace

LabPage::LabPage(const Document& document, MessageBar& messages, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_session(new LabSession(this))
    , m_samples(new SampleWriter(*m_session, this))
    , m_messages(messages)
    , m_plan(new PlanBar(*m_session, this))
    , m_arms(new ArmRow(
          *m_session,
          [this] { return design(); },
          m_plan))
    , m_play(new PlayBar(*m_session, this))
    , m_charts(new LabCharts(*m_session, m_messages, this))
    , m_results(new ResultActions(*m_session, *m_charts, m_messages, *this))
    , m_runs(new RunPanel(*m_session, *m_samples, this))
    , m_update([this] { showLog(); }, kDrawEvery)
{
    setObjectName(QStringLiteral("lab"));
    setAccessibleName(tr("Lab"));
    build();
    createFileActions();
    connectSession();
    updateIcons();
}

LabPage::~LabPage() = default;

void LabPage::build()
{
    m_plan->addRow(m_arms);
    m_runs->addButtons(*m_results);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kPanelGap);
    column->addWidget(m_plan);
    column->addWidget(m_play);
    QSplitter* row = panelSplitter(QStringLiteral("lab.row"), Qt::Horizontal, this);
    for (QWidget* part : {static_cast<QWidget*>(&m_charts->curves()),
                          static_cast<QWidget*>(&m_charts->bars()),
                          static_cast<QWidget*>(m_runs)}) {
        row->addWidget(part);
    }
    row->setSizes({540, 380, 320});
    row->setStretchFactor(0, 5);
    row->setStretchFactor(1, 4);
    row->setStretchFactor(2, 3);
    column->addWidget(row, 1);
}

QList<QWidget*> LabPage::parts() const
{
    return {m_plan, m_play, &m_charts->curves(), &m_charts->bars(), m_runs};
}

void LabPage::connectSession()
{
    connect(m_session, &LabSession::logChanged, this, [this] { m_update.request(); });
    connect(m_session, &LabSession::planChanged, this, [this] {
        if (!m_ownMessage.isEmpty() && m_messages.sentence() == m_ownMessage) {
            m_messages.clear(); // it is of the plan before
        }
        m_update.request();
    });
    connect(m_session, &LabSession::progressed, this, [this] {
        if (isVisible()) {
            m_runs->showRuns();
            m_samples->poll();
        }
    });
    connect(m_session, &LabSession::stateChanged, m_runs, &RunPanel::showRuns);
    const auto refuse = [this](const QString& sentence) { say(sentence); };
    connect(m_session, &LabSession::failed, this, refuse);
    connect(m_arms, &ArmRow::refused, this, refuse);
    connect(m_plan, &PlanBar::refused, this, refuse);
    connect(&m_play->rate(), &RatePicker::refused, this, refuse);
    connect(&m_play->rate(), &RatePicker::begunAnew, this, [this] {
        say(tr("Runs at different learning rates cannot share a curve, so a new log begins. The "
               "previous one is under Recent logs."),
            MessageBar::Kind::note);
    });
    connect(m_plan, &PlanBar::left, this, &LabPage::left);
    connect(m_results, &ResultActions::claimsRequested, this, &LabPage::claimsRequested);
    connect(m_plan, &PlanBar::textFileRequested, this, &LabPage::askForText);
    connect(m_charts, &LabCharts::viewChanged, this, [this] { m_runs->setView(m_charts->view()); });
    for (QAction* action : {&m_play->play(), &m_play->step()}) {
        connect(action, &QAction::triggered, this, &LabPage::requested);
    }
}

void LabPage::say(const QString& sentence, MessageBar::Kind kind)
{
    m_ownMessage = sentence;
    m_messages.show(kind, sentence);
}

QAction* LabPage::addFile(const QString& name, const QString& text)
{
    QAction* action = m_plan->files().addAction(text);
    action->setObjectName(QStringLiteral("lab.file.") + name);
    return action;
}

void LabPage::createFileActions()
{
    connect(addFile(QStringLiteral("open"), tr("&Open a lab or a log…")),
            &QAction::triggered,
            this,
            &LabPage::askForFile);
    QMenu* recent = m_plan->files().addMenu(tr("Open a &recent log"));
    recent->setObjectName(QStringLiteral("lab.recent"));
    recent->setAccessibleName(tr("Recent logs of labs"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(*recent); });
    connect(addFile(QStringLiteral("save"), tr("&Save the lab's plan…")),
            &QAction::triggered,
            this,
            &LabPage::askToSave);
    m_plan->files().addSeparator();
    m_plan->files().addMenu(&m_results->checkpoints());
    m_plan->files().addMenu(&m_results->exports());
    m_plan->files().addAction(&m_results->claims());
    m_plan->files().addSeparator();
    m_plan->files().addAction(&m_play->reset());
}

void LabPage::fillRecent(QMenu& menu)
{
    menu.clear();
    menu.setToolTipsVisible(true);
    for (const QString& path : recentLabs()) {
        QString title = labTitle(path);
        QAction* action = menu.addAction(
            title.replace(QLatin1Char('&'), QLatin1String("&&")), this, [this, path] {
                Q_EMIT requested();
                open(path);
            });
        action->setToolTip(QDir::toNativeSeparators(path));
    }
    if (menu.isEmpty()) {
        QAction* none = menu.addAction(tr("none yet"));
        none->setEnabled(false);
        none->setProperty("disabledReason", tr("No log of a lab has been opened or begun yet."));
    }
}

void LabPage::askForFile()
{
    const QString start = m_session->logPath().isEmpty() ? QDir::homePath() : m_session->logPath();
    const QString path = askOpenPath(
        *this, tr("Open a lab or a log"), start, tr("Labs and logs (*.flopsmith-lab *.jsonl)"));
    if (!path.isEmpty()) {
        Q_EMIT requested();
        open(path);
    }
}

void LabPage::askForText()
{
    const QString path = askOpenPath(
        *this, tr("Text to learn"), QDir::homePath(), tr("Texts (*.txt);;All files (*)"));
    if (path.isEmpty()) {
        return;
    }
    const Status done = m_session->change([&](LabPlan& plan, std::vector<Arm>&) {
        plan.task = TextTask{.file = QFile::encodeName(path).toStdString(), .sha256 = {}};
    });
    if (!done) {
        say(toQt(done.error().message));
    }
}

void LabPage::askToSave()
{
    const QString file = askSavePath(*this,
                                     tr("Save the lab's plan"),
                                     QDir::home().filePath(QStringLiteral("lab.flopsmith-lab")),
                                     tr("Labs (*.flopsmith-lab)"));
    if (file.isEmpty()) {
        return;
    }
    if (const Status saved = m_session->savePlan(file); !saved) {
        say(toQt(saved.error().message));
    } else {
        m_messages.show(MessageBar::Kind::note, tr("Saved %1").arg(QDir::toNativeSeparators(file)));
    }
}

bool LabPage::open(const QString& path)
{
    const Status opened = m_session->open(path);
    if (opened) {
        m_isChosen = true;
    } else {
        say(toQt(opened.error().message));
    }
    return opened.ok();
}

bool LabPage::compare(const std::string& task, const std::vector<std::string>& arms)
{
    const Result<LabComparison> wanted = namedComparison(task, arms);
    const Status done = !wanted ? Status(wanted.error())
                                : m_session->change([&](LabPlan& plan, std::vector<Arm>& chosen) {
                                      plan = {.task = wanted->task,
                                              .seeds = plan.seeds,
                                              .budget = {.steps = usualSteps(wanted->task)}};
                                      chosen = wanted->arms;
                                  });
    if (!done) {
        say(toQt(done.error().message));
    }
    m_isChosen = true;
    return done.ok();
}

void LabPage::setBack(const QString& name, const QString& help)
{
    m_plan->setBack(name, help);
}

// The lab of last time, if it is still there.
void LabPage::openLast()
{
    const QString last = lastLab();
    if (m_session->logPath().isEmpty() && !last.isEmpty()) {
        open(last);
    }
}

void LabPage::showEvent(QShowEvent* event)
{
    if (!m_isChosen) {
        m_isChosen = true;
        openLast();
    }
    QWidget::showEvent(event);
    m_update.request();
}

// Only while it is seen: the log waits.
void LabPage::showLog()
{
    if (!m_session->logPath().isEmpty()) {
        addRecentLab(m_session->logPath());
    }
    if (!isVisible()) {
        return;
    }
    m_charts->showLog();
    m_runs->showLog();
    m_runs->showRuns();
}

void LabPage::settle()
{
    m_session->poll();
    m_update.flush();
}

void LabPage::setScale(const DisplayScale& scale)
{
    m_charts->setScale(scale);
    setTypeBelow(*this, uiFont(scale.points));
}

// In large type the charts need the place of what goes on right now.
void LabPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    constexpr int kCharacters = 130;
    m_runs->setVisible(width() >= kCharacters * fontMetrics().averageCharWidth());
}

void LabPage::updateIcons()
{
    m_plan->updateIcons();
    m_arms->updateIcons();
    m_play->updateIcons();
    m_charts->updateIcons();
}

// The FFN of the selected blocks, or of the first that have one.
std::optional<DesignFfn> LabPage::design() const
{
    const Model& model = m_document.model();
    const Selection& selection = m_document.selection();
    std::optional<DesignFfn> found;
    for (std::size_t i = 0; i < model.runs.size(); ++i) {
        const bool isSelected = selection.isRun() && selection.run == static_cast<int>(i);
        const FfnSpec& ffn = model.runs[i].block.ffn;
        if (!holds_alternative<NoFfn>(ffn) && (isSelected || !found)) {
            found = DesignFfn{.ffn = ffn, .dModel = model.dModel};
        }
        if (isSelected && found) {
            break;
        }
    }
    return found;
}

void LabPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT left();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace flopsmith::ui

#include "moc_lab_page.cpp"
