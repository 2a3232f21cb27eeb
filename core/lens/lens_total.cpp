// SPDX-License-Identifier: MIT
#include "core/lens/lens_total.h"

#include "core/base/text.h"
#include "core/model/model_passes.h"

#include <algorithm>

namespace flopsmith {
namespace {

// Remarks on whatever makes N·T differ from the model's products: experts that a token does not
// use, parameters that are used more than once.
void remarkOnParameters(const CostTree<Count>& tree, std::vector<std::string>& remarks)
{
    const ParameterCount<Count> all = tree.total().parameters;
    bool shared = false;
    for (const auto& node : tree.nodes()) {
        shared = shared || node.place == ModelPlace::stored;
    }
    if (all.active != all.trainable) {
        remarks.push_back("N holds all parameters, of which a token uses only "
                          + siText(toDouble(all.active))
                          + ": for this model the figure is too high");
    }
    if (shared) {
        remarks.emplace_back(
            "N holds shared parameters once although every block computes with them: for this "
            "model the figure is too low");
    }
}

// Whether each token multiplies by every parameter of the blocks once, except norms and biases: the
// assumption of N·T.
bool blocksMultiplyByEveryParameter(const CostTree<Count>& tree, const Count& tokens)
{
    for (int i = 0; i < tree.size(); ++i) {
        const auto& node = tree.node(i);
        const Count parameters = node.cost.parameters.trainable;
        const bool inBlocks = node.place == ModelPlace::mixer || node.place == ModelPlace::ffn;
        if (!inBlocks || node.kind == OpKind::group || node.kind == OpKind::norm
            || node.kind == OpKind::rmsNorm) {
            continue;
        }
        const Count beyond = tokens * parameters - node.cost.count.mac;
        const bool isScore = isAttentionCore(node.kind); // multiplies tokens by tokens
        if (!isScore && beyond != 0 && beyond != node.cost.count.add) {
            return false;
        }
    }
    return true;
}

// For Megatron's and the MambaOut equation, which have one kind of block.
void remarkOnBlocks(const FormulaSizes<Count>& s, std::vector<std::string>& remarks)
{
    const Count taken = 12 * s.tokens * s.layers * s.dModel * s.dModel;
    if (s.blockProducts() != taken) {
        remarks.push_back("every block is taken as full attention and a dense FFN of f = 4d; this "
                          "model's linear layers have "
                          + siText(toDouble(s.blockProducts())) + " multiply-adds instead of "
                          + siText(toDouble(taken)));
    }
    const Count core = 2 * s.tokens * s.layers * s.dModel * s.context;
    if (s.attentionCore() != core) {
        remarks.push_back("attention is taken as d wide in every block; this model's has "
                          + siText(toDouble(s.attentionCore())) + " multiply-adds instead of "
                          + siText(toDouble(core)));
    }
}

// Work in the blocks that a formula has no term for: FFTs, filters, selections, recurrences.
void remarkOnUnseen(LensId id, const CostTree<Count>& tree, std::vector<std::string>& remarks)
{
    std::vector<std::string_view> kinds;
    for (const auto& node : tree.nodes()) {
        const bool substance = node.kind == OpKind::transform || node.kind == OpKind::filter
            || node.kind == OpKind::selection || node.kind == OpKind::scan
            || (node.kind == OpKind::linear && node.cost.count.mac == 0);
        if (substance && isBlindTo(id, node)
            && std::find(kinds.begin(), kinds.end(), node.component->title) == kinds.end()) {
            kinds.push_back(node.component->title);
        }
    }
    std::string list;
    for (const std::string_view kind : kinds) {
        list += (list.empty() ? "" : ", ") + std::string(kind);
    }
    if (!list.empty()) {
        remarks.push_back("the formula has no term for " + list);
    }
}

bool hasTerm(LensId id, TermKind kind)
{
    const auto summands = formulaSummands(id);
    return std::any_of(summands.begin(), summands.end(), [kind](const FormulaSummand& each) {
        return each.kind == kind;
    });
}

std::vector<std::string> formulaRemarks(LensId id,
                                        const CostTree<Count>& tree,
                                        const FormulaSizes<Count>& s)
{
    std::vector<std::string> remarks;
    if (hasTerm(id, TermKind::blockParameters) || hasTerm(id, TermKind::modelParameters)) {
        remarkOnParameters(tree, remarks);
        if (remarks.empty() && !blocksMultiplyByEveryParameter(tree, s.tokens)) {
            remarks.emplace_back(
                "N\xC2\xB7T is taken for the work of the blocks, but in this model "
                "some parameters are not multiplied once by every token");
        }
    }
    if (hasTerm(id, TermKind::blocksAsDense)) {
        remarkOnBlocks(s, remarks);
    }
    if (hasTerm(id, TermKind::logitsOfAllTokens)
        && s.headProducts != s.tokens * s.dModel * s.vocab) {
        remarks.emplace_back("logits of all tokens are part of the formula; this model has others "
                             "or none");
    }
    if (s.embeddingProducts > 0 && !hasTerm(id, TermKind::embeddingAsProduct)) {
        remarks.emplace_back("products of the embedding (patches, a projection) have no term");
    }
    remarkOnUnseen(id, tree, remarks);
    return remarks;
}

Count sum(const FormulaTerms<Count>& terms)
{
    Count sum = 0;
    for (const FormulaTerm<Count>& term : terms) {
        sum += term.amount;
    }
    return sum;
}

std::optional<Count> trainingStep(const Scenario& scenario, LensId id, const LensTotal& total)
{
    const int factor = lens(id).trainingFactor;
    const Phase phase = scenario.workload.phase;
    if (factor == 0 || phase == Phase::decode) {
        return std::nullopt;
    }
    if (!lens(id).isFormula()) {
        return factor
            * (phase == Phase::train
                   ? pricedPart(id, costTree(forwardPass(scenario), lens(id).pairs), 0)
                   : *total.figure);
    }
    if (phase == Phase::train) {
        return total.figure;
    }
    Count step = 0;
    for (const FormulaTerm<Count>& term : total.terms) {
        step += timesInTrainingStep(id, term) * term.amount;
    }
    return step;
}

} // namespace

Scenario forwardPass(const Scenario& scenario)
{
    Scenario forward = scenario;
    if (forward.workload.phase == Phase::train) {
        forward.workload.phase = Phase::prefill;
    }
    return forward;
}

FormulaSizes<Count> formulaSizes(const Scenario& scenario)
{
    const Scenario forward = forwardPass(scenario);
    const Numbers<Count> numbers;
    return formulaSizes(costTree(forward, PairsRule::full),
                        passOf(forward, PairsRule::full, numbers),
                        forward.model.embedding.vocab);
}

std::optional<Count> formulaFigure(const Scenario& scenario, LensId id)
{
    if (!isDefined(id, scenario.workload.phase)) {
        return std::nullopt;
    }
    return sum(formulaTerms(id, formulaSizes(scenario), scenario.workload.phase));
}

Status lensIsDefined(LensId id, const Workload& workload)
{
    if (isDefined(id, workload.phase)) {
        return Done{};
    }
    return Error{"the lens " + std::string(lens(id).name)
                 + " defines no training step; choose another lens, or the phase prefill"};
}

LensTotal lensTotal(const Scenario& scenario, LensId id)
{
    return lensTotal(scenario, id, costTree(scenario, lens(id).pairs));
}

LensTotal lensTotal(const Scenario& scenario, LensId id, const CostTree<Count>& tree)
{
    LensTotal total;
    if (!lens(id).isFormula()) {
        total.figure = pricedPart(id, tree, 0);
    } else if (const Status defined = lensIsDefined(id, scenario.workload); !defined.ok()) {
        total.remarks.push_back(defined.error().message);
    } else {
        const Phase phase = scenario.workload.phase;
        const FormulaSizes<Count> sizes = formulaSizes(scenario);
        total.terms = formulaTerms(id, sizes, phase);
        total.figure = sum(total.terms);
        total.remarks = phase == Phase::train
            ? formulaRemarks(id, costTree(forwardPass(scenario), lens(id).pairs), sizes)
            : formulaRemarks(id, tree, sizes);
    }
    total.training = trainingStep(scenario, id, total);
    return total;
}

} // namespace flopsmith
