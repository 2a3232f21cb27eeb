// SPDX-License-Identifier: MIT
#include "core/io/table/common_units.h"

#include "core/base/text.h"
#include "core/io/table/table_parts.h"
#include "core/io/table/table_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>

namespace flopsmith {
namespace {

constexpr std::string_view kAbout = "\xE2\x89\x88 ";
constexpr int kMaxDecimals = 3; ///< of a figure that is much smaller than the largest one

struct Unit
{
    std::string_view name;
    int exponent = 0;
};

constexpr std::array<Unit, 7> kPrefixes{
    {{"", 0}, {"k", 3}, {"M", 6}, {"G", 9}, {"T", 12}, {"P", 15}, {"E", 18}}};
constexpr std::array<Unit, 4> kSeconds{{{"ns", -9}, {"\xC2\xB5s", -6}, {"ms", -3}, {"s", 0}}};

double numberIn(const Cell& cell)
{
    const auto* count = std::get_if<Count>(&cell.value);
    const auto* real = std::get_if<double>(&cell.value);
    return count != nullptr ? toDouble(*count) : real != nullptr ? *real : 0.0;
}

bool holdsNumber(const Cell& cell)
{
    return std::holds_alternative<Count>(cell.value) || std::holds_alternative<double>(cell.value);
}

// The text that a cell of this quantity has if nobody gives it another.
std::string usualText(Quantity quantity, double value)
{
    switch (quantity) {
    case Quantity::operations: return siText(value);
    case Quantity::parameters: return parametersText(value);
    case Quantity::bytes: return bytesText(value);
    case Quantity::seconds: return durationText(value);
    case Quantity::share: return percentText(value);
    case Quantity::change: return signedPercentText(value);
    case Quantity::rate: return rateText(value, "FLOP/s");
    case Quantity::none: break;
    }
    return {};
}

// "38.9" of "38.9 G", "< 0.01" of "< 0.01 %": what stands before the unit.
std::string_view figureOf(std::string_view text)
{
    const std::size_t end = text.find_last_of("0123456789");
    return end == std::string_view::npos ? text : text.substr(0, end + 1);
}

int decimalsOf(std::string_view figure)
{
    const std::size_t point = figure.find('.');
    return point == std::string_view::npos ? 0 : static_cast<int>(figure.size() - point) - 1;
}

// The power of ten that the text of a value has: 9 of "38.9 G", -3 of "614 ms".
int exponentOf(Quantity quantity, std::string_view text)
{
    const std::string_view figure = figureOf(text);
    std::string_view unit = text.substr(figure.size());
    while (unit.starts_with(' ')) {
        unit.remove_prefix(1);
    }
    if (quantity == Quantity::share || quantity == Quantity::change) {
        return -2;
    }
    if (quantity == Quantity::seconds) {
        const auto* found = std::find_if(kSeconds.begin(),
                                         kSeconds.end(),
                                         [unit](const Unit& each) { return each.name == unit; });
        return found == kSeconds.end() ? 0 : found->exponent;
    }
    const std::string_view prefix =
        unit.starts_with("B") && quantity == Quantity::parameters ? "G" : unit.substr(0, 1);
    const auto* found = std::find_if(kPrefixes.begin() + 1, kPrefixes.end(), [&](const Unit& each) {
        return each.name == prefix;
    });
    return found == kPrefixes.end() ? 0 : found->exponent;
}

std::string unitName(Quantity quantity, int exponent, const std::string& base)
{
    if (quantity == Quantity::share || quantity == Quantity::change) {
        return "%";
    }
    if (quantity == Quantity::seconds) {
        const auto* unit = std::find_if(kSeconds.begin(), kSeconds.end(), [=](const Unit& each) {
            return each.exponent == exponent;
        });
        return std::string(unit->name);
    }
    const std::string prefix(kPrefixes.at(static_cast<std::size_t>(exponent / 3)).name);
    switch (quantity) {
    case Quantity::bytes: return prefix + "B";
    case Quantity::rate: return prefix + "FLOP/s";
    case Quantity::parameters: return prefix == "G" && base.empty() ? "B" : prefix + base;
    default: return prefix + base;
    }
}

// "35 291": digits in groups where they are too many to be counted.
std::string grouped(const std::string& figure)
{
    constexpr std::size_t kMaxInOne = 4;
    const std::size_t point = std::min(figure.find('.'), figure.size());
    std::int64_t whole = 0;
    std::from_chars(figure.data(), figure.data() + point, whole);
    return point - (figure.starts_with('-') ? 1 : 0) <= kMaxInOne
        ? figure
        : groupedDigits(Count{whole}) + figure.substr(point);
}

std::string withoutTrailingZeros(std::string figure)
{
    if (decimalsOf(figure) > 0) {
        figure.erase(figure.find_last_not_of('0') + 1);
        figure.erase(figure.find_last_not_of('.') + 1);
    }
    return figure;
}

// With the digits of its usual text, in another unit: "0.276" of "276 M" in G.
std::string shownIn(int exponent, const Cell& cell)
{
    const double value = numberIn(cell);
    const std::string usual = usualText(cell.quantity, value);
    const std::string_view figure = figureOf(usual);
    const int steps = exponent - exponentOf(cell.quantity, usual);
    if (steps == 0 || value == 0.0) {
        return std::string(figure);
    }
    const int decimals = std::clamp(decimalsOf(figure) + steps, 0, kMaxDecimals);
    const std::string shown = fixedText(value / std::pow(10.0, exponent), decimals);
    if (shown.find_first_of("123456789") == std::string::npos) {
        return "< 0.001";
    }
    return grouped(decimalsOf(figure) == 0 ? withoutTrailingZeros(shown) : shown); // 5 k: "0.005"
}

std::string withMinus(const std::string& figure)
{
    return figure.starts_with('-') ? "\xE2\x88\x92" + figure.substr(1) : figure;
}

// Whether the text is that of the value, at most with an "≈" before it.
bool hasUsualText(const Cell& cell)
{
    std::string_view shown = cell.shown;
    if (shown.starts_with(kAbout)) {
        shown.remove_prefix(kAbout.size());
    }
    return shown == usualText(cell.quantity, numberIn(cell));
}

// The quantity of all numbers of a column; none if there are several.
Quantity quantityOf(const Table& table, std::size_t column)
{
    std::optional<Quantity> only;
    for (const std::vector<Cell>& row : table.rows) {
        const Cell& cell = row[column];
        if (!holdsNumber(cell)) {
            continue;
        }
        if (only && *only != cell.quantity) {
            return Quantity::none;
        }
        only = cell.quantity;
    }
    return only.value_or(Quantity::none);
}

// What is too large for prefixes is shown as a power of ten, which has no unit.
constexpr double kBeyondUnits = 9.995e20;

// The values of each quantity, in columns of that quantity alone.
std::map<Quantity, std::vector<double>> valuesOf(const Table& table)
{
    std::map<Quantity, std::vector<double>> values;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const Quantity quantity = quantityOf(table, column);
        for (const std::vector<Cell>& row : table.rows) {
            if (quantity != Quantity::none && holdsNumber(row[column])
                && hasUsualText(row[column])) {
                values[quantity].push_back(std::abs(numberIn(row[column])));
            }
        }
    }
    return values;
}

// The value whose unit all of them have.
double leading(std::vector<double> values, UnitOf unit)
{
    std::sort(values.begin(), values.end());
    const double largest = values.back();
    const auto first = std::upper_bound(values.begin(), values.end(), 0.0);
    if (unit == UnitOf::largest || first == values.end()) {
        return largest;
    }
    constexpr double kMostInUnit = 1e5; // digits that a figure may have before its point
    const double median = *(first + (values.end() - first) / 2);
    return std::max(median, largest / kMostInUnit);
}

void setUnit(Table& table, std::size_t column, Quantity quantity, int exponent)
{
    Column& head = table.columns[column];
    head.unit = unitName(quantity, exponent, head.unit);
    head.unitExponent = exponent;
    for (std::vector<Cell>& row : table.rows) {
        Cell& cell = row[column];
        if (holdsNumber(cell) && hasUsualText(cell)) {
            const bool isRough = cell.shown.starts_with(kAbout);
            cell.shown = (isRough ? std::string(kAbout) : "") + withMinus(shownIn(exponent, cell));
        }
    }
}

// Digits and power of ten of a number's shortest text.
struct Decimal
{
    bool negative = false;
    std::string digits;
    int exponent = 0; ///< of the last digit
};

Decimal decimalOf(std::string text)
{
    Decimal decimal;
    if (text.starts_with('-')) {
        decimal.negative = true;
        text.erase(0, 1);
    }
    if (const std::size_t e = text.find('e'); e != std::string::npos) {
        decimal.exponent = std::atoi(text.c_str() + e + 1);
        text.erase(e);
    }
    if (const std::size_t point = text.find('.'); point != std::string::npos) {
        decimal.exponent -= static_cast<int>(text.size() - point) - 1;
        text.erase(point, 1);
    }
    text.erase(0, std::min(text.find_first_not_of('0'), text.size()));
    decimal.digits = text;
    return decimal;
}

std::string decimalText(Decimal decimal)
{
    if (decimal.digits.empty()) {
        return "0";
    }
    std::string text = decimal.digits;
    if (decimal.exponent >= 0) {
        text += std::string(static_cast<std::size_t>(decimal.exponent), '0');
    } else {
        const auto behind = static_cast<std::size_t>(-decimal.exponent);
        if (text.size() <= behind) {
            text.insert(0, behind - text.size() + 1, '0');
        }
        text.insert(text.size() - behind, ".");
        text.erase(text.find_last_not_of('0') + 1);
        if (text.ends_with('.')) {
            text.pop_back();
        }
    }
    return (decimal.negative ? "-" : "") + text;
}

std::string withoutBreaks(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return text;
}

} // namespace

Table inCommonUnits(Table table, UnitOf unit)
{
    const std::map<Quantity, std::vector<double>> values = valuesOf(table);
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const auto found = values.find(quantityOf(table, column));
        if (found == values.end()
            || *std::max_element(found->second.begin(), found->second.end()) >= kBeyondUnits) {
            continue;
        }
        const std::string text = usualText(found->first, leading(found->second, unit));
        setUnit(table, column, found->first, exponentOf(found->first, text));
    }
    return table;
}

std::string plainFigure(const Cell& cell, const Column& column)
{
    if (!holdsNumber(cell)) {
        return cell.shown;
    }
    Decimal decimal = decimalOf(exactText(cell));
    decimal.exponent -= column.unitExponent;
    return decimalText(std::move(decimal));
}

std::string tabSeparatedText(const Table& raw)
{
    const Table table = printable(raw);
    std::string text;
    const auto end = [&text](std::size_t i, std::size_t all) { text += i + 1 < all ? '\t' : '\n'; };
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        text += withoutBreaks(headText(table.columns[i]));
        end(i, table.columns.size());
    }
    for (const std::vector<Cell>& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += withoutBreaks(plainFigure(row[i], table.columns.at(i)));
            end(i, row.size());
        }
    }
    return text;
}

std::string fractionOf(const std::string& figure)
{
    const std::size_t point = figure.find('.');
    const bool isFigure = !figure.empty() && std::isdigit(static_cast<unsigned char>(figure.back()))
        && figure.find_first_of("0123456789") != std::string::npos;
    return isFigure && point != std::string::npos ? figure.substr(point) : std::string();
}

} // namespace flopsmith
