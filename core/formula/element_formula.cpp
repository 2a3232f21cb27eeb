// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/element_formula.h"

#include "core/formula/block_sums.h"
#include "core/formula/canonical_sum.h"
#include "core/formula/part_count.h"
#include "core/formula/symbol_meanings.h"
#include "core/model/cache_cost.h"
#include "core/model/model_cost.h"
#include "core/model/saved_activations.h"
#include "core/model/tree_path.h"
#include "core/parameter/validation.h"

namespace flopsmith {
namespace {

/// The sum of an amount over the operations of a part, in either numbers; of one component, or of
/// all where that is null. `amountOf` is called with an operation's node.
template <class AmountOf>
PartCount summed(const Component* component, AmountOf amountOf)
{
    const auto sumOf = [component, amountOf](const auto& tree, int part, auto sum) {
        tree.forEachOperation(part, [&](const auto& operation, const auto& times) {
            if (component == nullptr || isSame(*component, *operation.component)) {
                sum += times * amountOf(operation);
            }
        });
        return sum;
    };
    return {.inLetters = [sumOf](const CostTree<GiNaC::ex>& tree,
                                 int part) { return sumOf(tree, part, GiNaC::ex(0)); },
            .inNumbers = [sumOf](const CostTree<Count>& tree,
                                 int part) { return sumOf(tree, part, Count{0}); }};
}

PartCount countOf(ElementKind kind, const Component* component)
{
    switch (kind) {
    case ElementKind::fixed:
        return summed(component, [](const auto& node) { return node.cost.parameters.fixed; });
    case ElementKind::cachePerToken:
        return summed(component, [](const auto& node) { return node.cost.traffic.kvWritten; });
    case ElementKind::moved:
        return summed(component, [](const auto& node) {
            const auto& moved = node.cost.traffic;
            return moved.weights + moved.read + moved.written + moved.kvRead + moved.kvWritten
                + moved.gradients + moved.states;
        });
    default:
        return summed(component, [](const auto& node) { return node.cost.parameters.trainable; });
    }
}

/// Names the letters of a formula and writes it.
class FormulaWriter
{
public:
    explicit FormulaWriter(const Scenario& scenario)
        : m_scenario(scenario)
        , m_letters(m_table)
    {}

    const Numbers<GiNaC::ex>& letters() const { return m_letters; }

    Result<Formula> written(const PartCount& count,
                            const CountedTrees& trees,
                            const std::string& path)
    {
        const int part = nodeAt(trees.numbers, path);
        if (part < 0) {
            return Error{"the model has no part \"" + path + "\""};
        }
        return writtenFormula(
            m_scenario, count, trees, part, named(count.inLetters(trees.letters, part)), m_table);
    }

    Result<Formula> written(const GiNaC::ex& amount, const Count& value)
    {
        const GiNaC::ex formula = named(amount);
        if (wantsBlockSums(formula, m_table)) {
            return Error{"no formula: the model has too many different blocks"};
        }
        const CanonicalSum sum(formula, m_table);
        return Formula{.path = "",
                       .text = sum.text(),
                       .latex = sum.latex(),
                       .numbers = sum.numbers(),
                       .value = value,
                       .symbols = SymbolMeanings(m_scenario).explained(sum.sizes())};
    }

private:
    GiNaC::ex named(const GiNaC::ex& amount)
    {
        const GiNaC::ex formula = amount.expand();
        nameBlocks(m_scenario.model, m_table);
        m_table.nameSizesOf(formula);
        return formula;
    }

    const Scenario& m_scenario;
    SymbolTable m_table;
    Numbers<GiNaC::ex> m_letters;
};

template <class N>
N amountOf(const ByComponent<N>& amounts, const Component* component)
{
    N sum{0};
    for (const auto& entry : amounts.entries()) {
        if (component == nullptr || isSame(*component, *entry.component)) {
            sum += entry.amount;
        }
    }
    return sum;
}

Result<Formula> savedFormula(const Scenario& scenario, const Component* component)
{
    if (scenario.workload.phase != Phase::train) {
        return Error{"no formula: activations are saved in training only"};
    }
    FormulaWriter writer(scenario);
    const Numbers<Count> numbers;
    const auto inLetters = savedActivations(
        scenario, costTree(scenario, PairsRule::full, writer.letters()), writer.letters());
    const auto inNumbers = savedActivations(scenario, costTree(scenario, PairsRule::full), numbers);
    return writer.written(amountOf(inLetters, component), amountOf(inNumbers, component));
}

} // namespace

Result<Formula> elementFormula(const Scenario& scenario, ElementKind kind, const FormulaPart& part)
{
    if (const Status valid = validated(scenario); !valid.ok()) {
        return valid.error();
    }
    if (kind == ElementKind::savedActivations) {
        return savedFormula(scenario, part.component);
    }
    FormulaWriter writer(scenario);
    const PartCount count = countOf(kind, part.component);
    if (kind == ElementKind::cachePerToken) {
        return writer.written(count,
                              {.letters = cacheOfOneToken(scenario, writer.letters()),
                               .numbers = cacheOfOneToken(scenario, Numbers<Count>{})},
                              part.path);
    }
    return writer.written(
        count,
        {.letters = costTree<GiNaC::ex>(scenario, PairsRule::exact, writer.letters()),
         .numbers = costTree(scenario)},
        part.path);
}

Result<Formula> flopsFormula(const Scenario& scenario, LensId lensId, const FormulaPart& part)
{
    if (const Status valid = validated(scenario); !valid.ok()) {
        return valid.error();
    }
    if (lens(lensId).isFormula()) {
        return Error{"the lens " + std::string(lens(lensId).name)
                     + " is a formula for the whole model and has none for a part of it"};
    }
    const PairsRule pairs = lens(lensId).pairs;
    FormulaWriter writer(scenario);
    const CostTree<Count> numbers = costTree(scenario, pairs);
    Result<Formula> formula = writer.written(
        summed(part.component,
               [lensId]<class Node>(const Node& node) {
                   using N = std::decay_t<decltype(node.repeat)>;
                   return pricedNode<N>(lensId, node);
               }),
        {.letters = costTree<GiNaC::ex>(scenario, pairs, writer.letters()), .numbers = numbers},
        part.path);
    if (formula) {
        const int node = nodeAt(numbers, part.path);
        numbers.forEachOperation(node, [&](const CostTree<Count>::Node& operation, const Count&) {
            formula->nominal = formula->nominal
                || ((part.component == nullptr || isSame(*part.component, *operation.component))
                    && isNominal(lensId, operation));
        });
    }
    return formula;
}

} // namespace flopsmith
