// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/lens.h"
#include "core/model/model_cost.h"
#include "core/model/parameter_table.h"
#include "core/present/ticks.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// What a scaling curve shows.
enum class Metric {
    flops, ///< under the lens
    parameters, ///< trainable
    weightBytes, ///< stored weights
    trafficBytes, ///< weights, activations, keys and values moved by one pass
    kvCacheBytes, ///< keys and values kept for the whole context of the batch
};

std::span<const Metric> metrics();
std::string_view metricName(Metric metric); ///< in files and on the command line: "flops"
std::string_view metricTitle(Metric metric); ///< "FLOPs"
std::optional<Metric> metricNamed(std::string_view name);

/// The metric's value for one scenario.
double metricValue(Metric metric, const Scenario& scenario, LensId lens);

/// One curve to draw: a scenario, and how its line looks.
enum class Dash { solid, dashed, dotted, dashDotted };
struct ScalingVariant
{
    std::string title;
    Scenario scenario;
    Dash dash = Dash::solid;
    const Component* component = nullptr; ///< whose colour the curve has; null: the accent
};

/// The scenario itself, and, if it is something else, the same stack with only dense FFNs (their
/// width 4 d_model unless a block has a dense one) and with no FFN at all.
std::vector<ScalingVariant> usualVariants(const Scenario& scenario);

struct ScalingPoint
{
    double x = 0.0;
    double y = 0.0;

    bool operator==(const ScalingPoint&) const = default;
};

struct ScalingCurve
{
    std::string title;
    Dash dash = Dash::solid;
    const Component* component = nullptr;
    std::vector<ScalingPoint> points; ///< x ascending; only what the axes can show
    std::optional<double> slope; ///< least squares in log-log; none below two different points
    std::string slopeText; ///< "slope 1.73", or empty
};

struct ScalingMarker
{
    double x = 0.0;
    double y = 0.0; ///< on the first curve
    std::string text; ///< "S = 1024: 218.7 GFLOPs"
};

/// Curves of a metric over one parameter, ready to be drawn on axes that fit them.
struct ScalingChart
{
    Metric metric = Metric::flops;
    std::string parameterKey;
    std::string xTitle; ///< "sequence length S (tokens)"
    std::string yTitle; ///< "FLOPs, exact"
    AxisScale xScale = AxisScale::log2;
    AxisScale yScale = AxisScale::log10;
    TickUnit xUnit = TickUnit::binary;
    TickUnit yUnit = TickUnit::si;
    std::vector<ScalingCurve> curves;
    std::optional<ScalingMarker> marker;
    std::vector<std::string> notes; ///< what was left out and why
    std::string emptyText;

    bool empty() const;
    Axis xAxis(int mostTicks) const;
    Axis yAxis(int mostTicks) const;
};

/// What to sweep. Without values the parameter's own stops are taken, thinned out to `mostStops`.
struct ScalingRequest
{
    Metric metric = Metric::flops;
    LensId lens = LensId::exact;
    std::string parameterKey = "seq"; ///< see matchingParameters()
    std::vector<FieldValue> values;
    int mostStops = 33;
};

/// Computes every point from the cost tree. Values at which a scenario does not validate are left
/// out and reported. An unknown parameter gives an empty chart with the reason.
ScalingChart scalingChart(std::span<const ScalingVariant> variants, const ScalingRequest& request);

} // namespace flopsmith
