// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/lens.h"
#include "core/model/model_cost.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace flopsmith {

enum class MetricId {
    flops,
    flopsPerToken,
    macs,
    params,
    activeParams,
    weightBytes,
    kvCacheBytesPerToken,
    memoryBytes,
    bytes,
    intensity,
};

/// A number of a whole scenario that a sweep can show.
struct Metric
{
    MetricId id = MetricId::flops;
    std::string_view name; ///< on the command line and as a column of a file
    std::string_view title; ///< on an axis
    std::string_view unit;
    std::string_view help;
};

/// All metrics, the default first.
std::span<const Metric> metrics();
const Metric& metric(MetricId id);
std::optional<MetricId> metricNamed(std::string_view name);

/// The names, for help texts and errors: "flops, macs, …".
std::string metricNames();

/// What metrics are made of, summed up once for a scenario.
struct Figures
{
    Cost<Count> total; ///< of all operations
    Count flops = 0; ///< under the lens
};

Figures figures(const CostTree<Count>& tree, const Scenario& scenario, LensId lens);

/// An exact count, or a quotient.
using MetricValue = std::variant<Count, double>;

/// The metric of the scenario that the figures are of.
MetricValue metricValue(MetricId id, const Figures& figures, const Scenario& scenario);
double toDouble(const MetricValue& value);

} // namespace flopsmith
