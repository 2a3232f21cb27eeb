// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/chart_feed.h"

#include "ui/inspector/value_text.h"

namespace flopsmith::ui {
namespace {

QString workloadText(const Scenario& scenario)
{
    const Workload& workload = scenario.workload;
    const bool decode = workload.phase == Phase::decode;
    return ChartFeed::tr("%1, B %2, %3 %4, %5-bit weights")
        .arg(fromUtf8(enumName(workload.phase)))
        .arg(workload.batch)
        .arg(decode ? QStringLiteral("C") : QStringLiteral("S"))
        .arg(scenario.keys())
        .arg(workload.precision.weightBits);
}

} // namespace

std::optional<double> totalSeconds(const RunTimes& runTimes)
{
    if (runTimes.parts.empty() || runTimes.times.size() != runTimes.parts.size()) {
        return std::nullopt;
    }
    double total = 0.0;
    for (std::size_t i = 0; i < runTimes.parts.size(); ++i) {
        if (!runTimes.parts[i].addsToTotal()) {
            continue;
        }
        if (!runTimes.times[i].hasTime()) {
            return std::nullopt;
        }
        total += runTimes.times[i].medianSeconds * runTimes.parts[i].uses;
    }
    return total;
}

ChartFeed::ChartFeed(Document& document, Views views, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_views(views)
    , m_update([this] { update(); })
{
    connect(&document, &Document::scenarioChanged, this, [this] { m_update.request(); });
    connect(&document, &Document::lensChanged, this, [this] { m_update.request(); });
    m_update.request();
}

void ChartFeed::setRunTimes(RunTimes runTimes)
{
    m_runTimes = std::move(runTimes);
    m_update.request();
}

void ChartFeed::setAxis(const QString& key)
{
    m_axis = key;
    m_update.request();
}

void ChartFeed::setMetric(MetricId metric)
{
    m_metric = metric;
    m_update.request();
}

QString ChartFeed::axisInUse() const
{
    const Scenario& scenario = m_document.scenario();
    const bool exists = !matchingParameters(scenario, m_axis.toStdString()).empty();
    return exists ? m_axis : fromUtf8(lengthKey(scenario));
}

Donuts ChartFeed::donuts() const
{
    return usualDonuts(m_document.scenario(),
                       m_document.costTree(),
                       m_document.lens(),
                       m_runTimes.parts,
                       m_runTimes.times,
                       m_runTimes.device.toStdString());
}

ScalingChart ChartFeed::scaling() const
{
    const Scenario& scenario = m_document.scenario();
    const Result<Axis> axis = usualAxis(scenario, axisInUse().toStdString());
    if (!axis) {
        return {.metric = m_metric, .emptyText = axis.error().message};
    }
    return scalingChart(usualVariants(scenario),
                        {.metric = m_metric, .lens = m_document.lens(), .axis = *axis});
}

Provenance ChartFeed::provenance() const
{
    const Scenario& scenario = m_document.scenario();
    return {.model = QString::fromStdString(scenario.model.name),
            .workload = workloadText(scenario),
            .lens = fromUtf8(lens(m_document.lens()).title),
            .device = m_runTimes.device};
}

// The views ask for their content when they are painted, so those that are hidden cost nothing.
void ChartFeed::update()
{
    const Provenance from = provenance();
    m_views.share.setProvenance(from);
    m_views.scaling.setProvenance(from);
    m_views.runTime.setProvenance(from);
    m_views.share.setSource([this] { return std::make_unique<ShareFigure>(donuts()); });
    m_views.scaling.setContentSource([this] { return scaling(); });
    m_views.runTime.setSource([this] {
        const Precision& precision = m_document.scenario().workload.precision;
        return std::make_unique<RunTimeFigure>(
            runTimeTable(m_runTimes.parts, m_runTimes.times, precision, m_runTimes.peaks));
    });
    Q_EMIT updated();
}

} // namespace flopsmith::ui
