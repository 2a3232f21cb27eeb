// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/design_tables.h"

#include "core/base/text.h"
#include "core/count/by_component.h"
#include "core/io/reports/memory_report.h"

#include <algorithm>
#include <string>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::size_t kMaxStackRows = 16;

Cell allDigits(Count count)
{
    return {.value = count, .shown = groupedDigits(count)};
}

Cell shareCell(Count part, Count whole)
{
    return whole > 0 ? Cell::share(toDouble(part) / toDouble(whole)) : Cell{};
}

ComponentCost& costOf(const Component& component, std::vector<ComponentCost>& costs)
{
    const auto found = std::find_if(costs.begin(), costs.end(), [&](const ComponentCost& cost) {
        return isSame(*cost.component, component);
    });
    return found == costs.end() ? costs.emplace_back(ComponentCost{.component = &component})
                                : *found;
}

void addOperation(const CostReport& report,
                  const CostTree<Count>::Node& operation,
                  Count times,
                  std::vector<ComponentCost>& costs)
{
    ComponentCost& cost = costOf(*operation.component, costs);
    if (!lens(report.lens).isFormula()) {
        cost.flops += times * pricedNode<Count>(report.lens, operation);
        cost.uncounted = cost.uncounted || isBlindTo(report.lens, operation);
    }
    cost.parameters += times * operation.cost.parameters.trainable;
    cost.bytes += times * bytes(operation, report.scenario.workload.precision).total();
}

// Under a formula, parts of the model have no figure.
Cell flopsCell(const CostReport& report, const ComponentCost& cost)
{
    if (lens(report.lens).isFormula()) {
        return {};
    }
    return cost.uncounted ? Cell{.value = cost.flops, .shown = "uncounted"} : allDigits(cost.flops);
}

std::string blocksOf(const StackPicture& picture, const StackRow& row)
{
    if (row.pattern < 0) {
        return row.title;
    }
    return row.title + ", again "
        + picture.patterns.at(static_cast<std::size_t>(row.pattern)).timesText;
}

std::vector<Cell> stackRow(std::string blocks, const StackPart& part)
{
    const bool alone = blocks == part.title; // embedding, norm and head are not in blocks
    return {Cell::text(alone ? "" : std::move(blocks)),
            Cell::text(part.title),
            Cell::text(part.detail),
            Cell::text(part.bar.text)};
}

} // namespace

std::vector<ComponentCost> componentCosts(const CostReport& report)
{
    std::vector<ComponentCost> costs;
    if (report.tree.size() > 0) {
        report.tree.forEachOperation(
            0, [&](const CostTree<Count>::Node& operation, const Count& times) {
                addOperation(report, operation, times, costs);
            });
    }
    for (ComponentCost& cost : costs) {
        cost.uncounted = cost.uncounted && cost.flops == 0;
    }
    std::erase_if(costs, [](const ComponentCost& cost) {
        return cost.flops == 0 && cost.parameters == 0 && cost.bytes == 0;
    });
    return costs;
}

Table stackTable(const StackPicture& picture, LensId lensId)
{
    Table table{.columns = {{"blocks", "blocks", Align::left},
                            {"part", "part", Align::left},
                            {"sizes", "sizes", Align::left},
                            {"cost", std::string(lens(lensId).unit)}}};
    std::size_t shownRows = 0;
    for (const StackRow& row : picture.rows) {
        if (table.rows.size() + row.parts.size() > kMaxStackRows) {
            break;
        }
        ++shownRows;
        std::string blocks = blocksOf(picture, row);
        for (const StackPart& part : row.parts) {
            table.rows.push_back(stackRow(std::exchange(blocks, ""), part));
        }
    }
    if (shownRows < picture.rows.size()) {
        table.rows.push_back({Cell::text("and " + std::to_string(picture.rows.size() - shownRows)
                                         + " more rows of the stack"),
                              Cell{},
                              Cell{},
                              Cell{}});
    }
    return table;
}

Table componentTable(const CostReport& report)
{
    Table table{.columns = {{"component", "component", Align::left},
                            {"flops", std::string(lens(report.lens).unit)},
                            {"share", "share"},
                            {"params", "parameters"},
                            {"bytes", "bytes moved"}}};
    const bool hasParts = !lens(report.lens).isFormula();
    for (const ComponentCost& cost : componentCosts(report)) {
        table.rows.push_back({Cell::text(std::string(cost.component->title)),
                              flopsCell(report, cost),
                              hasParts && !cost.uncounted
                                  ? shareCell(cost.flops, report.total.figure.value())
                                  : Cell{},
                              allDigits(cost.parameters),
                              allDigits(cost.bytes)});
    }
    const Cost<Count> whole = report.tree.total();
    const std::optional<Count>& figure = report.total.figure;
    table.rows.push_back(
        {Cell::text("total"),
         figure ? allDigits(*figure) : Cell{},
         figure ? shareCell(*figure, *figure) : Cell{},
         allDigits(whole.parameters.trainable),
         allDigits(bytes(report.tree, 0, report.scenario.workload.precision).total())});
    return table;
}

Table memoryKindsTable(const Scenario& scenario, const Memory& memory)
{
    Table table = memoryTable(scenario, memory);
    table.caption.clear();
    std::erase_if(table.rows, [](const std::vector<Cell>& row) { return row.front().indent > 0; });
    table.columns.insert(table.columns.begin() + 2, {"digits", "in all digits"});
    for (std::vector<Cell>& row : table.rows) {
        const auto* count = std::get_if<Count>(&row[1].value);
        row.insert(row.begin() + 2, count != nullptr ? allDigits(*count) : Cell{});
    }
    return table;
}

} // namespace flopsmith
