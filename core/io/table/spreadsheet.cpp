// SPDX-License-Identifier: MIT
#include "core/io/table/spreadsheet.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace flopsmith {
namespace {

// The last four are the full-width = + - @ of East Asian keyboards.
constexpr std::array<std::string_view, 11> kFormulaStarts{"=",
                                                          "+",
                                                          "-",
                                                          "@",
                                                          "\t",
                                                          "\r",
                                                          "\n",
                                                          "\xEF\xBC\x9D",
                                                          "\xEF\xBC\x8B",
                                                          "\xEF\xBC\x8D",
                                                          "\xEF\xBC\xA0"};

bool looksLikeFormula(std::string_view text)
{
    return std::any_of(kFormulaStarts.begin(),
                       kFormulaStarts.end(),
                       [text](std::string_view start) { return text.starts_with(start); });
}

} // namespace

Table withoutFormulas(Table table)
{
    for (std::vector<Cell>& row : table.rows) {
        for (Cell& cell : row) {
            auto* text = std::get_if<std::string>(&cell.value);
            if (text != nullptr && looksLikeFormula(*text)) {
                text->insert(text->begin(), '\'');
            }
        }
    }
    return table;
}

} // namespace flopsmith
