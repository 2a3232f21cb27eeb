// SPDX-License-Identifier: MIT
#include "core/present/study/chart_texts.h"

#include "core/base/text.h"
#include "core/parameter/parameter_lookup.h"
#include "core/study/compare/comparison.h"

#include <algorithm>

namespace flopsmith {
namespace {

bool isInBytes(MetricId id)
{
    return metric(id).unit == "B";
}

std::string unitUnder(MetricId id, LensId rule)
{
    const bool counted = metric(id).unit == "FLOPs";
    return std::string(counted ? lens(rule).unit : metric(id).unit);
}

std::string withUnit(const std::string& figure, MetricId id, LensId rule)
{
    const std::string unit = unitUnder(id, rule);
    return unit.empty() ? figure : figure + " " + unit;
}

std::string countedTitle(MetricId id, LensId asked)
{
    const Lens& rule = lens(asked);
    const std::string title(metric(id).title);
    switch (id) {
    case MetricId::flops: return std::string(rule.unit) + ", " + std::string(rule.title);
    case MetricId::flopsPerToken:
        return std::string(rule.unit) + " per token, " + std::string(rule.title);
    case MetricId::intensity: return title + " (" + std::string(rule.unit) + " per byte)";
    default: break;
    }
    const Metric& shown = metric(id);
    const bool named = shown.needs == MetricNeeds::nothing || shown.unit.empty();
    return named ? title : title + " (" + std::string(shown.unit) + ")";
}

} // namespace

std::string parameterTitle(const Scenario& scenario, const Axis& axis)
{
    const std::string symbol = parameterSymbol(scenario, axis);
    const std::string title = symbol == axis.label ? axis.label : axis.label + " " + symbol;
    return axis.unit.empty() ? title : title + " (" + axis.unit + ")";
}

std::string parameterSymbol(const Scenario& scenario, const Axis& axis)
{
    const auto parameter = firstParameter(scenario, axis.key);
    const bool named = parameter && !parameter->text.symbol.empty();
    return named ? std::string(parameter->text.symbol) : axis.label;
}

std::string parameterHelp(const Scenario& scenario, const Axis& axis)
{
    const auto parameter = firstParameter(scenario, axis.key);
    return parameter ? std::string(parameter->text.help) : std::string();
}

std::string metricTitle(MetricId id,
                        const MetricBasis& basis,
                        const std::optional<Precision>& precision)
{
    std::string title = countedTitle(id, basis.lens);
    const bool isOfDevice = metric(id).needs == MetricNeeds::hardware && basis.on;
    title += isOfDevice ? ", " + basis.on->hardware.name : "";
    return followsPrecision(id) && precision ? title + ", " + inPrecision(*precision) : title;
}

std::string metricText(MetricId id, LensId lens, double value)
{
    if (isInBytes(id)) {
        return bytesText(value);
    }
    if (id == MetricId::lowerBoundSeconds) {
        return durationText(value);
    }
    const ShortNumber figure = countsParameters(id) ? shortParameters(value) : shortNumber(value);
    const std::string unit = figure.prefix + unitUnder(id, lens);
    return unit.empty() ? figure.figure : figure.figure + " " + unit;
}

std::string shortMetricText(MetricId id, double value)
{
    if (isInBytes(id)) {
        return bytesText(value);
    }
    if (countsParameters(id)) {
        return parametersText(value);
    }
    return id == MetricId::lowerBoundSeconds ? durationText(value) : siText(value);
}

std::string exactMetricText(MetricId id, LensId lens, const MetricValue& value)
{
    const auto* count = std::get_if<Count>(&value);
    return count != nullptr ? withUnit(groupedDigits(*count), id, lens)
                            : metricText(id, lens, toDouble(value));
}

std::string plainMetricText(const MetricValue& value)
{
    const auto* count = std::get_if<Count>(&value);
    return count != nullptr ? digits(*count) : numberText(std::get<double>(value));
}

std::string shortReason(const std::string& problem)
{
    const std::string first = problem.substr(0, problem.find("; "));
    const std::size_t path = first.find(": ");
    const std::size_t dot = path == std::string::npos ? path : first.rfind('.', path);
    return dot == std::string::npos ? first : first.substr(dot + 1);
}

TickUnit tickUnit(MetricId id)
{
    if (isInBytes(id)) {
        return TickUnit::bytes;
    }
    return countsParameters(id) ? TickUnit::parameters : TickUnit::si;
}

} // namespace flopsmith
