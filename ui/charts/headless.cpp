// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/headless.h"

#include "ui/charts/claims/claims_figure.h"
#include "ui/charts/memory/memory_figure.h"
#include "ui/charts/mislead/mislead_figure.h"
#include "ui/charts/roofline/roofline_figure.h"
#include "ui/charts/run_time/run_time_comparison_figure.h"
#include "ui/charts/scaling/scaling_figure.h"
#include "ui/charts/share/share_figure.h"
#include "ui/charts/waterfall/waterfall_figure.h"

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

constexpr std::array<std::string_view, 8> kKindNames{"share",
                                                     "scaling",
                                                     "runtime",
                                                     "claims",
                                                     "waterfall",
                                                     "memory",
                                                     "roofline",
                                                     "mislead"};

bool isMeasured(const std::vector<PartTime>& times)
{
    return std::any_of(
        times.begin(), times.end(), [](const PartTime& time) { return time.hasTime(); });
}

QString footerDevice(const FigureRequest& request)
{
    return toQt(request.measuredOn.empty() ? request.device : request.measuredOn);
}

// Those that measured something; nothing if none did.
QString measuringDevices(const FigureRequest& request)
{
    if (request.sideBySide.empty()) {
        return isMeasured(request.times) ? footerDevice(request) : QString();
    }
    QStringList names;
    for (const DeviceTimes& each : request.sideBySide) {
        if (isMeasured(each.times)) {
            names << toQt(each.device);
        }
    }
    return names.join(QStringLiteral(", "));
}

ClaimsChart claimsChart(const FigureRequest& request)
{
    ClaimsChart chart = countedChart(request.claimSizes);
    chart.measured = request.measuredClaims;
    return chart;
}

FigureResult bareFigure(const FigureRequest& request)
{
    switch (request.kind) {
    case ChartId::share: return shareFigure(request);
    case ChartId::scaling: return scalingFigure(request);
    case ChartId::runtime: return runTimeFigure(request);
    case ChartId::claims: return claimsFigure(request);
    case ChartId::waterfall: return waterfallFigure(request);
    case ChartId::memory: return memoryFigure(request);
    case ChartId::roofline: return rooflineFigure(request);
    case ChartId::mislead: return misleadFigure(request);
    }
    return Error{"there is no such chart"};
}

// Behind the workload, where it is not what is usual: ", bf16, cold caches".
QString conditionsText(const RoofConditions& as)
{
    QString text;
    if (as.format != RoofConditions{}.format) {
        text += QStringLiteral(", ") + toQt(enumName(as.format));
    }
    return as.coldCaches ? text + Charts::tr(", cold caches") : text;
}

} // namespace

std::span<const std::string_view> chartKindNames()
{
    return kKindNames;
}

std::optional<ChartId> chartKindNamed(std::string_view name)
{
    const auto found = std::find(kKindNames.begin(), kKindNames.end(), name);
    return found == kKindNames.end()
        ? std::nullopt
        : std::optional(static_cast<ChartId>(found - kKindNames.begin()));
}

FigureResult figureFor(const FigureRequest& request)
{
    FigureResult figure = bareFigure(request);
    if (figure && request.kind == ChartId::claims) {
        figure.value()->provenance = provenanceOf(claimsChart(request), footerDevice(request));
    } else if (figure) {
        const bool counts = request.kind == ChartId::scaling || request.kind == ChartId::waterfall
            || request.kind == ChartId::memory;
        const QString measured = counts ? QString() : measuringDevices(request);
        const QString device = request.curves ? footerDevice(request) : measured;
        const bool isExact = request.kind == ChartId::runtime || request.kind == ChartId::mislead;
        const LensId shown = isExact ? LensId::exact : request.lens;
        figure.value()->provenance = provenanceOf(request.scenario, shown, device);
        if (!device.isEmpty()) {
            figure.value()->provenance.workload += conditionsText(request.measuredAs);
        }
    }
    return figure;
}

QString workloadText(const Scenario& scenario)
{
    const Workload& workload = scenario.workload;
    const bool decode = workload.phase == Phase::decode;
    return Charts::tr("%1, B %2, %3 %4, %5-bit weights")
        .arg(toQt(enumName(workload.phase)))
        .arg(workload.batch)
        .arg(decode ? QStringLiteral("C") : QStringLiteral("S"))
        .arg(scenario.keys())
        .arg(workload.precision.weightBits);
}

Provenance provenanceOf(const ClaimsChart& chart, const QString& device)
{
    return {.workload = sizesText(chart.sizes),
            .lens = toQt(lens(LensId::exact).title),
            .device = chart.isMeasured() ? device : QString()};
}

Provenance provenanceOf(const Scenario& scenario, LensId lensId, const QString& device)
{
    return {.model = toQt(scenario.model.name),
            .workload = workloadText(scenario),
            .lens = toQt(lens(lensId).title),
            .device = device};
}

} // namespace flopsmith::ui
