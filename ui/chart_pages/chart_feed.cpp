// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/chart_feed.h"

#include "core/parameter/parameter_lookup.h"
#include "core/present/measured_on.h"
#include "ui/widgets/values/value_text.h"

#include <QDateTime>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr const char* kNoRoofs = "Not measured yet: the roofs of this device are not known.";

// Whom and when a footer names for measured times.
QString measuringDevice(const RunTimes& runTimes)
{
    return QString::fromStdString(measuredOn(runTimes.device.toStdString(),
                                             runTimes.processor.toStdString(),
                                             runTimes.times,
                                             QDateTime::currentSecsSinceEpoch()));
}

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

void ChartFeed::setCurves(std::optional<MeasuredCurves> curves)
{
    if (curves || m_curves) {
        m_curves = std::move(curves);
        m_update.request();
    }
}

void ChartFeed::setAxis(const QString& key)
{
    m_axis = key;
    choose();
}

void ChartFeed::setMetric(MetricId metric)
{
    m_metric = metric;
    choose();
}

void ChartFeed::setHardware(const QString& id)
{
    m_hardware = id;
    choose();
}

void ChartFeed::setWaterfall(LensId from, LensId to)
{
    m_from = from;
    m_to = to;
    choose();
}

void ChartFeed::choose()
{
    m_update.request();
    Q_EMIT choiceChanged();
}

// Nothing while the device that measures has not reached its peaks yet.
std::optional<Hardware> ChartFeed::hardware() const
{
    if (!usesMeasuredDevice()) {
        const Result<Hardware> found = hardwareNamed(m_hardware.toStdString());
        return found ? std::optional(*found) : std::nullopt;
    }
    if (m_runTimes.roofs && m_runTimes.roofs->peaks().known()) {
        return hardwareOf(*m_runTimes.roofs);
    }
    if (!m_runTimes.peaks || !m_runTimes.peaks->known()) {
        return std::nullopt;
    }
    return measuredHardware(
        m_runTimes.device.toStdString(), HardwareKind::cpu, *m_runTimes.peaks, "measured");
}

QString ChartFeed::hardwareName() const
{
    const std::optional<Hardware> found = hardware();
    return found ? QString::fromStdString(found->name) : m_runTimes.device;
}

MetricBasis ChartFeed::metricBasis() const
{
    MetricBasis basis{.lens = m_document.lens(), .pairs = lens(m_document.lens()).pairs};
    if (const std::optional<Hardware> on = hardware()) {
        basis.on = MetricHardware{*on};
    }
    return basis;
}

QString ChartFeed::axisInUse() const
{
    const Scenario& scenario = m_document.scenario();
    const bool exists = firstParameter(scenario, m_axis.toStdString()).has_value();
    return exists ? m_axis : fromUtf8(lengthKey(scenario));
}

Donuts ChartFeed::donuts() const
{
    return usualDonuts(m_document.scenario(),
                       m_document.costTree(),
                       m_document.lens(),
                       m_runTimes.parts,
                       m_runTimes.times,
                       m_runTimes.device.toStdString(),
                       m_runTimes.roofs);
}

ScalingChart ChartFeed::scaling() const
{
    const Scenario& scenario = m_document.scenario();
    const Result<Axis> axis = usualAxis(scenario, axisInUse().toStdString());
    if (!axis) {
        return {.metric = m_metric, .emptyText = axis.error().message};
    }
    ScalingRequest request{.metric = m_metric, .lens = m_document.lens(), .axis = *axis};
    if (flopsmith::metric(m_metric).needs == MetricNeeds::hardware) {
        request.on = metricBasis().on;
        if (!request.on) {
            return {.metric = m_metric, .emptyText = kNoRoofs};
        }
    }
    ScalingChart chart = scalingChart(usualVariants(scenario), request);
    if (m_curves) {
        addMeasured(chart, *m_curves);
    }
    return chart;
}

Provenance ChartFeed::provenance() const
{
    const Scenario& scenario = m_document.scenario();
    return {.model = QString::fromStdString(scenario.model.name),
            .workload = workloadText(scenario),
            .lens = fromUtf8(lens(m_document.lens()).title),
            .device = measuringDevice(m_runTimes)};
}

MemoryChart ChartFeed::memory() const
{
    const std::optional<Hardware> on = hardware();
    return memoryChart(m_document.scenario(), on ? &*on : nullptr);
}

// Measured parts belong below the roofs of the machine that measured them: they are shown where
// these are, which is on that machine itself and beside the roofs of any device of the table.
RooflineChart ChartFeed::roofline() const
{
    const std::optional<Hardware> on = hardware();
    if (!on) {
        return {.emptyText = kNoRoofs};
    }
    const Scenario& scenario = m_document.scenario();
    const Result<HardwarePeak> peak = hardwarePeak(*on, scenario.workload.precision);
    if (!peak) {
        return {.title = on->name, .emptyText = peak.error().message};
    }
    const MachineRoofs* machine = m_runTimes.roofs ? &*m_runTimes.roofs : nullptr;
    const RunTimes none;
    const RunTimes& times = machine != nullptr || usesMeasuredDevice() ? m_runTimes : none;
    return rooflineChart(scenario,
                         m_document.costTree(),
                         m_document.lens(),
                         *peak,
                         times.parts,
                         times.times,
                         machine);
}

// The views ask for their content when they are painted, so those that are hidden cost nothing.
void ChartFeed::update()
{
    const Provenance from = provenance();
    updateOverview(from);
    updateBudgets(from);
    updateWaterfall(from);
    Q_EMIT updated();
}

void ChartFeed::updateOverview(const Provenance& from)
{
    m_views.share.setProvenance(from);
    m_views.scaling.setProvenance(from);
    Provenance sideBySide = from;
    for (const DeviceTimes& each : m_runTimes.compared) {
        sideBySide.device += QStringLiteral(", ") + QString::fromStdString(each.device);
    }
    m_views.runTime.setProvenance(sideBySide);
    m_views.share.setSource([this] { return std::make_unique<ShareFigure>(donuts()); });
    m_views.scaling.setContentSource([this] { return scaling(); });
    m_views.runTime.setSource([this] { return figureOfRunTimes(runTimeComparison(m_runTimes)); });
}

void ChartFeed::updateBudgets(Provenance from)
{
    if (!usesMeasuredDevice() && !m_runTimes.roofs) {
        from.device.clear();
    }
    m_views.roofline.setProvenance(from);
    m_views.roofline.setSource([this] { return std::make_unique<RooflineFigure>(roofline()); });
    Provenance measured = from;
    measured.device = measuringDevice(m_runTimes);
    measured.lens = fromUtf8(lens(LensId::exact).title);
    m_views.mislead.setProvenance(measured);
    m_views.mislead.setSource([this] {
        return std::make_unique<MisleadFigure>(
            misleadTable(m_runTimes.parts, m_runTimes.times, m_runTimes.roofs));
    });
    from.device.clear();
    from.lens.clear(); // bytes are the same under every lens
    m_views.memory.setProvenance(from);
    m_views.memory.setSource([this] { return std::make_unique<MemoryFigure>(memory()); });
}

void ChartFeed::updateWaterfall(Provenance from)
{
    from.device.clear();
    from.lens = fromUtf8(lens(m_to).title);
    m_views.waterfall.setProvenance(from);
    m_views.waterfall.setSource([this] {
        return std::make_unique<WaterfallFigure>(
            waterfallChart(m_document.scenario(), m_from, m_to));
    });
}

} // namespace flopsmith::ui
