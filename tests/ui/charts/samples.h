// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/model/model_cost.h"
#include "core/model/operation.h"
#include "core/model/presets.h"
#include "ui/charts/chart_kinds.h"
#include "ui/charts/claims/claims_chart.h"

#include <QRectF>
#include <QSize>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

// Contents for charts that tests draw.
namespace flopsmith::ui {

inline Scenario scenarioOf(std::string_view preset)
{
    return {.model = *presetNamed(preset), .workload = {.sequence = 1024}};
}

/// Times of the first `done` parts, the next one running, the rest pending.
inline std::vector<PartTime> timesOf(const Scenario& scenario, std::size_t done)
{
    std::vector<PartTime> times(measuredParts(scenario).size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (i < done) {
            const double seconds = 0.25 / static_cast<double>((i * 7) % 5 + 1);
            times[i] = {.state = i == 2 ? PartState::notSettled : PartState::settled,
                        .medianSeconds = seconds,
                        .madSeconds = seconds * 0.02,
                        .relativeError = 2.5e-7};
        } else if (i == done) {
            times[i].state = PartState::running;
        }
    }
    return times;
}

/// Synthetic times of everything that the claims compare: the part with the most FLOPs takes a
/// second, the others their share of it, none less than a millisecond.
inline ClaimsChart measuredClaims(const ClaimSizes& sizes = {})
{
    ClaimsChart chart = countedChart(sizes);
    const std::vector<MeasuredPart> parts = measuredParts(chart.claims);
    std::vector<double> seconds;
    double most = 0.0;
    for (const MeasuredPart& part : parts) {
        seconds.push_back(toDouble(priced(LensId::exact, costTree(part.operation).total().count)));
        most = std::max(most, seconds.back());
    }
    for (double& each : seconds) {
        each = std::max(each / most, 1e-3);
    }
    for (const Claim& claim : chart.claims) {
        chart.measured.push_back(measured(claim, parts, seconds, 1.1 * most));
    }
    return chart;
}

/// A machine with two products and a cache.
inline MachineRoofs machineRoofs()
{
    MachineRoofs roofs{.device = "this CPU", .threads = 2, .launchSeconds = 2e-6};
    roofs.products = {{NumberFormat::fp32, 1e11, ""}, {NumberFormat::bf16, 4e11, ""}};
    roofs.levels = {{"L2", 2e6, 2e11, 2, true}, {"memory", 1e9, 1e10, 2, false}};
    roofs.measuredAt = 1'767'225'600;
    return roofs;
}

/// Two that a figure may have beside its scenario.
inline std::vector<ComparedDesign> otherDesigns()
{
    return {{.name = "llama-3-8b", .scenario = scenarioOf("llama-3-8b")},
            {.name = "tiny", .scenario = scenarioOf("tiny")}};
}

/// Everything measured, on a device with peaks.
inline FigureRequest requestOf(ChartId kind, std::string_view preset = "gpt2-half-swapped")
{
    const Scenario scenario = scenarioOf(preset);
    return {.kind = kind,
            .scenario = scenario,
            .times = timesOf(scenario, 1000),
            .hardware = hardwareNamed("h100-sxm").value(),
            .machine = kind == ChartId::mislead || kind == ChartId::runtime
                ? std::optional(machineRoofs())
                : std::nullopt,
            .measuredClaims =
                kind == ChartId::claims ? measuredClaims().measured : std::vector<MeasuredClaim>{},
            .others = kind == ChartId::compare ? otherDesigns() : std::vector<ComparedDesign>{},
            .name = std::string(preset)};
}

inline std::unique_ptr<Figure> figureOf(const FigureRequest& request)
{
    return std::move(figureFor(request)).value();
}

/// Any state of any part, any time.
inline std::vector<PartTime> randomTimes(std::size_t count, Random& random)
{
    std::vector<PartTime> times(count);
    for (PartTime& time : times) {
        time.state = static_cast<PartState>(random.integer(0, 4));
        time.medianSeconds = random.uniform() < 0.1 ? 0.0 : random.uniform() * 3.0;
        time.madSeconds = random.uniform() * time.medianSeconds;
        time.sentence = time.state == PartState::failed ? "out of <memory> & luck" : "";
    }
    return times;
}

/// Results for the curves of a scaling chart: each part takes a time that grows with its FLOPs, and
/// FFNs that are not dense a little more, so that the curves cross.
inline MeasuredCurves curvesOf(const Scenario& scenario, MetricId metric = MetricId::time)
{
    const Axis axis = usualAxis(scenario, lengthKey(scenario)).value();
    MeasuredCurves curves{
        .plan = curvePlan(usualVariants(scenario), axis), .device = "a test", .metric = metric};
    for (const MeasuredPart& part : curves.plan.parts) {
        Measured measured{.samples = 40, .settled = true, .relativeHalfWidth = 0.01};
        measured.flops = priced(LensId::exact, costTree(part.operation).total().count);
        const auto* ffn = std::get_if<FfnSpec>(&part.operation.what);
        const bool pays = ffn != nullptr && !holds_alternative<DenseFfn>(*ffn);
        measured.medianSeconds = 1e-11 * toDouble(measured.flops) + (pays ? 0.02 : 1e-5);
        measured.madSeconds = 0.05 * measured.medianSeconds;
        curves.results.emplace_back(measured);
    }
    return curves;
}

inline std::vector<ChartId> allKinds()
{
    std::vector<ChartId> ids;
    for (const ChartKind& kind : chartKinds()) {
        ids.push_back(kind.id);
    }
    return ids;
}

} // namespace flopsmith::ui
