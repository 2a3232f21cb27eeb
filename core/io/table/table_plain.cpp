// SPDX-License-Identifier: MIT
#include "core/base/printable.h"
#include "core/io/table/table_parts.h"
#include "core/io/table/table_text.h"

#include <algorithm>
#include <numeric>

// Tables for a terminal.
namespace flopsmith {
namespace {

// Columns of a terminal for sentences in the last column of a table.
constexpr std::size_t kWidestProse = 64;
constexpr std::size_t kMinProse = 12; ///< of a text column that is made narrower
constexpr std::size_t kWidestRemark = 100;
constexpr std::size_t kMinSentence = 32; ///< of the last column; else it goes below its row
constexpr std::size_t kLongestWord = 100; ///< a path, or an untrusted text
constexpr std::size_t kWidestCell = 200; ///< in columns whose texts stay on one line

std::string indented(const Cell& cell, std::string_view unit)
{
    return indentOf(cell, unit) + cell.shown;
}

std::string padded(const std::string& text, std::size_t width, Align align)
{
    const std::size_t used = displayWidth(text);
    const std::string space(width > used ? width - used : 0, ' ');
    return align == Align::left ? text + space : space + text;
}

// Each column's widest text, its title included.
std::vector<std::size_t> widths(const Table& table, std::string_view indentUnit)
{
    std::vector<std::size_t> wide;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        std::size_t width = displayWidth(table.columns[column].title);
        for (const auto& row : table.rows) {
            const bool remark = row.front().spans;
            width = remark ? width
                           : std::max(width, displayWidth(indented(row.at(column), indentUnit)));
        }
        wide.push_back(width);
    }
    return wide;
}

std::string withoutTrailingSpace(std::string line)
{
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

// The text with its long words elided.
std::string withShortWords(const std::string& text, std::size_t maxWidth)
{
    std::string shortened;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(' ', start), text.size());
        shortened += (start == 0 ? "" : " ") + elided(text.substr(start, end - start), maxWidth);
        start = end + 1;
    }
    return shortened;
}

// Elides very long words, which would widen all rows or exceed a terminal.
Table withShortWords(const Table& table, std::size_t columns)
{
    constexpr std::size_t kMin = 20;
    constexpr std::size_t kMargin = 4;
    const std::size_t word = columns == 0
        ? kLongestWord
        : std::clamp(columns - std::min(columns, kMargin), kMin, kLongestWord);
    Table shortened = table;
    for (std::vector<Cell>& row : shortened.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            row[i].shown = withShortWords(row[i].shown, word);
            if (i + 1 < row.size() && !row[i].spans) {
                row[i].shown = elided(row[i].shown, kWidestCell);
            }
        }
    }
    return shortened;
}

// Breaks a text at spaces into lines of at most `width` columns; longer words stay whole.
std::vector<std::string> wrapped(const std::string& text, std::size_t width)
{
    std::vector<std::string> lines(1);
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = std::min(text.find(' ', start), text.size());
        const std::string word = text.substr(start, end - start);
        std::string& line = lines.back();
        if (!line.empty() && displayWidth(line) + 1 + displayWidth(word) > width) {
            lines.push_back(word);
        } else {
            line += (start == 0 ? "" : " ") + word;
        }
        start = end + 1;
    }
    return lines;
}

std::string plainLine(const Table& table,
                      const std::vector<std::size_t>& wide,
                      const std::vector<std::string>& texts)
{
    std::string line;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        line += (i == 0 ? "" : "  ") + padded(texts[i], wide[i], table.columns[i].align);
    }
    return withoutTrailingSpace(line) + "\n";
}

// Words continue on the next line in columns that are too narrow for them.
std::string plainRow(const Table& table,
                     const std::vector<std::size_t>& wide,
                     const std::vector<std::string>& texts)
{
    std::vector<std::vector<std::string>> cells;
    std::size_t lines = 1;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const bool fits = displayWidth(texts[i]) <= wide[i];
        cells.push_back(fits ? std::vector{texts[i]} : wrapped(texts[i], wide[i]));
        lines = std::max(lines, cells.back().size());
    }
    std::string text;
    for (std::size_t line = 0; line < lines; ++line) {
        std::vector<std::string> row;
        for (const std::vector<std::string>& cell : cells) {
            row.push_back(line < cell.size() ? cell[line] : "");
        }
        text += plainLine(table, wide, row);
    }
    return text;
}

std::size_t across(const std::vector<std::size_t>& wide)
{
    return std::accumulate(wide.begin(), wide.end(), 2 * (wide.size() - 1));
}

std::size_t longestWord(const std::string& text)
{
    std::size_t longest = 0;
    for (const std::string& word : wrapped(text, 1)) {
        longest = std::max(longest, displayWidth(word));
    }
    return longest;
}

// The minimum width of a column: numbers and words stay whole.
std::size_t minWidth(const Table& table,
                     std::size_t column,
                     std::size_t wide,
                     std::string_view indentUnit)
{
    if (table.columns[column].align != Align::left) {
        return wide;
    }
    std::size_t width = std::max<std::size_t>(kMinProse, longestWord(table.columns[column].title));
    for (const auto& row : table.rows) {
        const Cell& cell = row.at(column);
        width = row.front().spans
            ? width
            : std::max(width, longestWord(cell.shown) + indentOf(cell, indentUnit).size());
    }
    return std::min(wide, width);
}

// Shrinks the widest text columns.
void narrow(const Table& table,
            std::vector<std::size_t>& wide,
            std::size_t maxWidth,
            std::string_view indentUnit)
{
    std::vector<std::size_t> minWidths;
    for (std::size_t column = 0; column < wide.size(); ++column) {
        minWidths.push_back(minWidth(table, column, wide[column], indentUnit));
    }
    while (across(wide) > maxWidth) {
        std::size_t widest = wide.size();
        for (std::size_t column = 0; column < wide.size(); ++column) {
            const bool may = wide[column] > minWidths[column];
            widest =
                may && (widest == wide.size() || wide[column] > wide[widest]) ? column : widest;
        }
        if (widest == wide.size()) {
            return;
        }
        --wide[widest];
    }
}

// As wide as the columns above, or as the terminal, but not so wide that lines are hard to read.
std::size_t remarkWidth(const std::vector<std::size_t>& wide, std::size_t columns)
{
    const std::size_t all = across(wide);
    return columns == 0 ? all : std::min(columns, std::max(all, kWidestRemark));
}

// A remark below all columns, indented on every line.
std::string remarkText(const Cell& cell, std::size_t width, std::string_view indentUnit)
{
    const std::string margin = indentOf(cell, indentUnit);
    std::string text;
    for (const std::string& line :
         wrapped(cell.shown, width > margin.size() ? width - margin.size() : 1)) {
        text += margin + line + "\n";
    }
    return text;
}

// The last column as remarks below their rows.
Table withSentencesBelow(const Table& table)
{
    Table below{.caption = table.caption,
                .columns = {table.columns.begin(), table.columns.end() - 1}};
    for (const std::vector<Cell>& row : table.rows) {
        below.rows.emplace_back(row.begin(), row.end() - 1);
        const Cell& sentence = row.back();
        if (!row.front().spans && !sentence.shown.empty()) {
            std::vector<Cell> remark(below.columns.size());
            remark.front() = sentence;
            remark.front().spans = true;
            remark.front().indent = row.front().indent + 1;
            below.rows.push_back(std::move(remark));
        }
    }
    return below;
}

std::vector<std::string> shownTexts(const std::vector<Cell>& row, std::string_view indentUnit)
{
    std::vector<std::string> all;
    for (const Cell& cell : row) {
        all.push_back(indented(cell, indentUnit));
    }
    return all;
}

} // namespace

std::size_t displayWidth(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; // not a continuation byte
    }));
}

std::string plainText(const Table& raw, std::size_t columns)
{
    constexpr std::string_view kIndent = "  ";
    const Table table = withShortWords(printable(raw), columns);
    if (table.columns.empty()) {
        return table.caption;
    }
    std::vector<std::size_t> wide = widths(table, kIndent);
    if (table.columns.back().align == Align::left && table.columns.size() > 1) {
        wide.back() = std::min(wide.back(), kWidestProse);
    }
    if (columns > 0) {
        const std::size_t usual = wide.back();
        narrow(table, wide, columns, kIndent);
        if (wide.size() > 2 && wide.back() < std::min(usual, kMinSentence)) {
            return plainText(withSentencesBelow(table), columns);
        }
    }
    std::vector<std::string> rules;
    for (const std::size_t width : wide) {
        rules.push_back(repeated("\xE2\x94\x80", static_cast<int>(width)));
    }
    std::string text = table.caption.empty() ? "" : table.caption + "\n\n";
    text += plainRow(table, wide, titles(table)) + plainLine(table, wide, rules);
    for (const auto& row : table.rows) {
        text += row.front().spans ? remarkText(row.front(), remarkWidth(wide, columns), kIndent)
                                  : plainRow(table, wide, shownTexts(row, kIndent));
    }
    return text;
}

} // namespace flopsmith
