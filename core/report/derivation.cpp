// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/derivation.h"

#include "core/base/text.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::size_t kMaxParts = 6;
constexpr std::size_t kMaxRuns = 64; ///< above, letters take longer than a person waits
constexpr std::size_t kLongestFormula = 1500; ///< characters

/// A part of the model that stands below the root of the cost tree.
struct PricedPart
{
    int node = 0;
    Count value = 0; ///< of one use
    Count uses = 1;
};

std::vector<PricedPart> pricedParts(const CostReport& report)
{
    std::vector<PricedPart> parts;
    const CostTree<Count>& tree = report.tree;
    for (int i = 1; i < tree.size(); i = tree.node(i).end) {
        const Count value = pricedPart(report.lens, tree, i);
        if (value > 0) {
            parts.push_back({.node = i, .value = value, .uses = tree.timesUsed(i)});
        }
    }
    return parts;
}

// "Blocks 1 – 12, each", "Final norm"
std::string titleOfPart(const CostTree<Count>& tree, const PricedPart& part)
{
    const auto& node = tree.node(part.node);
    if (node.index >= 0) {
        const std::string first = std::to_string(node.index + 1);
        return part.uses == 1
            ? "Block " + first
            : "Blocks " + first + " \xE2\x80\x93 " + digits(node.index + part.uses) + ", each";
    }
    std::string title(node.name);
    std::replace(title.begin(), title.end(), '_', ' ');
    if (!title.empty() && title.front() >= 'a' && title.front() <= 'z') {
        title.front() = static_cast<char>(title.front() - 'a' + 'A');
    }
    return title;
}

class Derivation
{
public:
    explicit Derivation(const CostReport& report)
        : m_report(report)
        , m_unit(lens(report.lens).unit)
    {}

    std::vector<ReportBlock> blocks()
    {
        if (m_report.scenario.model.runs.size() > kMaxRuns) {
            say("This stack has so many different blocks that its formula is not written out; "
                "flopsmith formula does so.");
            return std::move(m_blocks);
        }
        if (lens(m_report.lens).isFormula()) {
            addWhole("");
            addTerms();
            return std::move(m_blocks);
        }
        const std::vector<PricedPart> parts = pricedParts(m_report);
        if (parts.size() > kMaxParts) {
            say("The parts of this model are too many to be derived one by one.");
            addWhole("");
            return std::move(m_blocks);
        }
        std::string sum;
        for (const PricedPart& part : parts) {
            addPart(part);
            sum += (sum.empty() ? "" : " + ") + (part.uses == 1 ? "" : digits(part.uses) + "*")
                + digits(part.value);
        }
        addWhole(sum);
        return std::move(m_blocks);
    }

private:
    void say(std::string sentence)
    {
        m_blocks.emplace_back(ReportText{.text = std::move(sentence)});
    }

    std::string valueText(Count value) const { return groupedDigits(value) + " " + m_unit; }

    void addPart(const PricedPart& part)
    {
        const Result<Formula> formula = formulaOf(
            m_report.scenario, m_report.tree.path(part.node), m_report.lens, {}, m_report.pairs);
        const std::string title = titleOfPart(m_report.tree, part);
        if (formula) {
            add(title, *formula, formula->numbers);
        } else {
            say(title + ": " + valueText(part.value) + ".");
        }
    }

    // `sum` stands for the numbers where the values of parts are known.
    void addWhole(const std::string& sum)
    {
        const Result<Formula> formula =
            formulaOf(m_report.scenario, "", m_report.lens, {}, m_report.pairs);
        if (formula) {
            add("The whole model", *formula, sum.empty() ? formula->numbers : sum);
        }
    }

    void add(std::string of, const Formula& formula, const std::string& numbers)
    {
        if (std::max(formula.text.size(), numbers.size()) > kLongestFormula) {
            say(of + ": " + valueText(formula.value)
                + ". The formula is too long for a page; flopsmith formula writes it.");
            return;
        }
        m_blocks.emplace_back(
            ReportFormula{.of = std::move(of),
                          .letters = formula.text,
                          .latex = formula.latex,
                          .numbers = numbers,
                          .value = valueText(formula.value),
                          .isRounded = formula.nominal && numbers == formula.numbers,
                          .symbols = notYetExplained(formula)});
    }

    std::vector<FormulaSymbol> notYetExplained(const Formula& formula)
    {
        std::vector<FormulaSymbol> fresh;
        for (const FormulaSymbol& symbol : formula.symbols) {
            if (std::find(m_explained.begin(), m_explained.end(), symbol) == m_explained.end()) {
                m_explained.push_back(symbol);
                fresh.push_back(symbol);
            }
        }
        return fresh;
    }

    void addTerms()
    {
        Table table{.columns = {{"term", "term", Align::left}, {"amount", m_unit}}};
        for (const FormulaTerm<Count>& term : m_report.total.terms) {
            table.rows.push_back({Cell::text(std::string(term.name)),
                                  Cell{.value = term.amount, .shown = groupedDigits(term.amount)}});
        }
        m_blocks.emplace_back(std::move(table));
        for (const std::string& remark : m_report.total.remarks) {
            say("Note: " + remark + ".");
        }
    }

    const CostReport& m_report;
    std::string m_unit;
    std::vector<ReportBlock> m_blocks;
    std::vector<FormulaSymbol> m_explained;
};

} // namespace

std::vector<ReportBlock> derivation(const CostReport& report)
{
    return Derivation(report).blocks();
}

} // namespace flopsmith
