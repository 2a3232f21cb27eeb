// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/curve_measuring.h"

#include "core/base/text.h"
#include "ui/chart_pages/chart_feed.h"
#include "ui/measuring/measuring_control.h"
#include "ui/widgets/menu_heading.h"

#include <QActionGroup>
#include <QMenu>

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

constexpr std::array<double, 4> kBudgets{10.0, CurveMeasuring::kUsualBudgetSeconds, 120.0, 600.0};

} // namespace

CurveMeasuring::CurveMeasuring(Document& document,
                               ChartFeed& feed,
                               MeasuringControl& runTimes,
                               QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_feed(feed)
    , m_runTimes(runTimes)
{
    m_idleTimer.setSingleShot(true);
    m_idleTimer.setInterval(MeasuringControl::kIdleMilliseconds);
    connect(&m_idleTimer, &QTimer::timeout, this, &CurveMeasuring::start);
    connect(&document, &Document::scenarioChanged, this, &CurveMeasuring::scenarioChanged);
    connect(&feed.choices(), &ChartChoices::changed, this, &CurveMeasuring::choiceChanged);
    connect(&runTimes, &MeasuringControl::deviceChanged, this, &CurveMeasuring::scenarioChanged);
    connect(&runTimes, &MeasuringControl::progressed, this, [this](int, int total) {
        if (total > 0
            && m_measuring.isRunning()) { // two measurements at once would disturb each other
            m_measuring.cancel();
            wait();
        }
    });
    connectMeasuring();
}

void CurveMeasuring::connectMeasuring()
{
    connect(&m_measuring, &Measuring::partChanged, this, &CurveMeasuring::show);
    connect(&m_measuring, &Measuring::progressChanged, this, &CurveMeasuring::reportProgress);
    connect(&m_measuring, &Measuring::failed, this, &CurveMeasuring::unavailable);
    connect(&m_measuring, &Measuring::finished, this, [this] {
        show();
        reportProgress();
        Q_EMIT finished();
    });
}

void CurveMeasuring::setQuantity(std::optional<MetricId> metric)
{
    if (metric == m_quantity) {
        return;
    }
    const bool starts = !m_quantity.has_value();
    m_quantity = metric;
    Q_EMIT quantityChanged();
    if (!metric) {
        cancel();
        m_feed.setCurves(std::nullopt);
    } else if (starts) {
        start();
    } else {
        show();
    }
}

void CurveMeasuring::setBudgetSeconds(double seconds)
{
    m_budgetSeconds = seconds;
}

void CurveMeasuring::cancel()
{
    m_idleTimer.stop();
    m_measuring.cancel();
}

// Drops all points; start() shows those of the same operations again.
void CurveMeasuring::scenarioChanged()
{
    cancel();
    m_feed.setCurves(std::nullopt);
    wait();
}

void CurveMeasuring::choiceChanged()
{
    if (m_quantity && m_feed.choices().axisInUse() != m_axis) {
        scenarioChanged();
    }
}

void CurveMeasuring::wait()
{
    if (m_quantity) {
        m_idleTimer.start();
    }
}

void CurveMeasuring::start()
{
    if (m_runTimes.isMeasuring()) {
        wait();
        return;
    }
    const Scenario& scenario = m_document.scenario();
    m_axis = m_feed.choices().axisInUse();
    const Result<Axis> axis = usualAxis(scenario, m_axis.toStdString());
    const std::vector<Tie> ties = keyedTies(scenario, m_document.rules());
    m_plan = axis ? curvePlan(usualVariants(scenario, ties), *axis) : CurvePlan{};
    if (m_plan.parts.empty()) {
        m_feed.setCurves(std::nullopt);
        return;
    }
    m_measuring.start(m_plan.parts, m_runTimes.device(), m_budgetSeconds);
    show();
}

void CurveMeasuring::show()
{
    if (!m_quantity || m_measuring.plan() != m_plan.parts) {
        return;
    }
    MeasuredCurves curves{.plan = m_plan,
                          .device = m_measuring.device().name,
                          .metric = *m_quantity,
                          .running = m_measuring.isRunning()};
    for (std::size_t part = 0; part < m_plan.parts.size(); ++part) {
        curves.results.push_back(m_measuring.result(static_cast<int>(part)));
        const PartTime& time = m_measuring.times()[part];
        const auto known = std::find(curves.failures.begin(), curves.failures.end(), time.sentence);
        if (time.state == PartState::failed && known == curves.failures.end()) {
            curves.failures.push_back(time.sentence);
        }
    }
    m_feed.setCurves(ChartFeed::Curves{.points = std::move(curves),
                                       .processor = m_measuring.deviceText().toStdString(),
                                       .times = m_measuring.times()});
}

void CurveMeasuring::reportProgress()
{
    if (!m_measuring.isRunning()) {
        Q_EMIT progressed(0, 0, {});
        return;
    }
    const int total = static_cast<int>(m_measuring.plan().size());
    const int done = m_measuring.partsDone();
    Q_EMIT progressed(
        done, total, tr("measuring curves, %1 of %2").arg(std::min(done + 1, total)).arg(total));
}

void CurveMeasuring::fillMenu(QMenu& menu)
{
    addQuantities(menu);
    addHeading(menu, tr("Budget"));
    addBudgets(menu);
}

void CurveMeasuring::addQuantities(QMenu& menu)
{
    struct Choice
    {
        QString text;
        QString name;
        std::optional<MetricId> metric;
    };
    auto* group = new QActionGroup(&menu);
    for (const Choice& choice :
         {Choice{tr("&Computed only"), QStringLiteral("off"), std::nullopt},
          Choice{tr("Measured &time"), QStringLiteral("time"), MetricId::time},
          Choice{tr("Achieved &FLOP/s"), QStringLiteral("rate"), MetricId::flopsPerSecond}}) {
        QAction* action = menu.addAction(
            choice.text, this, [this, metric = choice.metric] { setQuantity(metric); });
        action->setObjectName(QStringLiteral("curves.") + choice.name);
        action->setCheckable(true);
        action->setChecked(choice.metric == m_quantity);
        action->setActionGroup(group);
        connect(this, &CurveMeasuring::quantityChanged, action, [this, action, choice] {
            action->setChecked(choice.metric == m_quantity);
        });
    }
}

void CurveMeasuring::addBudgets(QMenu& menu)
{
    auto* group = new QActionGroup(&menu);
    for (const double seconds : kBudgets) {
        QAction* action = menu.addAction(QString::fromStdString(durationText(seconds)),
                                         this,
                                         [this, seconds] { setBudgetSeconds(seconds); });
        action->setObjectName(QStringLiteral("curves.budget.%1").arg(seconds));
        action->setCheckable(true);
        action->setChecked(seconds == m_budgetSeconds);
        action->setActionGroup(group);
    }
}

} // namespace flopsmith::ui

#include "moc_curve_measuring.cpp"
