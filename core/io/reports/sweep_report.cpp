// SPDX-License-Identifier: MIT
#include "core/io/reports/sweep_report.h"

#include "core/base/text.h"
#include "core/io/reports/cost_report.h"
#include "core/study/compare/comparison.h"
#include "core/study/search/fit.h"
#include "core/study/variation/field_number.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

namespace flopsmith {
namespace {

// A point that could not be measured still has its counted values.
bool hasValues(const SweepPoint& point)
{
    return !point.values.empty();
}

// Removes the column of problems if it is empty in every row.
void dropEmptyProblems(Table& table)
{
    for (const auto& row : table.rows) {
        if (!row.back().shown.empty()) {
            return;
        }
    }
    table.columns.pop_back();
    for (auto& row : table.rows) {
        row.pop_back();
    }
}

void markFront(Table& table,
               std::span<const SweepPoint> points,
               std::span<const Objective> objectives)
{
    std::vector<std::vector<double>> quantities;
    std::vector<Better> directions;
    for (const Objective& objective : objectives) {
        directions.push_back(objective.better);
    }
    for (const SweepPoint& point : points) {
        std::vector<double> values;
        for (const Objective& objective : objectives) {
            values.push_back(hasValues(point) ? toDouble(point.values[objective.column])
                                              : std::numeric_limits<double>::quiet_NaN());
        }
        quantities.push_back(values);
    }
    table.columns.insert(table.columns.end() - 1, {"pareto", "front", Align::left});
    for (auto& row : table.rows) {
        row.insert(row.end() - 1, Cell{.value = false, .shown = ""});
    }
    for (const std::size_t index : paretoFront(quantities, directions)) {
        *(table.rows[index].end() - 2) = Cell{.value = true, .shown = "\xE2\x97\x8F"};
    }
}

std::string fitSentence(const std::string& key, std::string_view name, const Result<PowerLaw>& law)
{
    if (!law) {
        return std::string(name) + " has no slope: " + law.error().message;
    }
    std::array<char, 64> figures{};
    std::snprintf(figures.data(),
                  figures.size(),
                  "^%.4f \xC2\xB1 %.4f",
                  law->exponent,
                  law->exponentError.value_or(0));
    return std::string(name) + " grows as " + key + figures.data() + " ("
        + std::to_string(law->points) + " points)";
}

} // namespace

std::string metricText(MetricId id, double value)
{
    const std::string_view unit = metric(id).unit;
    if (id == MetricId::memoryShare || id == MetricId::mfuAtLowerBound) {
        return percentText(value);
    }
    if (countsParameters(id)) {
        return parametersText(value);
    }
    if (unit == "J") {
        const ShortNumber figure = shortNumber(value);
        return figure.figure + " " + figure.prefix + "J";
    }
    return unit == "B" ? bytesText(value) : unit == "s" ? durationText(value) : siText(value);
}

Cell metricCell(MetricId id, const MetricValue& value)
{
    const auto* count = std::get_if<Count>(&value);
    const double number = toDouble(value);
    Cell cell = count != nullptr ? Cell::count(*count) : Cell::number(number);
    cell.shown = metricText(id, number);
    return cell;
}

std::vector<Column> sweepColumns(const SweepPlan& plan)
{
    std::vector<Column> columns;
    for (const Axis& axis : plan.axes) {
        columns.push_back({axis.key, axis.key});
    }
    for (const MetricId id : plan.metrics) {
        const Metric& shown = metric(id);
        columns.push_back({std::string(shown.name), std::string(shown.title)});
    }
    if (plan.isMeasured()) {
        columns.push_back({"device", "device", Align::left});
    }
    columns.push_back({"problem", "problem", Align::left});
    return columns;
}

std::vector<Cell> sweepRow(const SweepPlan& plan, const SweepPoint& point)
{
    std::vector<Cell> row;
    for (const FieldValue& value : point.at) {
        row.push_back(Cell::of(value));
    }
    for (std::size_t i = 0; i < point.values.size(); ++i) {
        row.push_back(metricCell(plan.metrics[i], point.values[i]));
    }
    row.resize(plan.axes.size() + plan.metrics.size()); // an impossible point has no values
    if (plan.isMeasured()) {
        row.push_back(point.device.empty() ? Cell{} : Cell::text(point.device));
    }
    row.push_back(point.possible() ? Cell{} : Cell::text(point.problem));
    return row;
}

Table sweepTable(const SweepPlan& plan,
                 std::span<const SweepPoint> points,
                 std::span<const Objective> objectives)
{
    Table table{.caption = provenance(plan.base, plan.lens, plan.pairs),
                .columns = sweepColumns(plan)};
    const bool isOfBits = std::any_of(plan.metrics.begin(), plan.metrics.end(), followsPrecision);
    if (const auto precision = precisionAlong(plan.base, plan.axes); isOfBits && precision) {
        table.caption += "; " + inPrecision(*precision);
    }
    if (plan.on) {
        table.caption += "; on " + plan.on->hardware.name;
    }
    for (const SweepPoint& point : points) {
        table.rows.push_back(sweepRow(plan, point));
    }
    if (!objectives.empty()) {
        markFront(table, points, objectives);
    }
    dropEmptyProblems(table);
    return table;
}

std::vector<std::string> fitSentences(const SweepPlan& plan, std::span<const SweepPoint> points)
{
    std::vector<std::string> sentences;
    for (std::size_t column = 0; column < plan.metrics.size(); ++column) {
        std::vector<double> x;
        std::vector<double> y;
        for (const SweepPoint& point : points) {
            const auto at = numberOf(point.at.front());
            if (hasValues(point) && at) {
                x.push_back(*at);
                y.push_back(toDouble(point.values[column]));
            }
        }
        sentences.push_back(fitSentence(
            plan.axes.front().key, metric(plan.metrics[column]).name, fitPowerLaw(x, y)));
    }
    return sentences;
}

} // namespace flopsmith
