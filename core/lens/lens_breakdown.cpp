// SPDX-License-Identifier: MIT
#include "core/lens/lens_total.h"
#include "core/lens/waterfall.h"
#include "core/model/model_passes.h"

#include <numeric>

// Divides a lens's figure into topics that all lenses share, so that two lenses can be compared.
namespace flopsmith {
namespace {

using Node = CostTree<Count>::Node;

LensTopic topicOfProducts(const Node& node)
{
    if (isAttentionCore(node.kind)) {
        return LensTopic::attention;
    }
    if (node.kind == OpKind::scan) {
        return LensTopic::scans;
    }
    switch (node.place) {
    case ModelPlace::embedding: return LensTopic::embeddingProducts;
    case ModelPlace::head: return LensTopic::head;
    default: return LensTopic::linear;
    }
}

LensTopic topicOfOthers(const Node& node)
{
    switch (node.kind) {
    case OpKind::group:
    case OpKind::linear: return node.cost.count.mac > 0 ? LensTopic::biases : LensTopic::signedSums;
    case OpKind::scores:
    case OpKind::weightedSum: return LensTopic::scale;
    case OpKind::softmax: return LensTopic::softmax;
    case OpKind::norm:
    case OpKind::rmsNorm: return LensTopic::norms;
    case OpKind::activation: return LensTopic::activations;
    case OpKind::elementwise: return LensTopic::elementwise;
    case OpKind::residual: return LensTopic::residuals;
    case OpKind::lookup: return LensTopic::lookups;
    case OpKind::rotary: return LensTopic::rotary;
    case OpKind::transform: return LensTopic::transforms;
    case OpKind::filter: return LensTopic::filters;
    case OpKind::selection: return LensTopic::selections;
    case OpKind::scan: return LensTopic::scans;
    }
    return LensTopic::elementwise;
}

// Every operation under its topic, as a list of prices charges it.
LensBreakdown byOperation(const CostTree<Count>& tree, const PriceList& list)
{
    LensBreakdown parts{.perMac = list.perMac};
    for (int i = 0; i < tree.size(); ++i) {
        const Node& node = tree.node(i);
        if (node.kind == OpKind::group) {
            continue;
        }
        const Count times = tree.timesUsed(i);
        const Count dots = list.perDot * node.cost.count.dot;
        parts.macsOf(topicOfProducts(node)) += times * macsSeen<Count>(list, node);
        parts.othersOf(LensTopic::dots) += times * dots;
        parts.othersOf(topicOfOthers(node)) += times * (scalarsCharged<Count>(list, node) - dots);
    }
    return parts;
}

Count sum(const std::array<Count, kLensTopics>& amounts)
{
    return std::accumulate(amounts.begin(), amounts.end(), Count{0});
}

// With the pairs that the mask allows; the difference to other pairs is a topic of its own.
LensBreakdown operationBreakdown(const Scenario& scenario, LensId id)
{
    const PriceList& list = priceList(id);
    LensBreakdown parts = byOperation(costTree(scenario, PairsRule::exact), list);
    const LensBreakdown charged = byOperation(costTree(scenario, lens(id).pairs), list);
    parts.macsOf(LensTopic::pairs) = sum(charged.macs) - sum(parts.macs);
    parts.othersOf(LensTopic::pairs) = sum(charged.others) - sum(parts.others);
    return parts;
}

/// Parameters that are no matrix, and the table of tokens.
struct ParameterKinds
{
    Count norms = 0;
    Count biases = 0;
    Count tokenTable = 0;
};

enum class Within { wholeModel, blocks };

// A linear layer's parameters beyond one per multiply-add and token are its bias if it adds one.
Count biasParameters(const Node& node, Count times, Count tokens)
{
    const Count inMatrix = node.cost.count.mac / tokens;
    const Count beyond = node.cost.parameters.trainable - inMatrix;
    const bool isBias =
        node.kind == OpKind::linear && beyond > 0 && beyond * tokens == node.cost.count.add;
    return isBias ? times * beyond : 0;
}

ParameterKinds parameterKinds(const CostTree<Count>& tree, Count tokens, Within within)
{
    ParameterKinds kinds;
    for (int i = 0; i < tree.size(); ++i) {
        const Node& node = tree.node(i);
        const Count times = tree.timesUsed(i);
        if (within == Within::blocks
            && (isEmbedding(node.place) || node.place == ModelPlace::head)) {
            continue;
        }
        if (node.kind == OpKind::norm || node.kind == OpKind::rmsNorm) {
            kinds.norms += times * node.cost.parameters.trainable;
        } else if (node.place == ModelPlace::tokenTable) {
            kinds.tokenTable += times * node.cost.parameters.trainable;
        } else {
            kinds.biases += biasParameters(node, times, tokens);
        }
    }
    return kinds;
}

/// The breakdown of formulas: each topic from the model's real operations plus the formula's
/// deviation.
class FormulaBreakdown
{
public:
    explicit FormulaBreakdown(const Scenario& scenario)
        : m_phase(scenario.workload.phase)
        , m_forward(forwardPass(scenario))
        , m_visible(costTree(m_forward, PairsRule::exact))
        , m_sizes(formulaSizes(m_forward))
    {
        const Numbers<Count> numbers;
        m_seen = formulaSizes(m_visible,
                              passOf(m_forward, PairsRule::exact, numbers),
                              m_forward.model.embedding.vocab);
    }

    // Term by term, because a training step executes some terms more often than others. Empty where
    // the lens defines nothing.
    LensBreakdown of(LensId id)
    {
        LensBreakdown all{.perMac = lens(id).perMac()};
        if (!isDefined(id, m_phase)) {
            return all;
        }
        for (const FormulaTerm<Count>& term : forwardTerms(id, m_sizes)) {
            m_parts = {.perMac = all.perMac};
            add(term.kind, term.amount);
            addTimes(all, m_phase == Phase::train ? timesInTrainingStep(id, term) : 1);
        }
        return all;
    }

private:
    void add(TermKind kind, const Count& amount)
    {
        switch (kind) {
        case TermKind::blockParameters:
            addParameters(amount, parameterKinds(m_visible, m_sizes.tokens, Within::blocks));
            break;
        case TermKind::modelParameters: addModelParameters(amount); break;
        case TermKind::embeddingAsProduct:
            m_parts.macsOf(LensTopic::embeddingProducts) = m_sizes.embeddingProducts;
            m_parts.othersOf(LensTopic::embeddingAsProduct) =
                amount - 2 * m_sizes.embeddingProducts;
            break;
        case TermKind::products: m_parts.macsOf(LensTopic::linear) = m_sizes.blockProducts(); break;
        case TermKind::blocksAsDense:
            m_parts.macsOf(LensTopic::linear) = m_sizes.blockProducts();
            m_parts.othersOf(LensTopic::blockShape) = amount - 2 * m_sizes.blockProducts();
            break;
        case TermKind::attention: addAttention(amount / 2); break;
        case TermKind::attentionAsFull:
            addAttention(m_sizes.attentionCore());
            m_parts.othersOf(LensTopic::attentionShape) = amount - 2 * m_sizes.attentionCore();
            break;
        case TermKind::softmax: addSoftmax(amount); break;
        case TermKind::logits: m_parts.macsOf(LensTopic::head) = m_sizes.headProducts; break;
        case TermKind::logitsOfAllTokens:
            m_parts.macsOf(LensTopic::head) = m_sizes.headProducts;
            m_parts.othersOf(LensTopic::headShape) = amount - 2 * m_sizes.headProducts;
            break;
        case TermKind::mixerProductsOfOneToken: addOneToken(amount, m_sizes.mixerProducts); break;
        case TermKind::ffnProductsOfOneToken: addOneToken(amount, m_sizes.ffnProducts); break;
        case TermKind::attentionAsSquare: m_parts.othersOf(LensTopic::coreAsSquare) = amount; break;
        case TermKind::activations: m_parts.othersOf(LensTopic::activations) = amount; break;
        case TermKind::norms: m_parts.othersOf(LensTopic::norms) = amount; break;
        }
    }

    void addTimes(LensBreakdown& all, int times) const
    {
        for (std::size_t topic = 0; topic < kLensTopics; ++topic) {
            all.macs[topic] += times * m_parts.macs[topic];
            all.others[topic] += times * m_parts.others[topic];
        }
    }

    void addAttention(const Count& charged)
    {
        m_parts.macsOf(LensTopic::attention) = m_seen.attentionCore();
        m_parts.macsOf(LensTopic::pairs) = charged - m_seen.attentionCore();
    }

    // As much for each score, of the pairs that the mask allows and of all.
    void addSoftmax(const Count& amount)
    {
        const Count seen = m_sizes.softmax > 0 ? amount / m_sizes.softmax * m_seen.softmax : 0;
        m_parts.othersOf(LensTopic::softmax) = seen;
        m_parts.othersOf(LensTopic::pairs) = amount - seen;
    }

    void addOneToken(const Count& amount, const Count& products)
    {
        m_parts.macsOf(LensTopic::linear) += products;
        m_parts.macsOf(LensTopic::tokens) += amount - products;
    }

    void addModelParameters(const Count& amount)
    {
        const auto kinds = parameterKinds(m_visible, m_sizes.tokens, Within::wholeModel);
        const Head& head = m_forward.model.head;
        m_parts.macsOf(LensTopic::head) = m_sizes.headProducts;
        m_parts.macsOf(LensTopic::embeddingProducts) = m_sizes.embeddingProducts;
        if (head.kind != HeadKind::lm || !head.tied) {
            m_parts.othersOf(LensTopic::embeddingAsProduct) = 2 * m_sizes.tokens * kinds.tokenTable;
        }
        addParameters(amount, kinds);
    }

    // 2·N·T, the first term of a formula: matrices are products, the remaining parameters are
    // divided by kind as far as they are known.
    void addParameters(const Count& amount, const ParameterKinds& kinds)
    {
        const Count twice = 2 * m_sizes.tokens;
        m_parts.macsOf(LensTopic::linear) = m_sizes.blockProducts();
        m_parts.othersOf(LensTopic::normParameters) = twice * kinds.norms;
        m_parts.othersOf(LensTopic::biasParameters) = twice * kinds.biases;
        m_parts.othersOf(LensTopic::otherParameters) = amount - m_parts.total();
    }

    Phase m_phase;
    Scenario m_forward; ///< sizes are of a forward pass
    CostTree<Count> m_visible;
    FormulaSizes<Count> m_sizes; ///< all pairs
    FormulaSizes<Count> m_seen; ///< the pairs that the mask allows
    LensBreakdown m_parts; ///< of one term
};

} // namespace

Count LensBreakdown::allMacs() const
{
    return sum(macs);
}

Count LensBreakdown::total() const
{
    return perMac * sum(macs) + sum(others);
}

bool addsToTopic(const CostTree<Count>::Node& operation, LensTopic topic)
{
    const OpCount<Count>& count = operation.cost.count;
    if (operation.kind == OpKind::group) {
        return false;
    }
    switch (topic) {
    case LensTopic::dots: return count.dot != 0;
    case LensTopic::pairs:
        return isAttentionCore(operation.kind) || operation.kind == OpKind::softmax;
    case LensTopic::embeddingAsProduct: return isEmbedding(operation.place);
    default: break;
    }
    const PriceList& exact = priceList(LensId::exact);
    const Count others = scalarsCharged<Count>(exact, operation) - exact.perDot * count.dot;
    return (topic == topicOfProducts(operation) && count.mac != 0)
        || (topic == topicOfOthers(operation) && others != 0);
}

LensBreakdown lensBreakdown(const Scenario& scenario, LensId id)
{
    return lens(id).isFormula() ? FormulaBreakdown(scenario).of(id)
                                : operationBreakdown(scenario, id);
}

} // namespace flopsmith
