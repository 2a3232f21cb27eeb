// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/measuring/measuring_run.h"
#include "app/options/store_options.h"
#include "app/terminal/outcome.h"
#include "core/present/study/measured_scaling.h"
#include "core/protocol/device/device.h"

#include <variant>
#include <vector>

namespace flopsmith::app {

/// Measured curves, and the run that measured them.
struct CurvesRun
{
    MeasuredCurves curves;
    MeasuringRun run;
};

/// --measured and --measured-as of a scaling chart.
class CurveOptions
{
public:
    void addTo(ArgumentParser command);

    bool isAsked() const { return m_measured; }

    /// Measures the variants of a chart at a few values of the axis, within about the budget for
    /// all of them; or why the device cannot.
    std::variant<CurvesRun, Outcome> measured(const std::vector<ScalingVariant>& variants,
                                              const Axis& axis,
                                              const Device& device,
                                              const MeasuringOptions& options,
                                              const StoreChoice& store) const;

private:
    bool m_measured = false;
    std::string m_metric = "time";
};

} // namespace flopsmith::app
