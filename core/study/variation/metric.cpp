// SPDX-License-Identifier: MIT
#include "core/study/variation/metric.h"

#include "core/budget/memory.h"
#include "core/budget/roofline.h"
#include "core/budget/training.h"
#include "core/lens/cost_summary.h"

#include <algorithm>
#include <array>
#include <limits>

namespace flopsmith {
namespace {

constexpr MetricNeeds kHardware = MetricNeeds::hardware;
constexpr MetricNeeds kMeasuring = MetricNeeds::measuring;

constexpr std::array<Metric, 24> kMetrics{{
    {MetricId::flops, "flops", "operations", "FLOPs", "of one pass, under the lens"},
    {MetricId::flopsPerToken,
     "flops_per_token",
     "operations per token",
     "FLOPs",
     "of one pass, divided by the tokens that pass through the model"},
    {MetricId::macs, "macs", "multiply-add pairs", "MACs", "inside contractions"},
    {MetricId::params, "params", "parameters", "", "trainable ones, shared matrices once"},
    {MetricId::activeParams,
     "active_params",
     "active parameters",
     "",
     "that multiply for one token"},
    {MetricId::weightBytes, "weight_bytes", "weight memory", "B", "at the chosen precision"},
    {MetricId::kvCacheBytesPerToken,
     "kv_cache_bytes_per_token",
     "cache per token",
     "B",
     "keys and values that one token leaves behind"},
    {MetricId::kvCacheBytes,
     "kv_cache_bytes",
     "cache",
     "B",
     "keys and values of all tokens so far; none in training"},
    {MetricId::memoryBytes,
     "memory_bytes",
     "memory",
     "B",
     "of one device that holds everything: weights, cache and the largest temporary; in training "
     "gradients, optimizer state and saved activations"},
    {MetricId::inferenceMemoryBytes,
     "inference_memory_bytes",
     "memory of inference",
     "B",
     "memory_bytes without training, whatever the phase"},
    {MetricId::trainingMemoryBytes,
     "training_memory_bytes",
     "memory of training",
     "B",
     "memory_bytes of a training step on the same sequences, whatever the phase"},
    {MetricId::activationBytes,
     "activation_bytes",
     "saved activations",
     "B",
     "what a training step on the same sequences saves for its backward pass"},
    {MetricId::trainingFlopsPerToken,
     "training_flops_per_token",
     "training operations per token",
     "",
     "matrix products of forward and backward pass with nothing computed twice, as MFU counts"},
    {MetricId::bytes,
     "bytes",
     "memory traffic",
     "B",
     "read and written by all operations, each operand once and nothing fused"},
    {MetricId::intensity, "intensity", "arithmetic intensity", "FLOPs/B", "flops divided by bytes"},
    {MetricId::lowerBoundSeconds,
     "lower_bound_seconds",
     "least time",
     "s",
     "that the hardware's peaks allow one pass, nothing fused",
     kHardware},
    {MetricId::lowerBoundTokensPerSecond,
     "lower_bound_tokens_per_second",
     "tokens per second at the least time",
     "1/s",
     "that pass through the model",
     kHardware},
    {MetricId::mfuAtLowerBound,
     "mfu_at_lower_bound",
     "MFU at the least time",
     "",
     "matrix products divided by the least time and the peak",
     kHardware},
    {MetricId::energyJoules,
     "energy_joules",
     "energy at the least time",
     "J",
     "of one pass: the most that the hardware may draw, for the least time",
     kHardware},
    {MetricId::memoryShare,
     "memory_share",
     "share of the memory",
     "",
     "memory_bytes divided by what the hardware has; above 1 it does not fit",
     kHardware},
    {MetricId::time,
     "time",
     "measured time",
     "s",
     "of one pass, part by part; in training of forward and backward pass",
     kMeasuring},
    {MetricId::timeMad,
     "time_mad",
     "spread of the measured time",
     "s",
     "median absolute deviation, of the parts together",
     kMeasuring},
    {MetricId::tokensPerSecond,
     "tokens_per_second",
     "measured tokens per second",
     "1/s",
     "that pass through the model",
     kMeasuring},
    {MetricId::flopsPerSecond,
     "flops_per_second",
     "achieved operations per second",
     "1/s",
     "of the measured parts under the exact lens, divided by their time",
     kMeasuring},
}};

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

Scenario inInference(const Scenario& scenario)
{
    Scenario inference = scenario;
    if (inference.workload.phase == Phase::train) {
        inference.workload.phase = Phase::prefill;
    }
    return inference;
}

double quotient(double numerator, double denominator)
{
    return denominator > 0.0 ? numerator / denominator : kUnknown;
}

// Tokens that pass through the model.
Count tokensOf(const Scenario& scenario)
{
    return Count{scenario.workload.batch} * scenario.queryTokens();
}

double roofValue(MetricId id, const Figures& figures, const Scenario& scenario)
{
    if (!figures.roof) {
        return kUnknown;
    }
    const RoofFigures& roof = *figures.roof;
    switch (id) {
    case MetricId::lowerBoundSeconds: return roof.seconds;
    case MetricId::lowerBoundTokensPerSecond:
        return quotient(toDouble(tokensOf(scenario)), roof.seconds);
    case MetricId::mfuAtLowerBound: return roof.mfu;
    case MetricId::energyJoules:
        return roof.watts > 0.0 ? joulesOfPower(roof.watts, roof.seconds, 1.0) : kUnknown;
    case MetricId::memoryShare:
        return quotient(toDouble(memory(scenario).total()), roof.memoryBytes);
    default: return kUnknown;
    }
}

Result<RoofFigures> roofFigures(const CostTree<Count>& tree,
                                const Scenario& scenario,
                                const MetricHardware& on,
                                LensId lens)
{
    const Precision& precision = scenario.workload.precision;
    // Copying the hardware's texts at every point would dominate the run time.
    const ComputePeak* peak =
        on.format ? on.hardware.peak(*on.format) : peakFor(on.hardware, precision);
    if (peak == nullptr) {
        return hardwarePeak(on.hardware, precision, on.format).error();
    }
    const Roofline roofs =
        roofline(tree, precision, {peak->flopsPerSecond, on.hardware.bytesPerSecond.value}, lens);
    return RoofFigures{.seconds = roofs.whole().seconds,
                       .mfu = roofs.mfuAtLowerBound(),
                       .watts = on.hardware.watts ? on.hardware.watts->value : 0.0,
                       .memoryBytes =
                           on.hardware.memoryBytes ? on.hardware.memoryBytes->value : 0.0};
}

bool needsHardware(std::span<const MetricId> ids)
{
    return std::any_of(
        ids.begin(), ids.end(), [](MetricId id) { return metric(id).needs == kHardware; });
}

} // namespace

std::span<const Metric> metrics()
{
    return kMetrics;
}

std::span<const Metric> metrics(MetricNeeds needs)
{
    const auto isOther = [needs](const Metric& m) { return m.needs != needs; };
    const auto first = std::find_if_not(kMetrics.begin(), kMetrics.end(), isOther);
    const auto last = std::find_if(first, kMetrics.end(), isOther);
    return {first, last};
}

const Metric& metric(MetricId id)
{
    return kMetrics.at(static_cast<std::size_t>(id)); // ordered by id
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

std::string metricNames(std::span<const Metric> among)
{
    std::string names;
    for (const Metric& each : among) {
        names += (names.empty() ? "" : ", ") + std::string(each.name);
    }
    return names;
}

std::string_view metricGroup(const Metric& metric)
{
    if (metric.needs != MetricNeeds::nothing) {
        return metric.needs == MetricNeeds::hardware ? "On a device" : "Measured";
    }
    if (countsParameters(metric.id)) {
        return "Parameters";
    }
    return metric.unit == "B" ? "Memory" : "Operations";
}

bool isOfParts(MetricId id)
{
    switch (id) {
    case MetricId::kvCacheBytesPerToken:
    case MetricId::kvCacheBytes:
    case MetricId::memoryBytes:
    case MetricId::inferenceMemoryBytes:
    case MetricId::trainingMemoryBytes:
    case MetricId::activationBytes:
    case MetricId::trainingFlopsPerToken:
    case MetricId::memoryShare: return false;
    default: return true;
    }
}

bool countsParameters(MetricId id)
{
    return id == MetricId::params || id == MetricId::activeParams;
}

bool followsPrecision(MetricId id)
{
    const Metric& asked = metric(id);
    return asked.unit == "B" || asked.needs == kHardware || id == MetricId::intensity;
}

Figures figures(const CostTree<Count>& tree, const Scenario& scenario, LensId asked)
{
    const Cost<Count> total = tree.total();
    const Precision& precision = scenario.workload.precision;
    return {.total = total,
            .activeParameters = activeParameters(tree, scenario.model),
            .weightBytes = weightBytes(tree, precision),
            .movedBytes = bytes(tree, 0, precision).total(),
            .flops = lensFigure(scenario, asked, tree, total.count),
            .pairs = lens(asked).pairs};
}

MetricValue metricValue(MetricId id, const Figures& figures, const Scenario& scenario)
{
    const ParameterCount<Count>& parameters = figures.total.parameters;
    const MetricValue flops = figures.flops ? MetricValue(*figures.flops) : kUnknown;
    switch (id) {
    case MetricId::flops: return flops;
    case MetricId::flopsPerToken: return toDouble(flops) / toDouble(tokensOf(scenario));
    case MetricId::macs: return figures.total.count.mac;
    case MetricId::params: return parameters.trainable;
    case MetricId::activeParams: return figures.activeParameters;
    case MetricId::weightBytes: return figures.weightBytes;
    case MetricId::kvCacheBytesPerToken: return kvCacheBytesPerToken(scenario);
    case MetricId::kvCacheBytes: return memory(scenario).total(MemoryKind::kvCache);
    case MetricId::memoryBytes: return memory(scenario).total();
    case MetricId::inferenceMemoryBytes: return memory(inInference(scenario)).total();
    case MetricId::trainingMemoryBytes: return memory(inTraining(scenario)).total();
    case MetricId::activationBytes:
        return memory(inTraining(scenario)).total(MemoryKind::activations);
    case MetricId::trainingFlopsPerToken:
        return trainingFlopsPerToken(scenario, figures.pairs).model;
    case MetricId::bytes: return figures.movedBytes;
    case MetricId::intensity: return toDouble(flops) / toDouble(figures.movedBytes);
    case MetricId::time:
    case MetricId::timeMad:
    case MetricId::tokensPerSecond:
    case MetricId::flopsPerSecond: return kUnknown;
    default: return roofValue(id, figures, scenario);
    }
}

double toDouble(const MetricValue& value)
{
    const auto* count = std::get_if<Count>(&value);
    return count != nullptr ? toDouble(*count) : std::get<double>(value);
}

Result<std::vector<MetricValue>> metricValues(std::span<const MetricId> ids,
                                              const CostTree<Count>& tree,
                                              const Scenario& scenario,
                                              const MetricBasis& basis)
{
    if (!basis.scope.isModel()) {
        MetricBasis ofPart = basis;
        ofPart.scope = {};
        ofPart.lens = lensOfParts(basis.lens);
        return metricValues(ids, scopedTree(tree, scenario.model, basis.scope), scenario, ofPart);
    }
    Figures all = figures(tree, scenario, basis.lens);
    all.pairs = basis.pairs;
    if (basis.on && needsHardware(ids)) {
        FLOPSMITH_TRY(const RoofFigures roof, roofFigures(tree, scenario, *basis.on, basis.lens));
        all.roof = roof;
    }
    std::vector<MetricValue> values;
    values.reserve(ids.size());
    for (const MetricId id : ids) {
        values.push_back(metricValue(id, all, scenario));
    }
    return values;
}

Status computable(MetricId id, const MetricBasis& basis)
{
    const Metric& asked = metric(id);
    const std::string name(asked.name);
    if (asked.needs == kMeasuring) {
        return Error{name + ": is measured, not computed"};
    }
    if (!basis.scope.isModel() && !isOfParts(id)) {
        return Error{name + ": is that of a whole model and has no value for a part of it"};
    }
    if (asked.needs == MetricNeeds::nothing) {
        return Done{};
    }
    if (!basis.on) {
        return Error{name + ": needs the figures of a device; name one with --hardware"};
    }
    const Hardware& hardware = basis.on->hardware;
    if (id == MetricId::energyJoules && !hardware.watts) {
        return Error{name + ": the power that " + hardware.name + " may draw is not known"};
    }
    if (id == MetricId::memoryShare && !hardware.memoryBytes) {
        return Error{name + ": the memory that " + hardware.name + " has is not known"};
    }
    return Done{};
}

std::vector<MetricId> computableMetrics(const MetricBasis& basis)
{
    std::vector<MetricId> ids;
    for (const Metric& each : kMetrics) {
        if (computable(each.id, basis)) {
            ids.push_back(each.id);
        }
    }
    return ids;
}

} // namespace flopsmith
