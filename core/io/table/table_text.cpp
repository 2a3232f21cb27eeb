// SPDX-License-Identifier: MIT
#include "core/io/table/table_text.h"

#include "core/base/text.h"
#include "core/io/table/latex.h"
#include "core/io/table/table_parts.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

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

// A caption whose lines become clauses.
std::string inOneLine(const std::string& caption)
{
    std::string line;
    bool begins = false; // a line is indented on a terminal only
    for (const char c : caption) {
        if (c == '\n') {
            line += "; ";
        } else if (!begins || c != ' ') {
            line += c;
        }
        begins = c == '\n' || (begins && c == ' ');
    }
    return line;
}

std::string markdownRow(const std::vector<std::string>& texts)
{
    std::string line = "|";
    for (const std::string& text : texts) {
        line += " " + text + " |";
    }
    return line + "\n";
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

std::string markdownText(const Table& raw)
{
    const Table table = printable(raw);
    constexpr std::string_view kIndent = "&nbsp;&nbsp;";
    std::string text =
        table.caption.empty() ? "" : markdownEscaped(inOneLine(table.caption)) + "\n\n";
    text += markdownRow(titles(table)) + "|";
    for (const Column& column : table.columns) {
        text += column.align == Align::left ? " :--- |" : " ---: |";
    }
    text += "\n";
    for (const auto& row : table.rows) {
        std::vector<std::string> cells;
        for (const Cell& cell : row) {
            cells.push_back(indentOf(cell, kIndent) + markdownEscaped(cell.shown));
        }
        text += markdownRow(cells);
    }
    return text;
}

std::string latexText(const Table& table)
{
    std::string text = "% \\usepackage{booktabs}\n\\begin{table}\n  \\centering\n";
    if (!table.caption.empty()) {
        text += "  \\caption{" + latexEscaped(inOneLine(table.caption)) + "}\n";
    }
    return text + latexTabular(table) + "\\end{table}\n";
}

std::string latexTabular(const Table& table)
{
    std::string text = "  \\begin{tabular}{";
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
            cells.push_back(indentOf(cell, "\\quad ") + latexEscaped(cell.shown));
        }
        text += latexRow(cells);
    }
    return text + "  \\bottomrule\n  \\end{tabular}\n";
}

} // namespace flopsmith
