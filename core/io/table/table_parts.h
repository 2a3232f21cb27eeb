// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/table/table.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

inline std::string repeated(std::string_view text, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i) {
        all += text;
    }
    return all;
}

/// The indentation of a cell of a tree.
inline std::string indentOf(const Cell& cell, std::string_view unit)
{
    return repeated(unit, cell.indent);
}

/// The table as people see it, with printable text: names of models and devices are untrusted.
Table printable(const Table& table);

inline std::vector<std::string> titles(const Table& table)
{
    std::vector<std::string> all;
    for (const Column& column : table.columns) {
        all.push_back(headText(column));
    }
    return all;
}

} // namespace flopsmith
