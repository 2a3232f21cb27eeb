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

/// A value of a table in two forms: exact for machines, short for people.
struct Cell
{
    /// Nothing, a text, a count, a number or a flag: the value in CSV and JSON.
    using Value = std::variant<std::monostate, std::string, Count, double, bool>;

    Value value{};
    std::string shown{}; ///< "218.7 G": the text in terminal, Markdown and LaTeX
    int indent = 0; ///< levels of a tree, for people
    bool spans = false; ///< a remark, alone in its row: on a terminal it spans all columns

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
    static Cell of(const FieldValue& value);
};

struct Column
{
    std::string key; ///< in CSV and JSON: "params"
    std::string title; ///< for people: "parameters"
    Align align = Align::right;

    bool operator==(const Column&) const = default;
};

/// Rows of values that any writer below can print. Every row has a cell per column.
struct Table
{
    std::string caption{};
    std::vector<Column> columns{};
    std::vector<std::vector<Cell>> rows{};

    bool operator==(const Table&) const = default;
};

} // namespace flopsmith
