// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/count/lens.h"
#include "core/model/model.h"

#include <cstddef>
#include <tuple>
#include <vector>

namespace flopsmith {

/// Reads them off a cost tree.
template <class N>
class FormulaSizesReader
{
public:
    FormulaSizesReader(const CostTree<N>& tree, const Pass<N>& pass, int vocab)
        : m_tree(tree)
        , m_sizes{.tokens = pass.tokens(),
                  .context = pass.context,
                  .dModel = pass.dModel,
                  .vocab = pass.numbers("V", vocab)}
    {}

    FormulaSizes<N> read()
    {
        for (int i = 0; i < m_tree.size(); ++i) {
            const auto& node = m_tree.node(i);
            if (node.kind != OpKind::group) {
                add(node, m_tree.timesUsed(i));
            } else if (node.name == "blocks" && node.parent == 0) {
                m_sizes.layers += node.repeat;
            }
        }
        return m_sizes;
    }

private:
    using Node = typename CostTree<N>::Node;

    void add(const Node& node, const N& times)
    {
        addParameters(node, times * node.cost.parameters.trainable);
        if (node.kind == OpKind::linear) {
            addProducts(node.place, times * node.cost.count.mac);
        } else if (node.kind == OpKind::scores) {
            m_sizes.scores += times * node.cost.count.mac;
            m_sizes.attentionLayers += times;
        } else if (node.kind == OpKind::weightedSum) {
            m_sizes.weightedSums += times * node.cost.count.mac;
        } else {
            addElements(node, times * node.elements);
        }
    }

    void addParameters(const Node& node, const N& trainable)
    {
        m_sizes.parameters += trainable;
        if (isEmbedding(node.place)) {
            m_sizes.embeddingParameters += trainable;
            if (node.place == ModelPlace::positionTable) {
                m_sizes.positionParameters += trainable;
            }
        } else if (node.place == ModelPlace::head) {
            m_sizes.headParameters += trainable;
        }
    }

    void addProducts(ModelPlace place, const N& macs)
    {
        switch (place) {
        case ModelPlace::embedding: m_sizes.embeddingProducts += macs; break;
        case ModelPlace::head: m_sizes.headProducts += macs; break;
        case ModelPlace::mixer: m_sizes.mixerProducts += macs; break;
        default: m_sizes.ffnProducts += macs; break;
        }
    }

    void addElements(const Node& node, const N& elements)
    {
        const bool norm = node.kind == OpKind::norm || node.kind == OpKind::rmsNorm;
        if (norm && !isEmbedding(node.place)) {
            m_sizes.norms += elements;
        } else if (node.kind == OpKind::softmax && node.place == ModelPlace::mixer) {
            m_sizes.softmax += elements;
        } else if (node.kind == OpKind::activation && node.place == ModelPlace::ffn) {
            m_sizes.activations += elements;
        } else if (node.place == ModelPlace::tokenTable) {
            m_sizes.tokenLookups += elements;
        }
    }

    const CostTree<N>& m_tree;
    FormulaSizes<N> m_sizes;
};

/// From a tree in which all query-key pairs are charged, as every formula has them.
template <class N>
FormulaSizes<N> formulaSizes(const CostTree<N>& tree, const Pass<N>& pass, int vocab)
{
    return FormulaSizesReader<N>(tree, pass, vocab).read();
}

/// A summand of a formula with its amount.
template <class N>
struct FormulaTerm : FormulaSummand
{
    N amount{0};
};

template <class N>
using FormulaTerms = std::vector<FormulaTerm<N>>;

template <class Descriptor, class N>
FormulaTerms<N> termsOf(const FormulaSizes<N>& s)
{
    const auto amounts = Descriptor::amounts(s);
    static_assert(std::tuple_size_v<decltype(amounts)> == Descriptor::kSummands.size());
    FormulaTerms<N> terms;
    for (std::size_t i = 0; i < amounts.size(); ++i) {
        terms.push_back({Descriptor::kSummands[i], amounts[i]});
    }
    return terms;
}

/// A lens that is a formula, for one forward pass: its figure is the sum of the terms.
template <class N>
FormulaTerms<N> forwardTerms(LensId id, const FormulaSizes<N>& s)
{
    switch (id) {
#define FLOPSMITH_FORMULA_TERMS(name, Descriptor)                                                  \
    case LensId::name: return termsOf<Descriptor>(s);
        FLOPSMITH_FORMULA_LENSES(FLOPSMITH_FORMULA_TERMS)
#undef FLOPSMITH_FORMULA_TERMS
    default: return {};
    }
}

/// Whether the lens defines such a pass: some authors define no training step.
inline bool isDefined(LensId id, Phase phase)
{
    return phase != Phase::train || !lens(id).isFormula() || lens(id).trainingFactor > 0;
}

/// How often a training step has a term: forward, twice backward, and once more if it is recomputed.
inline int timesInTrainingStep(LensId id, const FormulaSummand& term)
{
    return lens(id).trainingFactor - (term.isRecomputed ? 0 : 1);
}

/// A lens that is a formula, for a pass or a training step: its figure is the sum of the terms. The
/// sizes are those of a forward pass in either case. No terms where it defines nothing.
template <class N>
FormulaTerms<N> formulaTerms(LensId id, const FormulaSizes<N>& s, Phase phase)
{
    if (!isDefined(id, phase)) {
        return {};
    }
    FormulaTerms<N> terms = forwardTerms(id, s);
    if (phase == Phase::train) {
        for (FormulaTerm<N>& term : terms) {
            term.amount = N(timesInTrainingStep(id, term)) * term.amount;
        }
    }
    return terms;
}

} // namespace flopsmith
