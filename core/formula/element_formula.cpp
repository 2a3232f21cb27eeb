// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/element_formula.h"

#include "core/formula/part_count.h"
#include "core/formula/symbol_meanings.h"
#include "core/model/cache_cost.h"
#include "core/model/model_cost.h"
#include "core/parameter/validation.h"

namespace flopsmith {
namespace {

/// The sum of an amount over the operations of a part, in either numbers.
template <class AmountOf>
PartCount summed(AmountOf amountOf)
{
    const auto sumOf = [amountOf](const auto& tree, int part, auto sum) {
        tree.forEachOperation(part, [&](const auto& operation, const auto& times) {
            sum += times * amountOf(operation.cost);
        });
        return sum;
    };
    return {.inLetters = [sumOf](const CostTree<GiNaC::ex>& tree,
                                 int part) { return sumOf(tree, part, GiNaC::ex(0)); },
            .inNumbers = [sumOf](const CostTree<Count>& tree,
                                 int part) { return sumOf(tree, part, Count{0}); }};
}

Formula written(const Scenario& scenario,
                const PartCount& count,
                const CountedTrees& trees,
                SymbolTable& table)
{
    const GiNaC::ex formula = count.inLetters(trees.letters, 0).expand();
    nameBlocks(scenario.model, table);
    table.nameSizesOf(formula);
    return writtenFormula(scenario, count, trees, 0, formula, table);
}

} // namespace

Result<Formula> elementFormula(const Scenario& scenario, ElementKind kind)
{
    if (const Status valid = validated(scenario); !valid.ok()) {
        return valid.error();
    }
    SymbolTable table;
    const Numbers<GiNaC::ex> letters(table);
    if (kind == ElementKind::cachePerToken) {
        return written(scenario,
                       summed([](const auto& cost) { return cost.traffic.kvWritten; }),
                       {.letters = cacheOfOneToken(scenario, letters),
                        .numbers = cacheOfOneToken(scenario, Numbers<Count>{})},
                       table);
    }
    return written(scenario,
                   summed([](const auto& cost) { return cost.parameters.trainable; }),
                   {.letters = costTree<GiNaC::ex>(scenario, PairsRule::exact, letters),
                    .numbers = costTree(scenario)},
                   table);
}

} // namespace flopsmith
