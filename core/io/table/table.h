// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/base/legal_values.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace flopsmith {

enum class Align { left, right };

/// What a number counts: numbers of one quantity can share a unit.
enum class Quantity {
    none, ///< nothing that has one
    operations,
    parameters,
    bytes,
    seconds,
    share, ///< of a whole
    change, ///< from another number, as a share of that
    rate, ///< operations per second
};

/// A value of a table in two forms: exact for machines, short for people.
struct Cell
{
    /// Nothing, a text, a count, a number or a flag: the value in CSV and JSON.
    using Value = std::variant<std::monostate, std::string, Count, double, bool>;

    Value value{};
    std::string shown{}; ///< "218.7 G": the text in terminal, Markdown and LaTeX
    int indent = 0; ///< levels of a tree, for people
    bool spans = false; ///< a remark, alone in its row: on a terminal it spans all columns
    Quantity quantity = Quantity::none; ///< of the value

    bool operator==(const Cell&) const = default;

    static Cell text(std::string text);
    /// "291.6 G"
    static Cell count(Count count);
    static Cell parameters(Count count); ///< in millions and billions
    /// "498 MB"
    static Cell bytes(Count bytes);
    /// Shown as the shortest text that reads back the same; empty if it is not finite.
    static Cell number(double number);
    /// "1.43 ms"
    static Cell seconds(double seconds);
    /// "37.0 %"
    static Cell share(double share);
    /// "â21.3 %": how much more (or less, if negative) than a baseline.
    static Cell change(double share);
    /// "61.3 GFLOP/s"
    static Cell rate(double operationsPerSecond);
    static Cell of(const FieldValue& value);
};

struct Column
{
    std::string key; ///< in CSV and JSON: "params"
    std::string title; ///< for people: "parameters"
    Align align = Align::right;
    std::string unit{}; ///< of the figures as shown, "GB"; empty: cells have their own, or none
    int unitExponent = 0; ///< the unit in powers of ten of the values': 9 of "GB"

    bool operator==(const Column&) const = default;
};

/// A column's title with its unit: "weights, GB".
std::string headText(const Column& column);

/// Rows of values that any writer below can print. Every row has a cell per column.
struct Table
{
    std::string caption{};
    std::vector<Column> columns{};
    std::vector<std::vector<Cell>> rows{};

    bool operator==(const Table&) const = default;
};

} // namespace flopsmith
