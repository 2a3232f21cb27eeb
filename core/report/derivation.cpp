// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/derivation.h"

#include "core/base/text.h"
#include "core/formula/derivation.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::ptrdiff_t kMaxParts = 4;
constexpr std::size_t kLongestFormula = 1500; ///< characters
constexpr std::size_t kMaxLineFormula = 60; ///< of a formula in a table

bool isInBlock(const DerivationStep& step)
{
    return step.formula.path.find("blocks[") != std::string::npos;
}

// Number of kinds of blocks and of parts outside of them.
std::ptrdiff_t partsOf(const Derivation& derivation)
{
    return std::count_if(
        derivation.steps.begin(), derivation.steps.end(), [](const DerivationStep& step) {
            return step.role == DerivationRole::block
                || (step.role == DerivationRole::line && !isInBlock(step));
        });
}

// "4*d*f*B*S = 16*d^2*B*S"; empty if it is too long for a table.
std::string lineFormula(const DerivationStep& step)
{
    const std::string text =
        step.formula.text + (step.simplified ? " = " + step.simplified->text : "");
    return text.size() > kMaxLineFormula ? "" : text;
}

/// Words a derivation for paper.
class DerivationBlocks
{
public:
    explicit DerivationBlocks(const CostReport& report)
        : m_report(report)
        , m_unit(lens(report.lens).unit)
    {}

    std::vector<ReportBlock> blocks()
    {
        const Result<Derivation> derived =
            derivationOf(m_report.scenario, m_report.lens, m_report.pairs);
        if (!derived) {
            say("This stack has so many different blocks that its formula is not written out; "
                "flopsmith formula does so.");
            return std::move(m_blocks);
        }
        if (lens(m_report.lens).isFormula()) {
            addWhole();
            addTerms();
        } else if (partsOf(*derived) > kMaxParts) {
            say("The parts of this model are too many to be derived one by one.");
            addWhole();
        } else {
            addSteps(*derived);
        }
        return std::move(m_blocks);
    }

private:
    void say(std::string sentence, bool small = false)
    {
        m_blocks.emplace_back(ReportText{.text = std::move(sentence), .isSmall = small});
    }

    std::string valueText(Count value) const { return groupedDigits(value) + " " + m_unit; }

    void addSteps(const Derivation& derivation)
    {
        std::vector<DerivationStep> lines;
        for (const DerivationStep& step : derivation.steps) {
            if (step.role == DerivationRole::line && isInBlock(step)) {
                lines.push_back(step);
            } else if (step.role != DerivationRole::blocks) {
                addLines(std::exchange(lines, {}));
                addStep(step);
            }
        }
    }

    // The lines of a block as a table, and below it their reasons.
    void addLines(const std::vector<DerivationStep>& lines)
    {
        if (lines.empty()) {
            return;
        }
        Table table{.columns = {{"step", "step", Align::left},
                                {"formula", "formula", Align::left},
                                {"amount", m_unit}}};
        std::string reasons;
        for (const DerivationStep& line : lines) {
            table.rows.push_back(
                {Cell::text(line.title),
                 Cell::text(lineFormula(line)),
                 Cell{.value = line.formula.value, .shown = groupedDigits(line.formula.value)}});
            reasons += (reasons.empty() ? "" : " ") + line.title + ": " + line.reason;
        }
        m_blocks.emplace_back(std::move(table));
        say(std::move(reasons), true);
    }

    void addStep(const DerivationStep& step)
    {
        Formula formula = step.formula;
        if (step.simplified) {
            formula.text = step.simplified->text;
            formula.latex = step.simplified->latex;
        }
        formula.nominal = formula.nominal && step.role == DerivationRole::line;
        add(step.title + (step.given.empty() ? "" : ", with " + step.given), formula);
    }

    void addWhole()
    {
        const Result<Formula> formula =
            formulaOf(m_report.scenario, "", m_report.lens, {}, m_report.pairs);
        if (formula) {
            add("The whole model", *formula);
        }
    }

    void add(std::string of, const Formula& formula)
    {
        if (std::max(formula.text.size(), formula.numbers.size()) > kLongestFormula) {
            say(of + ": " + valueText(formula.value)
                + ". The formula is too long for a page; flopsmith formula writes it.");
            return;
        }
        m_blocks.emplace_back(ReportFormula{.of = std::move(of),
                                            .letters = formula.text,
                                            .latex = formula.latex,
                                            .numbers = formula.numbers,
                                            .value = valueText(formula.value),
                                            .isRounded = formula.nominal,
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
    return DerivationBlocks(report).blocks();
}

} // namespace flopsmith
