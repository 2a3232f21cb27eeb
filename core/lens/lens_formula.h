// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/count/lens.h"
#include "core/model/model.h"

#include <string_view>
#include <vector>

namespace flopsmith {

/// What published formulas are made of, taken from the cost tree, so that they hold for any model
/// as far as they can. All sums are those of one pass.
template <class N>
struct FormulaSizes
{
    N tokens; ///< B·S
    N context; ///< C
    N dModel;
    N vocab;
    N layers{0};
    N attentionLayers{0}; ///< that have scores
    // parameters, trainable
    N parameters{0};
    N embeddingParameters{0};
    N positionParameters{0}; ///< of them, those of a learned position table
    N headParameters{0};
    // multiply-adds
    N embeddingProducts{0}; ///< patch embedding, projection of a narrower table
    N mixerProducts{0}; ///< projections
    N ffnProducts{0};
    N headProducts{0};
    N scores{0};
    N weightedSums{0};
    // elements
    N tokenLookups{0};
    N softmax{0};
    N activations{0}; ///< of FFNs
    N norms{0}; ///< besides the embedding's

    N blockProducts() const { return mixerProducts + ffnProducts; }
    N attentionCore() const { return scores + weightedSums; }
    N nonEmbedding() const { return parameters - embeddingParameters - headParameters; }
};

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

/// A summand of a formula.
template <class N>
struct FormulaTerm
{
    std::string_view name;
    N amount{0};
};

template <class N>
using FormulaTerms = std::vector<FormulaTerm<N>>;

/// The quotient where every token does the same; a number is rounded down.
template <class N>
N perToken(const N& amount, const FormulaSizes<N>& s)
{
    return amount / s.tokens;
}

/// A lens that is a formula, for one forward pass. Their sum is what the lens says.
///   kaplan      2·N·T, N without embeddings and head; 2·L·C·(H·h)·T
///   palm        2·N·T, N without a position table; 4·L·H·h·C·T
///   chinchilla  embedding 2·T·V·d; products 2·mac; softmax 3 per score; logits 2·mac
///   megatron    24·T·l·h²; 4·T·s·l·h; 2·T·h·V
///   yu          24·T·D² and 4·T·D·C per block
///   per_token   (projections + d² per attention + FFN products + 2 per element of activations and
///               norms) of one token
template <class N>
FormulaTerms<N> formulaTerms(LensId id, const FormulaSizes<N>& s)
{
    const N perBlock = s.tokens * s.layers * s.dModel;
    switch (id) {
    case LensId::kaplan:
        return {{"2N, N without embeddings", N(2) * s.nonEmbedding() * s.tokens},
                {"context, 2·L·C·(H·h)", N(2) * s.scores}};
    case LensId::palm:
        return {{"2N, all parameters", N(2) * (s.parameters - s.positionParameters) * s.tokens},
                {"context, 4·L·(H·h)·C", N(2) * s.attentionCore()}};
    case LensId::chinchilla:
        return {{"embedding as a product",
                 N(2) * s.tokenLookups * s.vocab + N(2) * s.embeddingProducts},
                {"projections and FFNs", N(2) * s.blockProducts()},
                {"scores and weighted sums", N(2) * s.attentionCore()},
                {"softmax, 3 per score", N(3) * s.softmax},
                {"logits", N(2) * s.headProducts}};
    case LensId::megatron:
        return {{"24·B·s·l·h²", N(24) * perBlock * s.dModel},
                {"4·B·s²·l·h", N(4) * perBlock * s.context},
                {"2·B·s·h·V", N(2) * s.tokens * s.dModel * s.vocab}};
    case LensId::yu:
        return {{"24·D²·L", N(24) * perBlock * s.dModel}, {"4·D·L²", N(4) * perBlock * s.context}};
    case LensId::perToken:
        return {{"projections", perToken(s.mixerProducts, s)},
                {"core of attention, d²", s.attentionLayers * s.dModel * s.dModel},
                {"FFNs", perToken(s.ffnProducts, s)},
                {"activations, 2 per element", N(2) * perToken(s.activations, s)},
                {"norms, 2 per element", N(2) * perToken(s.norms, s)}};
    default: return {};
    }
}

} // namespace flopsmith
