// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/hardware.h"
#include "core/count/lens.h"
#include "core/model/model_cost.h"
#include "core/study/variation/part_scope.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace flopsmith {

enum class MetricId {
    flops,
    flopsPerToken,
    macs,
    params,
    activeParams,
    weightBytes,
    kvCacheBytesPerToken,
    kvCacheBytes,
    memoryBytes,
    inferenceMemoryBytes,
    trainingMemoryBytes,
    activationBytes,
    trainingFlopsPerToken,
    bytes,
    intensity,
    lowerBoundSeconds,
    lowerBoundTokensPerSecond,
    mfuAtLowerBound,
    energyJoules,
    memoryShare,
    time,
    timeMad,
    tokensPerSecond,
    flopsPerSecond,
};

/// Requirements of a metric beside a model and its workload.
enum class MetricNeeds {
    nothing, ///< it is counted
    hardware, ///< it is computed from the figures of a device
    measuring, ///< it is measured on a device
};

/// A quantity of a whole scenario that a sweep can show.
struct Metric
{
    MetricId id = MetricId::flops;
    std::string_view name; ///< on the command line and as a column of a file
    std::string_view title; ///< on an axis
    std::string_view unit;
    std::string_view help;
    MetricNeeds needs = MetricNeeds::nothing;
};

/// All metrics, the default first, ordered by requirement: nothing, hardware, measuring.
std::span<const Metric> metrics();

/// The metrics with exactly this need.
std::span<const Metric> metrics(MetricNeeds needs);

const Metric& metric(MetricId id);

/// For lists: "Operations", "Parameters", "Memory", "On a device", "Measured".
std::string_view metricGroup(const Metric& metric);
std::optional<MetricId> metricNamed(std::string_view name);

/// The names, for help texts and errors: "flops, macs, …".
std::string metricNames(std::span<const Metric> among = metrics());

/// A device from whose figures metrics are computed.
struct MetricHardware
{
    Hardware hardware{};
    /// The format whose peak applies; by default the one that matches the activations' bits.
    std::optional<NumberFormat> format{};
};

/// How metrics are computed.
struct MetricBasis
{
    LensId lens = LensId::exact;
    PairsRule pairs = PairsRule::exact;
    std::optional<MetricHardware> on{};
    PartScope scope{}; ///< the part of the model that is measured
};

/// One pass of a scenario under a device's roofs, without fusion.
struct RoofFigures
{
    double seconds = 0.0; ///< lower bound
    double mfu = 0.0; ///< model FLOPs utilisation at the lower bound
    double watts = 0.0; ///< maximum power; 0 if unknown
    double memoryBytes = 0.0; ///< of the device; 0 if unknown
};

/// Sums that metrics are computed from, once per scenario.
struct Figures
{
    Cost<Count> total; ///< of all operations
    Count activeParameters = 0; ///< the parameters that multiply for one token
    Count weightBytes = 0; ///< of the trainable weights
    Count movedBytes = 0;
    std::optional<Count> flops{}; ///< under the lens, if it defines any for the phase
    PairsRule pairs = PairsRule::exact;
    std::optional<RoofFigures> roof{}; ///< if the metrics need hardware
};

Figures figures(const CostTree<Count>& tree, const Scenario& scenario, LensId asked);

/// Whether it is defined for a part of a model: what memory keeps is the model's as a whole.
bool isOfParts(MetricId id);

/// Whether it counts parameters, which have billions in place of giga.
bool countsParameters(MetricId id);

/// Whether it depends on the bits of weights, activations and cache: bytes, and limits from a
/// device's roofs.
bool followsPrecision(MetricId id);

/// An exact count, or a quotient.
using MetricValue = std::variant<Count, double>;

/// The metric for the scenario of `figures`; NaN if it is measured, its hardware is missing, or the
/// lens defines none for the phase.
MetricValue metricValue(MetricId id, const Figures& figures, const Scenario& scenario);
double toDouble(const MetricValue& value);

/// The metrics of a scenario and its tree, in the order of `ids`; measured ones are NaN. An Error
/// if the hardware has no format as wide as the activations.
Result<std::vector<MetricValue>> metricValues(std::span<const MetricId> ids,
                                              const CostTree<Count>& tree,
                                              const Scenario& scenario,
                                              const MetricBasis& basis);

/// Whether the metric can be computed on this basis. The Error says what is missing
/// ("energy_joules: the power of … is not known").
Status computable(MetricId id, const MetricBasis& basis);

/// All metrics that are computable on this basis.
std::vector<MetricId> computableMetrics(const MetricBasis& basis);

} // namespace flopsmith
