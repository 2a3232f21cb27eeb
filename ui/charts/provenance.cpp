// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/provenance.h"

#include "core/io/reports/cost_report.h"
#include "core/present/time/measured_on.h"
#include "ui/charts/chart_kinds.h"
#include "ui/charts/claims/claims_chart.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

bool hasTimes(const std::vector<PartTime>& times)
{
    return std::any_of(
        times.begin(), times.end(), [](const PartTime& time) { return time.hasTime(); });
}

// Whether the chart draws measurements of the request's one device. For several designs, figures
// are counted except for run times: only the scenario is measured.
bool drawsMeasured(const FigureRequest& request)
{
    const ChartKind& kind = chartKind(request.kind);
    if (!request.others.empty() && kind.drawsOthers && !kind.needs.times) {
        return false;
    }
    switch (kind.draws) {
    case ChartMeasurements::none: return false;
    case ChartMeasurements::times: return hasTimes(request.times);
    case ChartMeasurements::curves: return request.curves.has_value();
    case ChartMeasurements::claims: return isMeasured(request.measuredClaims);
    }
    return false;
}

// The devices with measurements; empty without any.
QString measuringDevices(const FigureRequest& request)
{
    const auto nameOf = [&request](const DeviceTimes& each) {
        return toQt(measuredOn(each.device, each.processor, each.times, request.now));
    };
    if (request.sideBySide.empty()) {
        const DeviceTimes alone{
            .device = request.device, .times = request.times, .processor = request.processor};
        return drawsMeasured(request) ? nameOf(alone) : QString();
    }
    QStringList names;
    for (const DeviceTimes& each : request.sideBySide) {
        if (hasTimes(each.times)) {
            names << nameOf(each);
        }
    }
    return names.join(QStringLiteral(", "));
}

// "prefill, B 1, S 1024, 32 bit"
QString workloadText(const Scenario& scenario)
{
    const Workload& workload = scenario.workload;
    const bool decode = workload.phase == Phase::decode;
    return Charts::tr("%1, B %2, %3 %4, %5")
        .arg(toQt(enumName(workload.phase)))
        .arg(workload.batch)
        .arg(decode ? QStringLiteral("C") : QStringLiteral("S"))
        .arg(scenario.keys())
        .arg(toQt(precisionText(workload.precision)));
}

// Conditions after the workload, unless they are the usual ones: ", bf16, cold caches".
QString conditionsText(const RoofConditions& as)
{
    QString text;
    if (as.format != RoofConditions{}.format) {
        text += QStringLiteral(", ") + toQt(enumName(as.format));
    }
    return as.coldCaches ? text + Charts::tr(", cold caches") : text;
}

// For a comparison, the names of all designs.
QString modelNames(const FigureRequest& request)
{
    if (!chartKind(request.kind).drawsOthers) {
        return toQt(request.scenario.model.name);
    }
    QStringList names;
    for (const ComparedDesign& design : designsOf(request)) {
        names << toQt(design.scenario.model.name);
    }
    return names.join(QStringLiteral(", "));
}

// After the lens, if another rule than its own applies: ", half pairs".
QString pairsText(const FigureRequest& request)
{
    const PairsRule pairs = pairsOf(request);
    return pairs == lens(request.lens).pairs ? QString()
                                             : Charts::tr(", %1 pairs").arg(toQt(pairsName(pairs)));
}

QString lensTitle(const FigureRequest& request)
{
    switch (chartKind(request.kind).lens) {
    case ChartLens::asked: return toQt(lens(request.lens).title) + pairsText(request);
    case ChartLens::exact: return toQt(lens(LensId::exact).title);
    case ChartLens::none: return {};
    }
    return {};
}

} // namespace

Provenance provenanceOf(const FigureRequest& request)
{
    const QString device = measuringDevices(request);
    if (!chartKind(request.kind).needs.model) {
        return {.workload = sizesText(request.claimSizes),
                .lens = lensTitle(request),
                .device = device};
    }
    const bool isOfPart = chartKind(request.kind).hasScope && !request.scope.isModel();
    return {.model = isOfPart ? toQt(request.scenario.model.name + ": "
                                     + scopeText(request.scenario.model, request.scope))
                              : modelNames(request),
            .workload = workloadText(request.scenario)
                + (device.isEmpty() ? QString() : conditionsText(request.measuredAs)),
            .lens = lensTitle(request),
            .device = device};
}

} // namespace flopsmith::ui
