// SPDX-License-Identifier: MIT
#include "core/present/study/heat_map.h"

#include "core/parameter/parameter_lookup.h"
#include "core/present/study/chart_texts.h"
#include "core/study/sweep/sweep.h"
#include "core/study/variation/field_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace flopsmith {
namespace {

constexpr double kManyTimes = 10.0; ///< largest over smallest: beyond it colours are logarithmic

// In axis space; a value that is not a number is at its index in the list.
double heatPosition(const HeatAxis& axis, std::size_t index)
{
    const std::optional<double> value = numberOf(axis.values[index]);
    return value ? axisPosition(axis.scale, *value) : static_cast<double>(index);
}

// Halfway between neighbours, and as far beyond the first and the last one.
std::vector<double> heatEdges(const HeatAxis& axis)
{
    const std::size_t count = axis.values.size();
    if (count == 1) {
        return {0.0, 1.0};
    }
    std::vector<double> edges(count + 1);
    for (std::size_t i = 1; i < count; ++i) {
        edges[i] = (heatPosition(axis, i - 1) + heatPosition(axis, i)) / 2.0;
    }
    edges[0] = 2.0 * heatPosition(axis, 0) - edges[1];
    edges[count] = 2.0 * heatPosition(axis, count - 1) - edges[count - 1];
    const double low = edges.front();
    const double length = edges.back() - low;
    for (double& edge : edges) {
        edge = (edge - low) / length;
    }
    edges.back() = 1.0;
    return edges;
}

double middleOf(const HeatAxis& axis, std::size_t index)
{
    return (axis.edges[index] + axis.edges[index + 1]) / 2.0;
}

// Between the two values around it, according to the axis' scale.
std::optional<double> placeBetween(const HeatAxis& axis, double value)
{
    for (std::size_t i = 0; i + 1 < axis.values.size(); ++i) {
        const std::optional<double> low = numberOf(axis.values[i]);
        const std::optional<double> high = numberOf(axis.values[i + 1]);
        if (low && high && *low <= value && value <= *high) {
            const double from = axisPosition(axis.scale, *low);
            const double part =
                (axisPosition(axis.scale, value) - from) / (axisPosition(axis.scale, *high) - from);
            return middleOf(axis, i) + part * (middleOf(axis, i + 1) - middleOf(axis, i));
        }
    }
    return std::nullopt;
}

std::optional<double> presentPlace(const HeatAxis& axis, const Scenario& scenario)
{
    const auto parameter = firstParameter(scenario, axis.key);
    if (!parameter) {
        return std::nullopt;
    }
    const FieldValue present = parameter->value(scenario);
    const auto found = std::find(axis.values.begin(), axis.values.end(), present);
    if (found != axis.values.end()) {
        return middleOf(axis, static_cast<std::size_t>(found - axis.values.begin()));
    }
    const std::optional<double> value = numberOf(present);
    return value ? placeBetween(axis, *value) : std::nullopt;
}

HeatAxis heatAxis(const Scenario& scenario, const Axis& axis)
{
    HeatAxis heat{.key = axis.key,
                  .label = axis.label,
                  .title = parameterTitle(scenario, axis),
                  .help = parameterHelp(scenario, axis),
                  .values = axis.values};
    const std::optional<double> first = numberOf(axis.values.front());
    const bool logarithmic = axis.scale == Scale::log2 && first && *first > 0.0;
    heat.scale = logarithmic ? AxisScale::log2 : AxisScale::linear;
    for (const FieldValue& value : axis.values) {
        heat.texts.push_back(valueText(value));
    }
    heat.edges = heatEdges(heat);
    heat.present = presentPlace(heat, scenario);
    return heat;
}

// The texts of a combination; its colour is chosen when all cells are known.
HeatCell heatCell(const HeatRequest& request, const SweepPoint& point)
{
    HeatCell cell{.problem = point.problem};
    if (!point.possible()) {
        return cell;
    }
    const MetricValue& value = point.values.front();
    if (!std::isfinite(toDouble(value))) {
        cell.problem = "the metric has no value there";
        return cell;
    }
    cell.value = value;
    cell.text = shortMetricText(request.metric, toDouble(value));
    cell.exactText = exactMetricText(request.metric, request.lens, value);
    return cell;
}

void chooseColours(HeatMap& map)
{
    map.low = std::numeric_limits<double>::infinity();
    map.high = -map.low;
    for (const HeatCell& cell : map.cells) {
        if (cell.value) {
            map.low = std::min(map.low, toDouble(*cell.value));
            map.high = std::max(map.high, toDouble(*cell.value));
        }
    }
    const bool isWide = map.low > 0.0 && map.high >= kManyTimes * map.low;
    map.scale = isWide ? AxisScale::log10 : AxisScale::linear;
    map.unit = tickUnit(map.metric);
    const TickAxis colours = map.colours(2);
    for (HeatCell& cell : map.cells) {
        cell.share = cell.value ? std::clamp(colours.share(toDouble(*cell.value)), 0.0, 1.0) : 0.0;
    }
}

void sayWhatIsMissing(HeatMap& map)
{
    const auto isMissing = [](const HeatCell& cell) { return !cell.value.has_value(); };
    const auto missing = std::count_if(map.cells.begin(), map.cells.end(), isMissing);
    if (missing == 0) {
        return;
    }
    const auto first = std::find_if(map.cells.begin(), map.cells.end(), isMissing);
    const std::string count =
        std::to_string(missing) + " of " + std::to_string(map.cells.size()) + " combinations";
    map.caption = count + " are not possible: " + shortReason(first->problem);
    if (missing == static_cast<std::ptrdiff_t>(map.cells.size())) {
        map.emptyText = "None of these combinations is possible: " + first->problem;
    }
}

Status heatFits(const HeatRequest& request)
{
    for (const Axis* axis : {&request.x, &request.y}) {
        if (axis->values.empty()) {
            return Error{axis->key + ": an axis needs a value"};
        }
        if (axis->values.size() > kMaxHeatValues) {
            return Error{axis->key + ": a heat map shows at most " + std::to_string(kMaxHeatValues)
                         + " values of a parameter; take fewer of them"};
        }
    }
    if (request.x.key == request.y.key) {
        return Error{request.x.key + ": a heat map needs two different parameters"};
    }
    return computable(request.metric, request.basis());
}

} // namespace

TickAxis HeatMap::colours(int maxTicks) const
{
    return tickAxis(scale, low, high, maxTicks, unit, RangeEnds::keep);
}

const HeatCell* HeatMap::present() const
{
    const auto holds = [](const HeatAxis& axis, std::size_t index) {
        return axis.present && *axis.present == middleOf(axis, index);
    };
    const auto found = std::find_if(cells.begin(), cells.end(), [&](const HeatCell& cell) {
        return holds(x, cell.column) && holds(y, cell.row);
    });
    return found == cells.end() ? nullptr : &*found;
}

Result<HeatMap> heatMap(const Scenario& scenario, const HeatRequest& request)
{
    FLOPSMITH_RETURN_IF_ERROR(heatFits(request));
    const MetricBasis basis = request.basis();
    HeatMap map{.metric = request.metric,
                .title = metricTitle(request.metric,
                                     basis,
                                     precisionAlong(scenario, std::array{request.x, request.y}))};
    map.x = heatAxis(scenario, request.x);
    map.y = heatAxis(scenario, request.y);
    const std::size_t columns = map.x.values.size();
    const std::size_t rows = map.y.values.size();
    map.cells.resize(columns * rows);
    std::size_t visited = 0;
    const SweepPlan plan{.base = scenario,
                         .axes = {request.y, request.x},
                         .lens = request.lens,
                         .pairs = basis.pairs,
                         .metrics = {request.metric},
                         .ties = request.ties,
                         .repairs = !request.ties.empty(), // as the window does
                         .on = request.on,
                         .scope = request.scope};
    const Result<SweepEnd> end = sweep(plan, [&](const SweepPoint& point) {
        const std::size_t row = visited / columns;
        const std::size_t column = visited % columns;
        HeatCell& cell = map.cells[(rows - 1 - row) * columns + column];
        cell = heatCell(request, point);
        cell.row = row;
        cell.column = column;
        ++visited;
    });
    if (!end) {
        return end.error();
    }
    chooseColours(map);
    sayWhatIsMissing(map);
    return map;
}

} // namespace flopsmith
