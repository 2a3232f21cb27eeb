// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/formula.h"

#include "core/formula/canonical_sum.h"
#include "core/formula/constraints.h"
#include "core/formula/part_count.h"
#include "core/formula/symbol_meanings.h"
#include "core/lens/lens_total.h"
#include "core/model/model_cost.h"
#include "core/model/model_passes.h"
#include "core/parameter/validation.h"

#include <algorithm>
#include <charconv>

namespace flopsmith {
namespace {

// "blocks[7]/ffn" names block 7; the tree has a node per run of equal blocks, named by its first.
std::string pathInTree(std::string_view part, const Model& model)
{
    constexpr std::string_view kBlocks = "blocks[";
    int block = 0;
    // At the beginning, or in a training step after "forward/" or "backward/".
    const std::size_t start = part.find(kBlocks);
    const std::size_t end = part.find(']', start);
    const bool isSegment = start == 0 || (start < part.size() && part[start - 1] == '/');
    if (!isSegment || end == std::string_view::npos) {
        return std::string(part);
    }
    const char* last = part.data() + end;
    const auto read = std::from_chars(part.data() + start + kBlocks.size(), last, block);
    const int run = model.runOf(block);
    if (read.ec != std::errc() || read.ptr != last || run < 0) {
        return std::string(part);
    }
    return std::string(part.substr(0, start)) + std::string(kBlocks)
        + std::to_string(model.firstBlock(run)) + std::string(part.substr(end));
}

bool endsWith(const std::string& path, const std::string& end)
{
    return path.size() > end.size()
        && path.compare(path.size() - end.size() - 1, std::string::npos, "/" + end) == 0;
}

std::string knownParts(const CostTree<Count>& tree)
{
    std::string text = "model, block";
    for (int i = 1; i < tree.size(); ++i) {
        if (tree.node(i).parent == 0 || tree.node(i).kind == OpKind::group) {
            text += ", " + tree.path(i);
        }
    }
    return text + " and the operations inside them";
}

// The node that a person's text names.
Result<int> nodeNamed(std::string_view part, const CostTree<Count>& tree, const Model& model)
{
    if (part.empty() || part == "model") {
        return 0;
    }
    const std::string path = pathInTree(part, model);
    int ending = 0;
    for (int i = 1; i < tree.size(); ++i) {
        if (tree.path(i) == path || (part == "block" && tree.node(i).name == "blocks")) {
            return i;
        }
        if (ending == 0 && endsWith(tree.path(i), path)) {
            ending = i;
        }
    }
    if (ending > 0) {
        return ending;
    }
    return Error{"the model has no part \"" + std::string(part) + "\"; its parts are "
                 + knownParts(tree)};
}

// A lens that is a formula already, in letters.
template <class N>
N wholeModel(const Scenario& scenario, LensId lensId, const Numbers<N>& letters)
{
    N sum{0};
    for (const FormulaTerm<N>& term : formulaTerms(scenario, lensId, letters)) {
        sum += term.amount;
    }
    return sum;
}

bool hasNominalFfts(LensId lensId, const CostTree<Count>& tree, int part)
{
    bool found = false;
    tree.forEachOperation(part, [&](const CostTree<Count>::Node& operation, const Count&) {
        found = found || isNominal(lensId, operation);
    });
    return found;
}

} // namespace

Result<Formula> formulaOf(const Scenario& scenario,
                          std::string_view part,
                          LensId lensId,
                          std::span<const std::string> simplify,
                          std::optional<PairsRule> pairs)
{
    if (const Status valid = validated(scenario); !valid.ok()) {
        return valid.error();
    }
    const bool ofWholeModel = lens(lensId).isFormula();
    if (ofWholeModel && !part.empty() && part != "model") {
        return Error{"the lens " + std::string(lens(lensId).name)
                     + " is a formula for the whole model and has none for \"" + std::string(part)
                     + "\"; leave the part out, or take another lens"};
    }
    if (const Status defined = lensIsDefined(lensId, scenario.workload); !defined.ok()) {
        return defined.error();
    }
    const PairsRule rule = ofWholeModel ? PairsRule::full : pairs.value_or(lens(lensId).pairs);
    const CostTree<Count> numbers = costTree(scenario, rule);
    const Result<int> node = nodeNamed(part, numbers, scenario.model);
    if (!node.ok()) {
        return node.error();
    }
    SymbolTable table;
    const Numbers<GiNaC::ex> letters(table);
    const CostTree<GiNaC::ex> tree = costTree<GiNaC::ex>(scenario, rule, letters);
    GiNaC::ex formula = ofWholeModel ? wholeModel<GiNaC::ex>(scenario, lensId, letters).expand()
                                     : pricedPart(lensId, tree, node.value()).expand();
    nameBlocks(scenario.model, table);
    table.nameSizesOf(formula);
    const Result<GiNaC::exmap> substitutions = substitutionsFrom(simplify, table);
    if (!substitutions.ok()) {
        return substitutions.error();
    }
    formula = table.substituted(formula, substitutions.value());

    if (ofWholeModel) {
        const CanonicalSum sum(formula, table);
        return Formula{.path = "",
                       .text = sum.text(),
                       .latex = sum.latex(),
                       .numbers = sum.numbers(),
                       .value = lensTotal(scenario, lensId).figure.value(),
                       .symbols = SymbolMeanings(scenario).explained(sum.sizes())};
    }
    Formula written = writtenFormula(scenario,
                                     chargedBy(lensId),
                                     {.letters = tree, .numbers = numbers},
                                     node.value(),
                                     formula,
                                     table,
                                     !simplify.empty());
    written.nominal = hasNominalFfts(lensId, numbers, node.value());
    return written;
}

} // namespace flopsmith
