// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/component.h"
#include "core/io/table/table.h"

#include <string>
#include <vector>

namespace flopsmith {

/// A chart's numbers as people read them: titles and names as in the chart, one unit for the columns
/// of a quantity. Files have tables of their own, with all digits and keys that stay.
struct ChartTable
{
    Table table{};
    /// By row: the component whose colour the chart draws it in; null without one.
    std::vector<const Component*> marks{};

    void add(const Component* mark, std::vector<Cell> cells);
};

/// A column of names or words.
Column wordColumn(std::string key, std::string title);

/// A column of figures; `unit` without a prefix, if the title does not say it.
Column figureColumn(std::string key, std::string title, std::string unit = {});

/// How a value of the live design differs from that of another one, in per cent of the other's;
/// a dash if one of them is missing or the other is 0.
Cell changeCell(double live, double other);

/// The column of such differences: "against A".
Column changeColumn(const std::string& letter);

/// A dash where there is no figure, with the reason for tool tips.
Cell missingCell(std::string reason = {});

/// A name, indented by levels.
Cell nameCell(std::string name, int indent = 0);

} // namespace flopsmith
