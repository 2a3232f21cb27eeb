// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/part_count.h"

#include "core/formula/block_sums.h"
#include "core/formula/canonical_sum.h"
#include "core/formula/symbol_meanings.h"

namespace flopsmith {

PartCount chargedBy(LensId lens)
{
    return {.inLetters = [lens](const CostTree<GiNaC::ex>& tree,
                                int part) { return pricedPart(lens, tree, part); },
            .inNumbers = [lens](const CostTree<Count>& tree,
                                int part) { return pricedPart(lens, tree, part); }};
}

Formula writtenFormula(const Scenario& scenario,
                       const PartCount& count,
                       const CountedTrees& trees,
                       int part,
                       const GiNaC::ex& formula,
                       const SymbolTable& table,
                       bool isSimplified)
{
    const Count value = count.inNumbers(trees.numbers, part);
    if (part == 0 && !isSimplified && wantsBlockSums(formula, table)) {
        const BlockSums sums = blockSums(count, trees.letters, trees.numbers, table);
        return {.path = "",
                .text = sums.text,
                .latex = sums.latex,
                .numbers = sums.numbers,
                .value = value,
                .symbols = SymbolMeanings(scenario).explained(sums.symbols)};
    }
    const CanonicalSum sum(formula, table);
    return {.path = trees.numbers.path(part),
            .text = sum.text(),
            .latex = sum.latex(),
            .numbers = sum.numbers(),
            .value = value,
            .symbols = SymbolMeanings(scenario).explained(sum.sizes())};
}

} // namespace flopsmith
