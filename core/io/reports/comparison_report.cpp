// SPDX-License-Identifier: MIT
#include "core/io/reports/comparison_report.h"

#include "core/base/printable.h"
#include "core/io/project/version.h"
#include "core/io/reports/compared_cells.h"
#include "core/io/reports/cost_report.h"
#include "core/io/reports/memory_report.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

constexpr const char* kDeltaTitle = "\xCE\x94";
constexpr const char* kArrow = " \xE2\x86\x92 ";

// "a", "b": the name of a design in files.
std::string designKey(std::size_t design)
{
    return {static_cast<char>('a' + design)};
}

// "A", "B", unless the design already has a letter.
std::string designLetter(const Comparison& comparison, std::size_t design)
{
    const std::string& own = comparison.designs[design].letter;
    return own.empty() ? std::string{static_cast<char>('A' + design)} : own;
}

// "B llama-3-8b", shorter where there are many; whole where the name has its letter.
std::string designTitle(const Comparison& comparison, std::size_t design)
{
    if (!comparison.designs[design].letter.empty()) {
        return comparison.designs[design].name;
    }
    constexpr std::array<std::size_t, kMaxDesigns + 1> kMaxCharacters{0, 20, 20, 12, 7};
    return designLetter(comparison, design) + " "
        + elided(comparison.designs[design].name, kMaxCharacters.at(comparison.designs.size()));
}

// Values of all designs, then the differences of the others from the first.
template <class Row>
void appendCells(std::vector<Cell>& cells,
                 const Row& row,
                 std::size_t designs,
                 ComparedColumns columns)
{
    for (std::size_t i = 0; i < designs; ++i) {
        cells.push_back(valueCell(row, i));
    }
    for (std::size_t i = 1; i < designs; ++i) {
        if (columns == ComparedColumns::all || designs == kFewestDesigns) {
            cells.push_back(deltaCell(row, i));
        }
        cells.push_back(quotientCell(row, i));
    }
}

void appendColumns(Table& table, const Comparison& comparison, ComparedColumns columns)
{
    const std::size_t designs = comparison.designs.size();
    for (std::size_t i = 0; i < designs; ++i) {
        table.columns.push_back({designKey(i), designTitle(comparison, i)});
    }
    for (std::size_t i = 1; i < designs; ++i) {
        if (columns == ComparedColumns::all || designs == kFewestDesigns) {
            table.columns.push_back({"delta_" + designKey(i), kDeltaTitle});
        }
        table.columns.push_back({"ratio_" + designKey(i),
                                 designLetter(comparison, i) + "/" + designLetter(comparison, 0)});
    }
}

// "operations (FLOPs)"; bytes and times include their units, and components are listed below.
Cell figureTitle(const ComparedFigure& figure)
{
    const bool carried = isBytes(figure) || isDuration(figure);
    const bool named = !figure.unit.empty() && !carried && figure.component == nullptr;
    return {.value = figure.key,
            .shown = figure.title + (named ? " (" + figure.unit + ")" : ""),
            .indent = figure.component != nullptr ? 1 : 0};
}

// "measured time: not measured on this CPU"; only the title if there is no note.
std::string figureSentence(const ComparedFigure& figure)
{
    return figure.title + (figure.note.empty() ? "" : ": " + figure.note);
}

// The names of the models, what was not measured, and how they were counted.
std::string comparisonCaption(const Comparison& comparison)
{
    std::string caption;
    for (std::size_t i = 0; i < comparison.designs.size(); ++i) {
        caption += designLetter(comparison, i) + " = "
            + memoryHeadline(comparison.designs[i].scenario) + "\n";
    }
    for (const ComparedFigure& figure : comparison.figures) {
        caption += figure.note.empty() ? "" : figureSentence(figure) + "\n";
    }
    return caption + "lens " + std::string(lens(comparison.lens).name) + ", "
        + std::string(pairsName(comparison.pairs)) + " pairs; Flopsmith "
        + std::string(programVersion());
}

// "7–12", or "7"; a dash for an empty range.
std::string rangeText(const BlockRange& range)
{
    if (range.count == 0) {
        return kNoValue;
    }
    const std::string first = std::to_string(range.first + 1);
    return range.count == 1 ? first
                            : first + "\xE2\x80\x93" + std::to_string(range.first + range.count);
}

// "Attention, Dense FFN"
std::string blockText(const Scenario& scenario, int block)
{
    const int run = scenario.model.runOf(block);
    const Block& shown = scenario.model.runs.at(static_cast<std::size_t>(run)).block;
    std::string text;
    const auto add = [&text](bool isThere, std::string_view title) {
        if (isThere) {
            text += (text.empty() ? "" : ", ") + std::string(title);
        }
    };
    add(shown.hasMixer(), info(shown.mixer).title);
    add(shown.hasCross(), info(shown.cross).title);
    add(shown.hasFfn(), info(shown.ffn).title);
    return text.empty() ? "empty" : text;
}

std::string differencesText(const std::vector<BlockDifference>& differences)
{
    std::string text;
    for (const BlockDifference& difference : differences) {
        text += (text.empty() ? "" : ", ") + difference.label + " " + difference.a.text + kArrow
            + difference.b.text;
    }
    return text;
}

struct StackRowText
{
    const char* mark = "=";
    std::string text{};
};

StackRowText stackRowText(const AlignedBlocks& row, const Scenario& a, const Scenario& b)
{
    switch (row.kind) {
    case AlignedBlocks::Kind::changed: return {"~", differencesText(row.differences)};
    case AlignedBlocks::Kind::removed: return {"\xE2\x88\x92", blockText(a, row.a.first)};
    case AlignedBlocks::Kind::added: return {"+", blockText(b, row.b.first)};
    case AlignedBlocks::Kind::equal: break;
    }
    return {"=", "equal"};
}

// "12 changed, 20 added"
std::string stackCaption(const std::vector<AlignedBlocks>& rows)
{
    const auto count = [&rows](AlignedBlocks::Kind kind, const char* what) {
        int blocks = 0;
        for (const AlignedBlocks& row : rows) {
            blocks += row.kind == kind ? std::max(row.a.count, row.b.count) : 0;
        }
        return blocks == 0 ? std::string() : ", " + std::to_string(blocks) + " " + what;
    };
    const std::string counts = count(AlignedBlocks::Kind::equal, "equal")
        + count(AlignedBlocks::Kind::changed, "changed")
        + count(AlignedBlocks::Kind::removed, "removed")
        + count(AlignedBlocks::Kind::added, "added");
    return counts.empty() ? "none" : counts.substr(2);
}

} // namespace

Table comparisonTable(const Comparison& comparison)
{
    const std::size_t designs = comparison.designs.size();
    Table table{.caption = comparisonCaption(comparison),
                .columns = {{"key", "key", Align::left},
                            {"title", "title", Align::left},
                            {"unit", "unit", Align::left}}};
    appendColumns(table, comparison, ComparedColumns::all);
    for (const ComparedFigure& figure : comparison.figures) {
        table.rows.push_back(
            {Cell::text(figure.key), Cell::text(figureSentence(figure)), Cell::text(figure.unit)});
        appendCells(table.rows.back(), figure, designs, ComparedColumns::all);
    }
    for (const ComparedParameter& parameter : comparison.parameters) {
        table.rows.push_back(
            {Cell::text(parameter.key), Cell::text(parameter.label), Cell::text(parameter.unit)});
        appendCells(table.rows.back(), parameter, designs, ComparedColumns::all);
    }
    return table;
}

Table comparedFiguresTable(const Comparison& comparison, ComparedColumns columns)
{
    Table table{.caption = comparisonCaption(comparison),
                .columns = {{"figure", "figure", Align::left}}};
    appendColumns(table, comparison, columns);
    for (const ComparedFigure& figure : comparison.figures) {
        table.rows.push_back({figureTitle(figure)});
        appendCells(table.rows.back(), figure, comparison.designs.size(), columns);
    }
    return table;
}

Table comparedParametersTable(const Comparison& comparison, ComparedColumns columns)
{
    Table table{.caption = "Parameters that differ",
                .columns = {{"parameter", "parameter", Align::left}}};
    appendColumns(table, comparison, columns);
    for (const ComparedParameter& parameter : comparison.parameters) {
        table.rows.push_back({Cell::text(parameter.key)});
        appendCells(table.rows.back(), parameter, comparison.designs.size(), columns);
    }
    return table;
}

Table alignedStackTable(const Comparison& comparison, std::size_t design)
{
    const std::vector<AlignedBlocks>& rows = comparison.stacks.at(design);
    const Scenario& a = comparison.designs.front().scenario;
    const Scenario& b = comparison.designs.at(design).scenario;
    Table table{.caption = "Blocks of " + designLetter(comparison, 0) + " beside those of "
                    + designLetter(comparison, design) + ": " + stackCaption(rows),
                .columns = {{"kind", "", Align::left},
                            {"a", designTitle(comparison, 0)},
                            {designKey(design), designTitle(comparison, design)},
                            {"differences", "what differs", Align::left}}};
    for (const AlignedBlocks& row : rows) {
        const StackRowText shown = stackRowText(row, a, b);
        table.rows.push_back({Cell{.value = kindName(row.kind), .shown = shown.mark},
                              Cell::text(rangeText(row.a)),
                              Cell::text(rangeText(row.b)),
                              Cell::text(shown.text)});
    }
    return table;
}

} // namespace flopsmith
