// SPDX-License-Identifier: MIT
#include "core/io/table_text.h"

#include "core/base/text.h"
#include "core/model/spec_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

using Json = nlohmann::ordered_json;

// Columns of a terminal for sentences in the last column of a table.
constexpr std::size_t kWidestProse = 64;

struct ExactText
{
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(Count count) const { return digits(count); }
    std::string operator()(double number) const { return numberText(number); }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
};

struct ExactJson
{
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(const std::string& text) const { return text; }
    Json operator()(Count count) const { return exactNumber(count); }
    Json operator()(double number) const { return number; }
    Json operator()(bool flag) const { return flag; }
};

std::string quotedIfNeeded(const std::string& field)
{
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
        return field;
    }
    std::string quoted = "\"";
    for (const char c : field) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

std::string csvLine(const std::vector<std::string>& fields)
{
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        line += (i == 0 ? "" : ",") + quotedIfNeeded(fields[i]);
    }
    return line + "\r\n";
}

std::string repeated(std::string_view text, std::size_t times)
{
    std::string all;
    for (std::size_t i = 0; i < times; ++i) {
        all += text;
    }
    return all;
}

std::string indented(const Cell& cell, std::string_view unit)
{
    return repeated(unit, static_cast<std::size_t>(std::max(cell.indent, 0))) + cell.shown;
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
        std::size_t most = displayWidth(table.columns[column].title);
        for (const auto& row : table.rows) {
            const bool remark = row.front().spans;
            most =
                remark ? most : std::max(most, displayWidth(indented(row.at(column), indentUnit)));
        }
        wide.push_back(most);
    }
    return wide;
}

std::string withoutTrailingSpace(std::string line)
{
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
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

// Words in the last column may go on below.
std::string plainRow(const Table& table,
                     const std::vector<std::size_t>& wide,
                     std::vector<std::string> texts)
{
    const std::vector<std::string> lines = wrapped(texts.back(), wide.back());
    std::string text;
    for (const std::string& line : lines) {
        texts.back() = line;
        text += plainLine(table, wide, texts);
        texts.assign(texts.size(), "");
    }
    return text;
}

// A remark below all columns, indented on every line.
std::string remarkText(const Cell& cell,
                       const std::vector<std::size_t>& wide,
                       std::string_view indentUnit)
{
    std::size_t across = 2 * (wide.size() - 1);
    for (const std::size_t width : wide) {
        across += width;
    }
    const std::string margin =
        repeated(indentUnit, static_cast<std::size_t>(std::max(cell.indent, 0)));
    std::string text;
    for (const std::string& line :
         wrapped(cell.shown, across > margin.size() ? across - margin.size() : 1)) {
        text += margin + line + "\n";
    }
    return text;
}

std::vector<std::string> titles(const Table& table)
{
    std::vector<std::string> all;
    for (const Column& column : table.columns) {
        all.push_back(column.title);
    }
    return all;
}

std::vector<std::string> shownTexts(const std::vector<Cell>& row, std::string_view indentUnit)
{
    std::vector<std::string> all;
    for (const Cell& cell : row) {
        all.push_back(indented(cell, indentUnit));
    }
    return all;
}

std::string markdownEscaped(const std::string& text)
{
    std::string escaped;
    for (const char c : text) {
        switch (c) {
        case '|':
        case '\\':
        case '*':
        case '_':
        case '<':
        case '[': escaped += std::string("\\") + c; break;
        case '\n': escaped += ' '; break;
        default: escaped += c;
        }
    }
    return escaped;
}

std::string markdownRow(const std::vector<std::string>& texts)
{
    std::string line = "|";
    for (const std::string& text : texts) {
        line += " " + text + " |";
    }
    return line + "\n";
}

struct LatexSpelling
{
    std::string_view text;
    std::string_view latex;
};

// Signs that LaTeX reads as commands, and those beyond ASCII that this program writes.
constexpr std::array<LatexSpelling, 23> kLatexSpellings{{
    {"\\", "\\textbackslash{}"},
    {"&", "\\&"},
    {"%", "\\%"},
    {"$", "\\$"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"\xE2\x80\x93", "--"}, // en dash
    {"\xE2\x80\xA6", "\\dots{}"}, // ellipsis
    {"\xE2\x80\xAF", "\\,"}, // narrow no-break space
    {"\xC2\xA0", "~"}, // no-break space
    {"\xC2\xB5", "$\\mu$"}, // micro sign
    {"\xC3\x97", "$\\times$"}, // multiplication sign
    {"\xC2\xB7", "$\\cdot$"}, // middle dot
    {"\xC2\xB1", "$\\pm$"}, // plus-minus
    {"\xE2\x89\xA5", "$\\geq$"}, // at least
    {"\xE2\x89\xA4", "$\\leq$"}, // at most
    {"\n", " "},
}};

std::string latexEscaped(std::string_view text)
{
    std::string escaped;
    while (!text.empty()) {
        const auto found = std::find_if(
            kLatexSpellings.begin(), kLatexSpellings.end(), [text](const LatexSpelling& s) {
                return text.substr(0, s.text.size()) == s.text;
            });
        if (found != kLatexSpellings.end()) {
            escaped += found->latex;
            text.remove_prefix(found->text.size());
        } else {
            escaped += text.front();
            text.remove_prefix(1);
        }
    }
    return escaped;
}

std::string latexRow(const std::vector<std::string>& texts)
{
    std::string line = "  ";
    for (std::size_t i = 0; i < texts.size(); ++i) {
        line += (i == 0 ? "" : " & ") + texts[i];
    }
    return line + " \\\\\n";
}

} // namespace

std::size_t displayWidth(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; // not a continuation byte
    }));
}

std::string exactText(const Cell& cell)
{
    return std::visit(ExactText{}, cell.value);
}

std::string csvHeader(const std::vector<Column>& columns)
{
    std::vector<std::string> keys;
    for (const Column& column : columns) {
        keys.push_back(column.key);
    }
    return csvLine(keys);
}

std::string csvRow(const std::vector<Cell>& row)
{
    std::vector<std::string> fields;
    for (const Cell& cell : row) {
        fields.push_back(exactText(cell));
    }
    return csvLine(fields);
}

std::string csvText(const Table& table)
{
    std::string text = csvHeader(table.columns);
    for (const auto& row : table.rows) {
        text += csvRow(row);
    }
    return text;
}

Json tableJson(const Table& table)
{
    Json rows = Json::array();
    for (const auto& row : table.rows) {
        Json object = Json::object();
        for (std::size_t i = 0; i < row.size(); ++i) {
            object[table.columns.at(i).key] = std::visit(ExactJson{}, row[i].value);
        }
        rows.push_back(std::move(object));
    }
    return rows;
}

std::string markdownText(const Table& table)
{
    constexpr std::string_view kIndent = "&nbsp;&nbsp;";
    std::string text = table.caption.empty() ? "" : markdownEscaped(table.caption) + "\n\n";
    text += markdownRow(titles(table)) + "|";
    for (const Column& column : table.columns) {
        text += column.align == Align::left ? " :--- |" : " ---: |";
    }
    text += "\n";
    for (const auto& row : table.rows) {
        std::vector<std::string> cells;
        for (const Cell& cell : row) {
            cells.push_back(repeated(kIndent, static_cast<std::size_t>(std::max(cell.indent, 0)))
                            + markdownEscaped(cell.shown));
        }
        text += markdownRow(cells);
    }
    return text;
}

std::string latexText(const Table& table)
{
    std::string text = "% \\usepackage{booktabs}\n\\begin{table}\n  \\centering\n";
    if (!table.caption.empty()) {
        text += "  \\caption{" + latexEscaped(table.caption) + "}\n";
    }
    text += "  \\begin{tabular}{";
    for (const Column& column : table.columns) {
        text += column.align == Align::left ? "l" : "r";
    }
    text += "}\n  \\toprule\n";
    std::vector<std::string> heads;
    for (const std::string& title : titles(table)) {
        heads.push_back(latexEscaped(title));
    }
    text += latexRow(heads) + "  \\midrule\n";
    for (const auto& row : table.rows) {
        std::vector<std::string> cells;
        for (const Cell& cell : row) {
            cells.push_back(repeated("\\quad ", static_cast<std::size_t>(std::max(cell.indent, 0)))
                            + latexEscaped(cell.shown));
        }
        text += latexRow(cells);
    }
    return text + "  \\bottomrule\n  \\end{tabular}\n\\end{table}\n";
}

std::string plainText(const Table& table)
{
    constexpr std::string_view kIndent = "  ";
    if (table.columns.empty()) {
        return table.caption;
    }
    std::vector<std::size_t> wide = widths(table, kIndent);
    if (table.columns.back().align == Align::left && table.columns.size() > 1) {
        wide.back() = std::min(wide.back(), kWidestProse);
    }
    std::vector<std::string> rules;
    for (const std::size_t width : wide) {
        rules.push_back(repeated("\xE2\x94\x80", width));
    }
    std::string text = table.caption.empty() ? "" : table.caption + "\n\n";
    text += plainRow(table, wide, titles(table)) + plainLine(table, wide, rules);
    for (const auto& row : table.rows) {
        text += row.front().spans ? remarkText(row.front(), wide, kIndent)
                                  : plainRow(table, wide, shownTexts(row, kIndent));
    }
    return text;
}

} // namespace flopsmith
