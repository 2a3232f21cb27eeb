// SPDX-License-Identifier: MIT
#include "core/io/table/table.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/io/table/table_parts.h"

#include <cmath>

namespace flopsmith {

Cell Cell::text(std::string text)
{
    return {.value = text, .shown = std::move(text)};
}

Cell Cell::count(Count count)
{
    return {.value = count, .shown = siText(toDouble(count)), .quantity = Quantity::operations};
}

Cell Cell::parameters(Count count)
{
    return {
        .value = count, .shown = parametersText(toDouble(count)), .quantity = Quantity::parameters};
}

Cell Cell::bytes(Count bytes)
{
    return {.value = bytes, .shown = bytesText(toDouble(bytes)), .quantity = Quantity::bytes};
}

Cell Cell::number(double number)
{
    if (!std::isfinite(number)) {
        return {};
    }
    return {.value = number, .shown = numberText(number)};
}

Cell Cell::seconds(double seconds)
{
    Cell cell = number(seconds);
    cell.shown = durationText(seconds);
    cell.quantity = Quantity::seconds;
    return cell;
}

Cell Cell::share(double share)
{
    Cell cell = number(share);
    cell.shown = percentText(share);
    cell.quantity = Quantity::share;
    return cell;
}

Cell Cell::change(double share)
{
    Cell cell = number(share);
    cell.shown = signedPercentText(share);
    cell.quantity = Quantity::change;
    return cell;
}

Cell Cell::rate(double operationsPerSecond)
{
    Cell cell = number(operationsPerSecond);
    cell.shown = rateText(operationsPerSecond, "FLOP/s");
    cell.quantity = Quantity::rate;
    return cell;
}

Cell Cell::of(const FieldValue& value)
{
    Cell cell{.value = {}, .shown = valueText(value)};
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        cell.value = Count{*whole};
    } else if (const auto* real = std::get_if<double>(&value)) {
        cell.value = *real;
    } else if (const auto* flag = std::get_if<bool>(&value)) {
        cell.value = *flag;
    } else {
        cell.value = std::get<std::string>(value);
    }
    return cell;
}

std::string headText(const Column& column)
{
    return column.unit.empty() ? column.title : column.title + ", " + column.unit;
}

Table printable(const Table& table)
{
    Table clean = table;
    clean.caption = printableLines(table.caption);
    for (Column& column : clean.columns) {
        column.title = printable(column.title);
        column.unit = printable(column.unit);
    }
    for (std::vector<Cell>& row : clean.rows) {
        for (Cell& cell : row) {
            cell.shown = printable(cell.shown);
        }
    }
    return clean;
}

} // namespace flopsmith
