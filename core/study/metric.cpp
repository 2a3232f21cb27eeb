// SPDX-License-Identifier: MIT
#include "core/study/metric.h"

#include "core/budget/memory.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

constexpr std::array<Metric, 10> kMetrics{{
    {MetricId::flops, "flops", "operations", "FLOPs", "of one pass, under the lens"},
    {MetricId::flopsPerToken,
     "flops_per_token",
     "operations per token",
     "FLOPs",
     "of one pass, divided by the tokens that pass through the model"},
    {MetricId::macs, "macs", "multiply-add pairs", "MACs", "inside contractions"},
    {MetricId::params, "params", "parameters", "", "trainable ones, shared matrices once"},
    {MetricId::activeParams, "active_params", "active parameters", "", "that one token uses"},
    {MetricId::weightBytes, "weight_bytes", "weight memory", "B", "at the chosen precision"},
    {MetricId::kvCacheBytesPerToken,
     "kv_cache_bytes_per_token",
     "cache per token",
     "B",
     "keys and values that one token leaves behind"},
    {MetricId::memoryBytes,
     "memory_bytes",
     "memory",
     "B",
     "of one device that holds everything: weights, cache and the largest temporary; in training "
     "gradients, optimizer state and kept activations"},
    {MetricId::bytes,
     "bytes",
     "memory traffic",
     "B",
     "read and written by all operations, each operand once and nothing fused"},
    {MetricId::intensity, "intensity", "arithmetic intensity", "FLOPs/B", "flops divided by bytes"},
}};

} // namespace

std::span<const Metric> metrics()
{
    return kMetrics;
}

const Metric& metric(MetricId id)
{
    return *std::find_if(
        kMetrics.begin(), kMetrics.end(), [id](const Metric& m) { return m.id == id; });
}

std::optional<MetricId> metricNamed(std::string_view name)
{
    for (const Metric& candidate : kMetrics) {
        if (candidate.name == name) {
            return candidate.id;
        }
    }
    return std::nullopt;
}

std::string metricNames()
{
    std::string names;
    for (const Metric& each : kMetrics) {
        names += (names.empty() ? "" : ", ") + std::string(each.name);
    }
    return names;
}

Figures figures(const CostTree<Count>& tree, const Scenario& scenario, LensId lens)
{
    const Cost<Count> total = tree.total();
    return {.total = total, .flops = lensFigure(scenario, lens, tree, total.count)};
}

namespace {

Count trafficBytes(const Figures& figures, const Scenario& scenario)
{
    return bytes(figures.total.traffic, scenario.workload.precision).total();
}

double flopsPerToken(const Figures& figures, const Scenario& scenario)
{
    const Count tokens = Count{scenario.workload.batch} * scenario.queryTokens();
    return toDouble(figures.flops) / toDouble(tokens);
}

} // namespace

MetricValue metricValue(MetricId id, const Figures& figures, const Scenario& scenario)
{
    const ParameterCount<Count>& parameters = figures.total.parameters;
    switch (id) {
    case MetricId::flops: return figures.flops;
    case MetricId::flopsPerToken: return flopsPerToken(figures, scenario);
    case MetricId::macs: return figures.total.count.mac;
    case MetricId::params: return parameters.trainable;
    case MetricId::activeParams: return parameters.active;
    case MetricId::weightBytes:
        return weightBytes(parameters.trainable, scenario.workload.precision);
    case MetricId::kvCacheBytesPerToken: return kvCacheBytesPerToken(scenario);
    case MetricId::memoryBytes: return memory(scenario).total();
    case MetricId::bytes: return trafficBytes(figures, scenario);
    case MetricId::intensity:
        return toDouble(figures.flops) / toDouble(trafficBytes(figures, scenario));
    }
    return Count{0};
}

double toDouble(const MetricValue& value)
{
    const auto* count = std::get_if<Count>(&value);
    return count != nullptr ? toDouble(*count) : std::get<double>(value);
}

} // namespace flopsmith
