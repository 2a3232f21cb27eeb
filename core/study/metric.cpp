// SPDX-License-Identifier: MIT
#include "core/study/metric.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

constexpr std::array<Metric, 9> kMetrics{{
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
    const Workload& workload = scenario.workload;
    return {.summary = summary(tree, scenario, lens),
            .trafficBytes = bytes(tree.total().traffic, workload.precision).total(),
            .tokens = Count{workload.batch} * scenario.queryTokens()};
}

MetricValue metricValue(MetricId id, const Figures& figures)
{
    const CostSummary& sum = figures.summary;
    switch (id) {
    case MetricId::flops: return sum.flops;
    case MetricId::flopsPerToken: return toDouble(sum.flops) / toDouble(figures.tokens);
    case MetricId::macs: return sum.macs;
    case MetricId::params: return sum.parameters;
    case MetricId::activeParams: return sum.activeParameters;
    case MetricId::weightBytes: return sum.weightBytes;
    case MetricId::kvCacheBytesPerToken: return sum.kvCacheBytesPerToken;
    case MetricId::bytes: return figures.trafficBytes;
    case MetricId::intensity: return toDouble(sum.flops) / toDouble(figures.trafficBytes);
    }
    return Count{0};
}

double toDouble(const MetricValue& value)
{
    const auto* count = std::get_if<Count>(&value);
    return count != nullptr ? toDouble(*count) : std::get<double>(value);
}

} // namespace flopsmith
