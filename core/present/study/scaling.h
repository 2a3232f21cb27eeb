// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/lens.h"
#include "core/model/model_cost.h"
#include "core/parameter/tie.h"
#include "core/present/base/ticks.h"
#include "core/study/compare/comparison.h"
#include "core/study/variation/axis.h"
#include "core/study/variation/metric.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// One curve to draw: a scenario, and how its line looks.
enum class Dash { solid, dashed, dotted, dashDotted };
struct ScalingVariant
{
    std::string title{};
    Scenario scenario;
    Dash dash = Dash::solid;
    const Component* component = nullptr; ///< gives the curve its colour; null: the accent colour
    std::string brief{}; ///< the title where there is no space for a model's name; empty: the title
    std::vector<Tie> ties{}; ///< followed where the variant has their parameters
};

/// The scenario itself, then its comparisons: the same stack with classical FFNs only (the model's
/// own dense or gated one, or a dense one with d_ff = 4 d_model), or, if it already is that, with
/// UltraEfficientSparseFFN only; and without FFNs.
std::vector<ScalingVariant> usualVariants(const Scenario& scenario,
                                          const std::vector<Tie>& ties = {});

/// Designs in one chart: the first as a solid line, the others in their own colours.
std::vector<ScalingVariant> designVariants(std::span<const ComparedDesign> designs);

/// A stretch of the parameter around its present value that a chart can show: all of a linear one;
/// six doublings of a logarithmic one, in steps of three, so that the axis rests while a slider
/// moves: 128 … 8192 around 1024.
Result<Axis> usualAxis(const Scenario& scenario, std::string_view key);

/// The parameter for the number of tokens that pass through the model: "seq", or "image_size".
std::string_view lengthKey(const Scenario& scenario);

struct ScalingPoint
{
    double x = 0.0;
    double y = 0.0;

    bool operator==(const ScalingPoint&) const = default;
};

struct ScalingCurve
{
    std::string title{};
    std::string brief{}; ///< "this model"; the title if that is no model's name
    Dash dash = Dash::solid;
    const Component* component = nullptr;
    std::vector<ScalingPoint> points{}; ///< x ascending; only values that the axes can show
    std::optional<double> slope{}; ///< of the fitted power law; needs two different points
    std::string slopeText{}; ///< "slope 1.73", or empty
};

struct ScalingMarker
{
    double x = 0.0;
    double y = 0.0; ///< on the first curve
    std::string text{}; ///< "S = 1024: 218.7 GFLOPs"
};

/// A measured point of a curve.
struct MeasuredScalingPoint
{
    double x = 0.0;
    double value = 0.0; ///< on the measured axis: seconds, or FLOP/s
    double spread = 0.0; ///< of the value, as its median absolute deviation
    double seconds = 0.0;
    double madSeconds = 0.0;
    double flopsPerSecond = 0.0;
    bool settled = true;
};

/// Measured points of one curve.
struct MeasuredScalingCurve
{
    std::vector<MeasuredScalingPoint> points{}; ///< x ascending
    std::optional<double> slope{}; ///< of their power law
    std::string slopeText{}; ///< "1.02 ± 0.03", or empty
};

/// Where one measured curve falls below another, with its 95 % interval within the chart.
struct ScalingCrossover
{
    double x = 0.0;
    double low = 0.0;
    double high = 0.0;
};

/// Measured curves over an axis of their own beside the computed one: a decade is as long on both,
/// and the first curve's points lie on average on its computed curve, so that slopes can be
/// compared by eye.
struct MeasuredScaling
{
    MetricId metric = MetricId::time; ///< or flopsPerSecond
    std::string title{}; ///< of the axis: "measured time"
    std::string device{};
    double factor = 1.0; ///< computed axis = factor × measured axis
    std::vector<MeasuredScalingCurve> curves{}; ///< parallel to the chart's
    std::optional<ScalingCrossover> crossover{};
    std::string caption{}; ///< the crossover in words, or the progress of measuring
    std::string briefCaption{}; ///< the same with the curves' brief titles

    bool empty() const;
};

/// Curves of a metric over one parameter, ready to be drawn on axes that fit them.
struct ScalingChart
{
    MetricId metric = MetricId::flops;
    std::string key{}; ///< of the parameter
    std::string symbol{}; ///< of the parameter: "S"
    std::string xTitle{}; ///< "sequence length S (tokens)"
    std::string xHelp{}; ///< what the parameter is
    std::string yTitle{}; ///< "FLOPs, exact"
    AxisScale xScale = AxisScale::log2;
    AxisScale yScale = AxisScale::log10;
    TickUnit xUnit = TickUnit::binary;
    TickUnit yUnit = TickUnit::si;
    std::vector<ScalingCurve> curves{};
    std::optional<ScalingMarker> marker{};
    std::optional<MeasuredScaling> measured{};
    std::vector<std::string> notes{}; ///< what was left out and why
    std::string emptyText{};

    bool empty() const;
    TickAxis xAxis(int maxTicks) const;
    TickAxis yAxis(int maxTicks) const;

    /// The measured axis: positions are those of `y`, values and labels its own.
    TickAxis measuredAxis(const TickAxis& y, int maxTicks) const;
};

/// The request for a chart. A metric of operations is counted under the lens.
struct ScalingRequest
{
    MetricId metric = MetricId::flops;
    LensId lens = LensId::exact;
    Axis axis{}; ///< from usualAxis(), axisBetween(), axisOfTexts() …
    std::optional<MetricHardware> on{}; ///< for a metric that needs hardware
    std::optional<PairsRule> pairs{}; ///< empty: the lens's
    PartScope scope{}; ///< the part that the metric is of

    MetricBasis basis() const
    {
        return {lens, pairs.value_or(flopsmith::lens(lens).pairs), on, scope};
    }
};

/// A cache of curves that are requested repeatedly, such as those of unchanged designs.
class KeptCurves
{
public:
    struct Entry
    {
        std::string title{};
        Scenario scenario{};
        ScalingRequest request{};
        ScalingCurve curve{};
        std::string note{}; ///< what was left out of the curve

        bool isOf(const ScalingVariant& variant, const ScalingRequest& asked) const;
    };

    /// The curve of the variant, if it is kept; valid until the next keep().
    const Entry* find(const ScalingVariant& variant, const ScalingRequest& request) const;

    /// Stores the entry; replaces the oldest if there are as many as one set of charts needs.
    void keep(Entry entry);

private:
    std::vector<Entry> m_entries; ///< oldest first
};

/// Computes every point from the cost tree. Values that are illegal for a variant, or that a
/// logarithmic axis cannot show, are left out and reported in the notes. The marker is at the first
/// variant's own value. If nothing can be drawn, the chart is empty and has the reason. Curves
/// after the first are taken from `kept`, if it is given, and stored there.
ScalingChart scalingChart(std::span<const ScalingVariant> variants,
                          const ScalingRequest& request,
                          KeptCurves* kept = nullptr);

} // namespace flopsmith
