// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/parameter/tie.h"
#include "core/present/base/ticks.h"
#include "core/study/variation/axis.h"
#include "core/study/variation/metric.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// A parameter of a heat map, with a column or a row for each of its values.
struct HeatAxis
{
    std::string key{}; ///< "d_model"
    std::string label{}; ///< "d_model"
    std::string title{}; ///< "d_model d (features)"
    std::string help{}; ///< what it is
    AxisScale scale = AxisScale::linear; ///< names and flags are equally spaced
    std::vector<FieldValue> values{};
    std::vector<std::string> texts{}; ///< of the values
    std::vector<double> edges{}; ///< between the values, from 0 to 1: one more than values
    std::optional<double> present{}; ///< position of the scenario's own value, if between 0 and 1
};

/// One combination of both parameters.
struct HeatCell
{
    std::size_t column = 0; ///< of x
    std::size_t row = 0; ///< of y
    std::optional<MetricValue> value{}; ///< empty for an illegal combination
    double share = 0.0; ///< of the colours, from 0 to 1
    std::string text{}; ///< "218.7 G"
    std::string exactText{}; ///< "218 712 345 678 FLOPs"
    std::string problem{}; ///< why there is no value
};

/// A metric over two parameters, ready to be coloured.
struct HeatMap
{
    MetricId metric = MetricId::flops;
    std::string title{}; ///< "FLOPs, exact"
    HeatAxis x{};
    HeatAxis y{};
    std::vector<HeatCell> cells{}; ///< in reading order: the row of the largest y first
    AxisScale scale = AxisScale::log10; ///< of the colours
    TickUnit unit = TickUnit::si;
    double low = 0.0; ///< the smallest value
    double high = 0.0; ///< the largest value
    std::string caption{}; ///< number of illegal combinations, and the first reason
    std::string emptyText{};

    bool empty() const { return !emptyText.empty(); }

    /// From the smallest value to the largest.
    TickAxis colours(int maxTicks) const;

    /// The scenario's own combination, or null.
    const HeatCell* present() const;
};

struct HeatRequest
{
    MetricId metric = MetricId::flops;
    LensId lens = LensId::exact;
    Axis x{};
    Axis y{};
    std::vector<Tie> ties{}; ///< parameters that follow others
    std::optional<MetricHardware> on{}; ///< for a metric that needs hardware
    std::optional<PairsRule> pairs{}; ///< empty: the lens's
    PartScope scope{}; ///< the part that the metric is of

    MetricBasis basis() const
    {
        return {lens, pairs.value_or(flopsmith::lens(lens).pairs), on, scope};
    }
};

/// A heat map has at most this many columns, and as many rows.
inline constexpr std::size_t kMaxHeatValues = 100;

/// Computes every combination with its ties; illegal ones have no value. An Error if a parameter is
/// unknown or named twice, has too many values, or the metric cannot be computed.
Result<HeatMap> heatMap(const Scenario& scenario, const HeatRequest& request);

} // namespace flopsmith
