// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/claims_window.h"

#include "core/lab/log/lab_log.h"
#include "core/parameter/correction.h"
#include "ui/chart_pages/chart_export_actions.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/type_scale.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/layout/fit_screen.h"
#include "ui/widgets/layout/standard_keys.h"

#include <QAction>
#include <QCloseEvent>
#include <QDateTime>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QProgressBar>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kBarHeight = 50;
constexpr int kGap = 10;
constexpr int kBoxWidth = 70;
constexpr double kBudgetSeconds = 30.0; // for all parts; each settles much sooner if it can

// Marks stored times, so that they are not taken for new ones.
QString madeOf(const std::vector<PartTime>& times)
{
    const bool stored = std::any_of(
        times.begin(), times.end(), [](const PartTime& time) { return time.storedAt.has_value(); });
    return stored ? ClaimsWindow::tr("stored figures of %1") : ClaimsWindow::tr("measured on %1");
}

} // namespace

ClaimsWindow::ClaimsWindow(const Device& device, QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_device(device)
    , m_panel(new ChartPanel(QStringLiteral("claims"), ChartId::claims, this))
    , m_messages(new MessageBar(this))
    , m_update([this] { countAgain(); })
{
    setObjectName(QStringLiteral("claims"));
    setAccessibleName(tr("Claims about FFNs"));
    setWindowTitle(tr("Claims – Flopsmith"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(createBar());
    auto* body = new QVBoxLayout;
    body->setContentsMargins(kGap, kGap, kGap, kGap);
    body->setSpacing(kGap);
    body->addWidget(m_panel, 1);
    column->addLayout(body, 1);
    auto* exports = new ChartExportActions(*m_panel, *m_messages);
    exports->fill(m_panel->menu(), QStringLiteral("claims.own."));
    auto* close = new QShortcut(this);
    close->setKeys(standardKeys(QKeySequence::Close, tr("Ctrl+W")));
    connect(close, &QShortcut::activated, this, &QWidget::close);
    connectMeasuring();
    countAgain();
    reportProgress();
    updateIcons();
    resizeToFit(*this, QSize(960, 660));
    m_panel->view().setFocus();
}

QWidget* ClaimsWindow::createBar()
{
    auto* bar = new Bar(Bar::Place::top, kBarHeight, this);
    bar->setObjectName(QStringLiteral("claims.bar"));
    bar->setAccessibleName(tr("Sizes and measuring"));
    auto* line = new QHBoxLayout(bar);
    line->setContentsMargins(18, 0, 12, 0);
    line->setSpacing(6);
    addSize(
        *line, QStringLiteral("d_model"), tr("Model width"), kClaimDModels, &ClaimSizes::dModel);
    addSize(*line,
            QStringLiteral("d_ff"),
            tr("Hidden width of the dense FFN that is compared with"),
            kClaimDFfs,
            &ClaimSizes::dFf);
    addSize(*line,
            QStringLiteral("tokens"),
            tr("Tokens of the one sequence"),
            kClaimTokens,
            &ClaimSizes::tokens);
    createLabChip(*line);
    m_progressText = new ElidedLabel(ElidedLabel::Role::muted, Qt::AlignRight, bar);
    m_progressText->setObjectName(QStringLiteral("claims.progressText"));
    m_progress = new QProgressBar(bar);
    m_progress->setObjectName(QStringLiteral("claims.progress"));
    m_progress->setAccessibleName(tr("Progress of measuring"));
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(140, 6);
    m_measure = new MeasureButton(bar);
    m_measure->setObjectName(QStringLiteral("claims.measure"));
    m_measure->setAccessibleName(tr("Measure both sides of every claim"));
    connect(m_measure, &QPushButton::clicked, this, &ClaimsWindow::toggle);
    line->addWidget(m_progressText, 1);
    line->addSpacing(6);
    line->addWidget(m_progress);
    line->addSpacing(6);
    line->addWidget(m_measure);
    return bar;
}

void ClaimsWindow::addSize(QHBoxLayout& line,
                           const QString& name,
                           const QString& accessibleName,
                           const ClaimSizeRange& legal,
                           int ClaimSizes::*size)
{
    auto* chip = new NumberChip(QStringLiteral("claims.") + name, name, accessibleName, this);
    chip->setToolTip(accessibleName);
    chip->box().setFixedWidth(scaledToType(kBoxWidth, *this));
    const LegalValues values = LegalValues::integers(legal.low, legal.high, Scale::log2);
    chip->box().show(values, values.stops(), std::int64_t{m_wanted.*size});
    connect(&chip->box(), &ValueBox::edited, this, [this, size](const FieldValue& value) {
        m_wanted.*size = static_cast<int>(std::get<std::int64_t>(value));
        m_update.request();
    });
    connect(&chip->box(), &ValueBox::correctionRequested, this, [=, this](const FieldValue& typed) {
        takeTyped(values, typed, name, size);
    });
    line.addWidget(chip);
}

// Its caption is the heading of the column that it controls.
void ClaimsWindow::createLabChip(QHBoxLayout& line)
{
    m_labChip = new ChoiceChip(
        QStringLiteral("claims.lab"), tr("learns?"), tr("Which lab says what is learned"), this);
    m_labChip->setCharacters(8, 12);
    for (const bool isOpenLab : {true, false}) {
        QAction* action =
            m_labChip->choices().addAction(isOpenLab ? tr("Learned in the lab that is &open")
                                                     : tr("Learned in the &program's own lab"));
        action->setObjectName(isOpenLab ? QStringLiteral("claims.lab.open")
                                        : QStringLiteral("claims.lab.own"));
        connect(action, &QAction::triggered, this, [this, isOpenLab] { setLabShown(isOpenLab); });
    }
    m_labChip->hide();
    line.addWidget(m_labChip);
}

void ClaimsWindow::showLab(std::shared_ptr<const LabLog> lab)
{
    m_lab = std::move(lab);
    m_labChip->show();
    setLabShown(true);
}

void ClaimsWindow::setLabShown(bool shown)
{
    m_isLabShown = shown;
    m_labChip->setValue(shown ? tr("your lab") : tr("shipped"));
    m_messages->clear();
    countAgain();
    if (shown && !m_chart.isLearned()) {
        m_messages->show(
            MessageBar::Kind::note,
            tr("No arm of the lab is an FFN of the claims with at least two trained seeds. "
               "\"Add an arm\" in the lab offers all of these FFNs."));
    }
}

// Uses the nearest legal size for one out of range, and says why.
void ClaimsWindow::takeTyped(const LegalValues& values,
                             const FieldValue& typed,
                             const QString& name,
                             int ClaimSizes::*size)
{
    const FieldValue taken = values.nearest(typed);
    m_wanted.*size = static_cast<int>(std::get<std::int64_t>(taken));
    m_update.request();
    m_messages->show(MessageBar::Kind::note,
                     QString::fromStdString(reasonAgainst(values, typed, name.toStdString()) + ": "
                                            + valueText(taken)));
}

void ClaimsWindow::connectMeasuring()
{
    connect(&m_measuring, &Measuring::partChanged, this, &ClaimsWindow::readTimes);
    connect(&m_measuring, &Measuring::partChanged, this, &ClaimsWindow::reportProgress);
    connect(&m_measuring, &Measuring::peaksChanged, this, &ClaimsWindow::readTimes);
    connect(&m_measuring, &Measuring::deviceTextChanged, this, &ClaimsWindow::readTimes);
    connect(&m_measuring, &Measuring::progressChanged, this, &ClaimsWindow::reportProgress);
    connect(&m_measuring, &Measuring::failed, this, [this](const QString& sentence) {
        m_unavailable = true;
        m_messages->show(MessageBar::Kind::note, sentence);
    });
    connect(&m_measuring, &Measuring::finished, this, [this] {
        readTimes();
        reportProgress();
        reportFailures();
    });
}

void ClaimsWindow::setDevice(const Device& device)
{
    if (device == m_device) {
        return;
    }
    cancel();
    m_device = device;
    m_chart.measured.clear();
    countAgain();
    reportProgress();
}

void ClaimsWindow::toggle()
{
    if (m_measuring.isRunning()) {
        cancel();
        return;
    }
    flush();
    Q_EMIT measuringStarted();
    m_messages->clear();
    m_unavailable = false;
    m_measuring.forget(m_device);
    m_measuring.start(measuredParts(m_chart.claims), m_device, kBudgetSeconds);
    reportProgress();
}

void ClaimsWindow::cancel()
{
    m_measuring.cancel();
}

// Drops the times of other sizes.
void ClaimsWindow::countAgain()
{
    if (m_wanted != m_chart.sizes) {
        cancel();
    }
    m_chart = countedChart(m_wanted, shownLab());
    readTimes();
}

void ClaimsWindow::readTimes()
{
    const std::vector<MeasuredPart> wanted = measuredParts(m_chart.claims);
    m_chart.measured.clear();
    if (m_measuring.plan() == wanted && m_measuring.device() == m_device) {
        std::vector<double> seconds;
        for (const PartTime& time : m_measuring.times()) {
            seconds.push_back(time.hasTime() ? time.medianSeconds : 0.0);
        }
        const auto& peaks = m_measuring.peaks();
        for (const Claim& claim : m_chart.claims) {
            m_chart.measured.push_back(
                measured(claim, wanted, seconds, peaks ? peaks->flopsPerSecond : 0.0));
        }
    }
    m_panel->view().setSource([this] { return figureFor(figureRequest()).value(); });
    m_panel->contentChanged();
}

FigureRequest ClaimsWindow::figureRequest() const
{
    return {.kind = ChartId::claims,
            .times = m_measuring.times(),
            .device = m_device.name,
            .processor = m_measuring.deviceText().toStdString(),
            .now = QDateTime::currentSecsSinceEpoch(),
            .claimSizes = m_chart.sizes,
            .measuredClaims = m_chart.measured,
            .lab = m_isLabShown ? m_lab : nullptr};
}

void ClaimsWindow::reportProgress()
{
    const bool running = m_measuring.isRunning();
    const int total = static_cast<int>(m_measuring.plan().size());
    const int done = m_measuring.partsDone();
    const QString device = QString::fromStdString(m_device.name);
    m_progress->setVisible(running);
    m_progress->setRange(0, std::max(total, 1));
    m_progress->setValue(done);
    m_progressText->setText(
        running
            ? tr("measuring %1 of %2 on %3").arg(std::min(done + 1, total)).arg(total).arg(device)
            : m_chart.isMeasured() ? madeOf(m_measuring.times()).arg(m_measuring.deviceText())
                                   : QString());
    m_progressText->setAccessibleName(m_progressText->text().isEmpty() ? tr("Not measured")
                                                                       : m_progressText->text());
    m_measure->showRunning(running);
    m_measure->setToolTip(running ? tr("Stop measuring") : tr("Measure on %1").arg(device));
}

// Reports how many parts have no time, and why the first of them has none.
void ClaimsWindow::reportFailures()
{
    const std::vector<PartTime>& times = m_measuring.times();
    const auto failed = [](const PartTime& time) { return time.state == PartState::failed; };
    const auto first = std::find_if(times.begin(), times.end(), failed);
    if (m_unavailable || first == times.end()) {
        return;
    }
    const auto index = static_cast<std::size_t>(first - times.begin());
    m_messages->show(MessageBar::Kind::note,
                     tr("%1 of %2 parts could not be measured; %3: %4")
                         .arg(std::count_if(times.begin(), times.end(), failed))
                         .arg(times.size())
                         .arg(QString::fromStdString(m_measuring.plan()[index].title),
                              QString::fromStdString(first->sentence)));
}

void ClaimsWindow::updateIcons()
{
    m_messages->updateIcons();
    m_panel->updateIcons();
    m_measure->updateIcon();
}

void ClaimsWindow::closeEvent(QCloseEvent* event)
{
    cancel();
    event->accept();
}

void ClaimsWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_messages->isVisible()) {
        m_messages->clear();
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        close();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace flopsmith::ui

#include "moc_claims_window.cpp"
