// SPDX-License-Identifier: MIT
#include "core/present/table/study_tables.h"

#include "core/base/text.h"
#include "core/io/table/common_units.h"
#include "core/present/base/design_marks.h"
#include "core/present/study/chart_texts.h"

#include <algorithm>
#include <string>

namespace flopsmith {
namespace {

// A value of a metric as its axis shows it.
Cell metricCell(MetricId id, const MetricValue& value)
{
    const auto* count = std::get_if<Count>(&value);
    Cell cell = count != nullptr ? Cell::count(*count) : Cell::number(std::get<double>(value));
    cell.shown = shortMetricText(id, toDouble(value));
    const TickUnit unit = tickUnit(id);
    cell.quantity = unit == TickUnit::bytes              ? Quantity::bytes
        : unit == TickUnit::parameters                   ? Quantity::parameters
        : metric(id).unit == "s"                         ? Quantity::seconds
        : count != nullptr || metric(id).unit == "FLOPs" ? Quantity::operations
                                                         : Quantity::none;
    return cell;
}

Cell measuredCell(MetricId id, double value)
{
    return id == MetricId::time ? Cell::seconds(value) : Cell::rate(value);
}

// Every x of a curve, computed or measured, ascending.
std::vector<double> placesOf(const ScalingChart& chart)
{
    std::vector<double> places;
    for (const ScalingCurve& curve : chart.curves) {
        for (const ScalingPoint& point : curve.points) {
            places.push_back(point.x);
        }
    }
    if (chart.measured) {
        for (const MeasuredScalingCurve& curve : chart.measured->curves) {
            for (const MeasuredScalingPoint& point : curve.points) {
                places.push_back(point.x);
            }
        }
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

template <class Point>
const Point* pointAt(const std::vector<Point>& points, double x)
{
    const auto found = std::find_if(
        points.begin(), points.end(), [x](const Point& point) { return point.x == x; });
    return found == points.end() ? nullptr : &*found;
}

bool isMeasured(const ScalingChart& chart, std::size_t curve)
{
    return chart.measured && curve < chart.measured->curves.size()
        && !chart.measured->curves[curve].points.empty();
}

// "FLOPs" or "MACs", with which the title of the axis begins; empty for another metric.
std::string operationsUnit(const ScalingChart& chart)
{
    return metric(chart.metric).unit == "FLOPs"
        ? chart.yTitle.substr(0, chart.yTitle.find_first_of(", "))
        : std::string();
}

// "sequence S" and "tokens" of "sequence S (tokens)".
Column axisColumn(const ScalingChart& chart)
{
    const std::string& title = chart.xTitle;
    const std::size_t open = title.rfind(" (");
    const bool hasUnit = open != std::string::npos && title.ends_with(')');
    return {.key = chart.key,
            .title = title.substr(0, hasUnit ? open : title.size()),
            .unit = hasUnit ? title.substr(open + 2, title.size() - open - 3) : std::string()};
}

// Of variants of one design, which every chart has, there are no differences.
bool isComparedDesign(const ScalingCurve& curve)
{
    return curve.component != nullptr
        && curve.component->id == designMark(curve.component->title.front()).id;
}

void addScalingColumns(Table& table, const ScalingChart& chart)
{
    table.columns = {axisColumn(chart)};
    for (std::size_t i = 0; i < chart.curves.size(); ++i) {
        const std::string& title = chart.curves[i].brief;
        table.columns.push_back(
            figureColumn("curve_" + std::to_string(i), title, operationsUnit(chart)));
        if (isComparedDesign(chart.curves[i])) {
            table.columns.push_back(changeColumn(title));
        }
        if (isMeasured(chart, i)) {
            table.columns.push_back(
                figureColumn("measured_" + std::to_string(i), title + " measured"));
        }
    }
}

void addScalingCells(std::vector<Cell>& row, const ScalingChart& chart, std::size_t curve, double x)
{
    const ScalingPoint* point = pointAt(chart.curves[curve].points, x);
    const ScalingPoint* first = pointAt(chart.curves.front().points, x);
    row.push_back(point != nullptr ? metricCell(chart.metric, point->y) : missingCell());
    if (isComparedDesign(chart.curves[curve])) {
        row.push_back(point != nullptr && first != nullptr ? changeCell(first->y, point->y)
                                                           : missingCell());
    }
    if (isMeasured(chart, curve)) {
        const auto* measured = pointAt(chart.measured->curves[curve].points, x);
        row.push_back(measured != nullptr ? measuredCell(chart.measured->metric, measured->value)
                                          : missingCell());
    }
}

Cell mapCell(const HeatMap& map, const HeatCell& cell)
{
    return cell.value ? metricCell(map.metric, *cell.value) : missingCell(cell.problem);
}

// Winners along x, then the others in the order of the axes.
std::vector<const ParetoPoint*> rankedPoints(const ParetoChart& chart)
{
    std::vector<const ParetoPoint*> points;
    for (const std::size_t winner : chart.front) {
        points.push_back(&chart.points.at(winner));
    }
    for (const ParetoPoint& point : chart.points) {
        if (!point.onFront) {
            points.push_back(&point);
        }
    }
    return points;
}

} // namespace

ChartTable scalingTable(const ScalingChart& chart)
{
    ChartTable made;
    addScalingColumns(made.table, chart);
    for (const double x : placesOf(chart)) {
        std::vector<Cell> row{Cell::number(x)};
        for (std::size_t i = 0; i < chart.curves.size(); ++i) {
            addScalingCells(row, chart, i, x);
        }
        made.add(nullptr, std::move(row));
    }
    made.table = inCommonUnits(std::move(made.table), UnitOf::median);
    return made;
}

ChartTable heatTable(const HeatMap& map)
{
    ChartTable made;
    made.table.columns = {{.key = map.y.key, .title = map.y.label + " \\ " + map.x.label}};
    for (const std::string& text : map.x.texts) {
        made.table.columns.push_back(figureColumn(map.x.key + "_" + text, text));
    }
    for (const HeatCell& cell : map.cells) { // in reading order
        if (made.table.rows.empty() || cell.column == 0) {
            made.add(nullptr, {Cell::of(map.y.values.at(cell.row))});
        }
        made.table.rows.back().push_back(mapCell(map, cell));
    }
    made.table = inCommonUnits(std::move(made.table), UnitOf::median);
    return made;
}

ChartTable paretoTable(const ParetoChart& chart)
{
    ChartTable made;
    for (const std::string& key : chart.keys) {
        made.table.columns.push_back({.key = key, .title = key});
    }
    for (std::size_t i = 0; i < chart.goals.size(); ++i) {
        made.table.columns.push_back(figureColumn(std::string(metric(chart.goals[i].metric).name),
                                                  i == 0 ? chart.x.metric : chart.y.metric));
    }
    made.table.columns.push_back(wordColumn("pareto", "beaten by"));
    for (const ParetoPoint* point : rankedPoints(chart)) {
        std::vector<Cell> row;
        for (const FieldValue& value : point->at) {
            row.push_back(Cell::of(value));
        }
        for (std::size_t i = 0; i < chart.goals.size(); ++i) {
            row.push_back(metricCell(chart.goals[i].metric, point->exact[i]));
        }
        row.push_back(Cell::text(point->onFront ? "none" : "another"));
        made.add(nullptr, std::move(row));
    }
    made.table = inCommonUnits(std::move(made.table), UnitOf::median);
    return made;
}

} // namespace flopsmith
