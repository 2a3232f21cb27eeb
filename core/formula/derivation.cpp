// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/derivation.h"

#include "core/formula/block_sums.h"
#include "core/formula/canonical_sum.h"
#include "core/formula/derivation_lines.h"
#include "core/formula/derivation_reasons.h"
#include "core/formula/hidden_widths.h"
#include "core/formula/part_count.h"
#include "core/formula/symbol_meanings.h"
#include "core/lens/lens_total.h"
#include "core/model/model_cost.h"
#include "core/model/model_passes.h"
#include "core/parameter/validation.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace flopsmith {
namespace {

/// Equal blocks, in one or several runs.
struct BlockKind
{
    const Block* block = nullptr;
    std::vector<int> nodes{}; ///< of the cost tree, one per run
};

/// A cost in letters and as a number.
struct Amount
{
    GiNaC::ex letters{0};
    Count value = 0;
    bool nominal = false;
};

/// Writes the steps of one scenario under one lens.
class Deriving
{
public:
    Deriving(const Scenario& scenario, LensId lensId, PairsRule pairs)
        : m_scenario(scenario)
        , m_lens(lensId)
        , m_pairs(pairs)
        , m_meanings(scenario)
        , m_numbers(costTree(scenario, pairs))
        , m_tree(costTree<GiNaC::ex>(scenario, pairs, Numbers<GiNaC::ex>(m_table)))
    {
        m_derivation.unit = lens(lensId).unit;
    }

    Derivation ofOperations()
    {
        nameLetters(pricedPart(m_lens, m_tree, 0).expand());
        for (int i = 1; i < m_numbers.size(); i = m_numbers.node(i).end) {
            const DerivationPass pass = passOf(i);
            if (pass == DerivationPass::forward && m_numbers.node(i).name != "forward") {
                addPart(i, pass);
            } else {
                addPass(i, pass);
            }
        }
        addTotal();
        return std::move(m_derivation);
    }

    Derivation ofTerms()
    {
        const Numbers<GiNaC::ex> letters(m_table);
        const auto terms = formulaTerms(m_scenario, m_lens, letters);
        const LensTotal total = lensTotal(m_scenario, m_lens);
        for (const auto& term : terms) {
            m_total.letters += term.amount;
        }
        nameLetters(m_total.letters.expand());
        for (std::size_t i = 0; i < terms.size(); ++i) {
            const Amount amount{terms[i].amount, total.terms.at(i).amount};
            if (!isNothing(amount)) {
                m_derivation.steps.push_back({.title = std::string(terms[i].name),
                                              .reason = reasonOf(terms[i].kind),
                                              .uses = 1});
                complete(m_derivation.steps.back(), amount, 0);
                count(amount.value, 1);
            }
        }
        addTotal();
        return std::move(m_derivation);
    }

private:
    using Node = CostTree<Count>::Node;

    void nameLetters(const GiNaC::ex& whole)
    {
        nameBlocks(m_scenario.model, m_table);
        m_table.nameSizesOf(whole);
        m_whole = whole;
        m_widths = HiddenWidths(m_table);
    }

    DerivationPass passOf(int node) const
    {
        const std::string_view name = m_numbers.node(node).name;
        return name == "backward"  ? DerivationPass::backward
            : name == "recomputed" ? DerivationPass::recomputed
                                   : DerivationPass::forward;
    }

    // The parts of a pass of a training step.
    void addPass(int node, DerivationPass pass)
    {
        for (int i = node + 1; i < m_numbers.node(node).end; i = m_numbers.node(i).end) {
            addPart(i, pass);
        }
    }

    void addPart(int node, DerivationPass pass)
    {
        if (m_numbers.node(node).name == "blocks") {
            addBlocks(node, pass);
        } else {
            const LineContext context = contextOf(pass, nullptr);
            addLine(lineOfPart(m_numbers, node), context, node, m_numbers.timesUsed(node));
        }
    }

    LineContext contextOf(DerivationPass pass, const Block* block) const
    {
        return {.scenario = m_scenario,
                .tree = m_numbers,
                .lens = m_lens,
                .pairs = m_pairs,
                .pass = pass,
                .block = block};
    }

    // The kinds of blocks of a pass, in its order. Cached, because finding them again for each
    // block would make the time cubic.
    const std::vector<BlockKind>& kindsOf(int pass)
    {
        const auto [found, isNew] = m_kinds.try_emplace(pass);
        std::vector<BlockKind>& kinds = found->second;
        for (int i = pass + 1; isNew && i < m_numbers.node(pass).end; i = m_numbers.node(i).end) {
            if (m_numbers.node(i).name != "blocks") {
                continue;
            }
            const int run = m_scenario.model.runOf(m_numbers.node(i).index);
            const Block& block = m_scenario.model.runs.at(static_cast<std::size_t>(run)).block;
            const auto same = std::ranges::find_if(
                kinds, [&](const BlockKind& kind) { return *kind.block == block; });
            if (same == kinds.end()) {
                kinds.push_back({.block = &block, .nodes = {i}});
            } else {
                same->nodes.push_back(i);
            }
        }
        return kinds;
    }

    // Blocks equal to earlier ones of the same pass are derived with them.
    void addBlocks(int first, DerivationPass pass)
    {
        const std::vector<BlockKind>& kinds = kindsOf(m_numbers.node(first).parent);
        const auto begun = std::ranges::find_if(
            kinds, [first](const BlockKind& kind) { return kind.nodes.front() == first; });
        if (begun != kinds.end()) {
            addKind(*begun, contextOf(pass, begun->block));
        }
    }

    void addKind(const BlockKind& kind, const LineContext& context)
    {
        Count blocks = 0;
        Amount all;
        for (const int node : kind.nodes) {
            blocks += m_numbers.node(node).repeat;
            all.letters += m_tree.node(node).repeat;
        }
        const int node = kind.nodes.front();
        std::string sum;
        Amount block;
        for (const DerivationLine& line : linesOfBlock(m_numbers, node)) {
            const Amount amount = addLine(line, context, node, blocks);
            block.letters += amount.letters;
            block.value += amount.value;
            block.nominal = block.nominal || amount.nominal;
            sum += amount.value == 0 ? "" : (sum.empty() ? "" : " + ") + digits(amount.value);
        }
        if (isNothing(block)) {
            return;
        }
        const std::string title = titleOfBlocks(m_numbers, kind.nodes);
        addSum({.role = DerivationRole::block,
                .title = title + (blocks == 1 ? "" : ", each"),
                .reason = "A block costs what its lines cost together."},
               block,
               sum,
               node);
        all.letters = all.letters * block.letters;
        all.value = blocks * block.value;
        all.nominal = block.nominal;
        addSum({.role = DerivationRole::blocks,
                .title = title,
                .reason = blocks == 1
                    ? "The model executes one block like this."
                    : "The model executes " + digits(blocks) + " blocks like this."},
               all,
               (blocks == 1 ? "" : digits(blocks) + "*") + digits(block.value),
               node);
        count(block.value, blocks);
    }

    Amount amountOf(const DerivationLine& line, int around) const
    {
        Amount amount;
        for (const int i : line.operations) {
            amount.letters +=
                timesWithin(m_tree, i, around) * pricedNode<GiNaC::ex>(m_lens, m_tree.node(i));
            amount.value +=
                timesWithin(m_numbers, i, around) * pricedNode<Count>(m_lens, m_numbers.node(i));
            amount.nominal = amount.nominal || isNominal(m_lens, m_numbers.node(i));
        }
        return amount;
    }

    static bool isNothing(const Amount& amount)
    {
        return amount.value == 0 && amount.letters.expand().is_zero();
    }

    // Of one execution of the block or part at the node `around`.
    Amount addLine(const DerivationLine& line, const LineContext& context, int around, Count uses)
    {
        const Amount amount = amountOf(line, around);
        m_total.nominal = m_total.nominal || amount.nominal;
        if (!isNothing(amount)) {
            m_derivation.steps.push_back(
                {.title = titleOf(line, context), .reason = reasonOf(line, context), .uses = uses});
            complete(m_derivation.steps.back(), amount, line.part);
            if (line.kind == LineKind::part) {
                count(amount.value, uses);
            }
        }
        return amount;
    }

    void addSum(DerivationStep step, const Amount& amount, const std::string& sum, int node)
    {
        complete(step, amount, node);
        step.formula.numbers = sum.empty() ? "0" : sum;
        if (step.simplified) {
            step.simplified->numbers = step.formula.numbers;
        }
        m_derivation.steps.push_back(std::move(step));
    }

    void addTotal()
    {
        const bool isSum = m_sum.find(' ') != std::string::npos;
        DerivationStep step{.role = DerivationRole::total,
                            .title = "The whole model",
                            .reason = m_sum.empty() ? "This lens charges nothing for this model."
                                : isSum ? "The model costs what these parts cost together."
                                        : "Nothing else costs anything under this lens."};
        m_total.letters = m_whole;
        addSum(std::move(step), m_total, m_sum, 0);
        if (!lens(m_lens).isFormula() && wantsBlockSums(m_whole, m_table)) {
            writeBlockSums(m_derivation.steps.back());
        }
    }

    // Letters with many values become sums over the runs.
    void writeBlockSums(DerivationStep& total) const
    {
        const BlockSums sums = blockSums(chargedBy(m_lens), m_tree, m_numbers, m_table);
        total.formula.text = sums.text;
        total.formula.latex = sums.latex;
        total.formula.symbols = m_meanings.explained(sums.symbols);
        total.simplified.reset();
        total.given.clear();
    }

    // Adds to the total.
    void count(Count value, Count uses)
    {
        if (value > 0) {
            m_sum += (m_sum.empty() ? "" : " + ") + (uses == 1 ? "" : digits(uses) + "*")
                + digits(value);
        }
        m_total.value += uses * value;
    }

    Formula written(const GiNaC::ex& letters, const Amount& amount, int node) const
    {
        const CanonicalSum sum(letters, m_table);
        return {.path = m_numbers.path(node),
                .text = sum.text(),
                .latex = sum.latex(),
                .numbers = sum.numbers(),
                .value = amount.value,
                .nominal = amount.nominal,
                .symbols = m_meanings.explained(sum.sizes())};
    }

    // Gives a step its formulas.
    void complete(DerivationStep& step, const Amount& amount, int node)
    {
        const GiNaC::ex letters = amount.letters.expand();
        step.formula = written(letters, amount, node);
        step.given = m_widths.given(letters, m_table);
        if (!step.given.empty()) {
            step.simplified =
                written(m_table.substituted(letters, m_widths.substitutions()), amount, node);
            step.simplified->numbers = step.formula.numbers;
        }
    }

    const Scenario& m_scenario;
    LensId m_lens;
    PairsRule m_pairs;
    SymbolMeanings m_meanings;
    CostTree<Count> m_numbers;
    SymbolTable m_table;
    CostTree<GiNaC::ex> m_tree;
    GiNaC::ex m_whole{0};
    HiddenWidths m_widths;
    std::map<int, std::vector<BlockKind>> m_kinds; ///< by the node of their pass
    std::string m_sum; ///< "12*17716740096 + 79047426048", so far
    Amount m_total;
    Derivation m_derivation;
};

} // namespace

Result<Derivation> derivationOf(const Scenario& scenario,
                                LensId lensId,
                                std::optional<PairsRule> pairs)
{
    if (const Status valid = validated(scenario); !valid.ok()) {
        return valid.error();
    }
    const std::size_t runs = scenario.model.runs.size();
    if (runs > kMaxDerivedRuns) {
        return Error{"this stack has " + std::to_string(runs)
                     + " runs of different blocks; a derivation is written of at most "
                     + std::to_string(kMaxDerivedRuns)};
    }
    if (const Status defined = lensIsDefined(lensId, scenario.workload); !defined.ok()) {
        return defined.error();
    }
    const bool ofTerms = lens(lensId).isFormula();
    const PairsRule rule = ofTerms ? PairsRule::full : pairs.value_or(lens(lensId).pairs);
    Deriving deriving(scenario, lensId, rule);
    return ofTerms ? deriving.ofTerms() : deriving.ofOperations();
}

std::vector<FormulaSymbol> symbolsOf(const Derivation& derivation)
{
    std::vector<FormulaSymbol> symbols;
    for (const DerivationStep& step : derivation.steps) {
        for (const FormulaSymbol& symbol : step.formula.symbols) {
            const bool known = std::any_of(
                symbols.begin(), symbols.end(), [&symbol](const FormulaSymbol& earlier) {
                    return earlier.name == symbol.name;
                });
            if (!known) {
                symbols.push_back(symbol);
            }
        }
    }
    return symbols;
}

} // namespace flopsmith
