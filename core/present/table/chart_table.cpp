// SPDX-License-Identifier: MIT
#include "core/present/table/chart_table.h"

#include <utility>

namespace flopsmith {
namespace {

constexpr const char* kMissing = "\xE2\x80\x93";

} // namespace

void ChartTable::add(const Component* mark, std::vector<Cell> cells)
{
    marks.push_back(mark);
    table.rows.push_back(std::move(cells));
}

Column wordColumn(std::string key, std::string title)
{
    return {.key = std::move(key), .title = std::move(title), .align = Align::left};
}

Column figureColumn(std::string key, std::string title, std::string unit)
{
    return {.key = std::move(key), .title = std::move(title), .unit = std::move(unit)};
}

Cell changeCell(double live, double other)
{
    return other > 0.0 && live >= 0.0 ? Cell::change(live / other - 1.0) : missingCell();
}

Column changeColumn(const std::string& letter)
{
    return {.key = "against_" + letter, .title = "against " + letter};
}

Cell missingCell(std::string reason)
{
    Cell cell{.shown = kMissing};
    if (!reason.empty()) {
        cell.value = std::move(reason);
    }
    return cell;
}

Cell nameCell(std::string name, int indent)
{
    Cell cell = Cell::text(std::move(name));
    cell.indent = indent;
    return cell;
}

} // namespace flopsmith
