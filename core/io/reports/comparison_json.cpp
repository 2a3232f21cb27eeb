// SPDX-License-Identifier: MIT
#include "core/io/project/version.h"
#include "core/io/reports/compared_cells.h"
#include "core/io/reports/comparison_report.h"
#include "core/io/reports/cost_report.h"
#include "core/json/json_text.h"
#include "core/json/spec_json.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// A comparison for scripts.

namespace flopsmith {
namespace {

Json cellJson(const Cell& cell)
{
    struct AsJson
    {
        Json operator()(std::monostate) const { return nullptr; }
        Json operator()(const std::string& text) const { return text; }
        Json operator()(Count count) const { return exactNumber(count); }
        Json operator()(double number) const { return number; }
        Json operator()(bool flag) const { return flag; }
    };
    return std::visit(AsJson{}, cell.value);
}

template <class Row>
void addComparedJson(Json& json, const Row& row, std::size_t designs)
{
    Json values = Json::array();
    Json deltas = Json::array();
    Json ratios = Json::array();
    for (std::size_t i = 0; i < designs; ++i) {
        values.push_back(cellJson(valueCell(row, i)));
        deltas.push_back(cellJson(deltaCell(row, i)));
        ratios.push_back(cellJson(quotientCell(row, i)));
    }
    json["values"] = std::move(values);
    json["deltas"] = std::move(deltas);
    json["ratios"] = std::move(ratios);
}

Json figureJson(const ComparedFigure& figure, std::size_t designs)
{
    Json json{{"key", figure.key}, {"title", figure.title}, {"unit", figure.unit}};
    addComparedJson(json, figure, designs);
    if (!figure.note.empty()) {
        json["note"] = figure.note;
    }
    return json;
}

Json parameterJson(const ComparedParameter& parameter, std::size_t designs)
{
    Json json{{"key", parameter.key}, {"label", parameter.label}, {"unit", parameter.unit}};
    json["texts"] = Json::array();
    for (const std::optional<ParameterReading>& reading : parameter.readings) {
        json["texts"].push_back(reading ? Json(reading->text) : Json(nullptr));
    }
    addComparedJson(json, parameter, designs);
    return json;
}

Json blockRangeJson(const BlockRange& range)
{
    return {{"first", range.first}, {"count", range.count}};
}

Json stackJson(const std::vector<AlignedBlocks>& rows)
{
    Json json = Json::array();
    for (const AlignedBlocks& row : rows) {
        Json differences = Json::array();
        for (const BlockDifference& difference : row.differences) {
            differences.push_back({{"key", difference.key},
                                   {"label", difference.label},
                                   {"a", cellJson(Cell::of(difference.a.value))},
                                   {"b", cellJson(Cell::of(difference.b.value))}});
        }
        json.push_back({{"kind", kindName(row.kind)},
                        {"a", blockRangeJson(row.a)},
                        {"b", blockRangeJson(row.b)},
                        {"differences", std::move(differences)}});
    }
    return json;
}

} // namespace

Json comparisonJson(const Comparison& comparison)
{
    const std::size_t designs = comparison.designs.size();
    Json json;
    json["version"] = std::string(programVersion());
    json["lens"] = std::string(lens(comparison.lens).name);
    json["pairs"] = std::string(pairsName(comparison.pairs));
    for (const char* list : {"designs", "figures", "parameters", "stacks"}) {
        json[list] = Json::array();
    }
    for (const ComparedDesign& design : comparison.designs) {
        json["designs"].push_back({{"name", design.name},
                                   {"model", design.scenario.model.name},
                                   {"workload", toJson(design.scenario.workload)}});
    }
    for (const ComparedFigure& figure : comparison.figures) {
        json["figures"].push_back(figureJson(figure, designs));
    }
    for (const ComparedParameter& parameter : comparison.parameters) {
        json["parameters"].push_back(parameterJson(parameter, designs));
    }
    for (const std::vector<AlignedBlocks>& rows : comparison.stacks) {
        json["stacks"].push_back(stackJson(rows));
    }
    return json;
}

} // namespace flopsmith
