// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options/curve_options.h"

#include <algorithm>
#include <utility>

namespace flopsmith::app {

void CurveOptions::addTo(ArgumentParser command)
{
    command.addFlag("--measured",
                    m_measured,
                    "Of a scaling chart: measure its curves at a few values too, on --device and "
                    "within --budget for all of them");
    command.addOption("--measured-as", m_metric, "time or flops_per_second")
        .oneOf({"time", "flops_per_second"})
        .typeName("NAME")
        .showDefault();
}

std::variant<CurvesRun, Outcome> CurveOptions::measured(const std::vector<ScalingVariant>& variants,
                                                        const Axis& axis,
                                                        const Device& device,
                                                        const MeasuringOptions& options,
                                                        const StoreChoice& store) const
{
    MeasuredCurves curves{.plan = curvePlan(variants, axis),
                          .device = device.name,
                          .metric = metricNamed(m_metric).value_or(MetricId::time)};
    MeasuringRun run =
        measuringRun(variants.front().scenario, device, curves.plan.parts, options, store);
    if (run.outcome.unavailable) {
        return Outcome::failure(ExitCode::deviceUnavailable, run.outcome.unavailable->message);
    }
    for (const PartResult& part : run.outcome.parts) {
        curves.results.push_back(part.measured);
        const bool isNew = std::find(curves.failures.begin(), curves.failures.end(), part.sentence)
            == curves.failures.end();
        if (!part.measured && isNew) {
            curves.failures.push_back(part.sentence);
        }
    }
    return CurvesRun{std::move(curves), std::move(run)};
}

} // namespace flopsmith::app
