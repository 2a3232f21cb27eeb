// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace flopsmith {

/// What a term of a formula represents in the model. Waterfalls, remarks and the list of what a
/// lens cannot see follow from it.
enum class TermKind {
    blockParameters, ///< 2·N·T with N without embeddings
    modelParameters, ///< 2·N·T with N of the whole model
    embeddingAsProduct, ///< the look-up of tokens as a product with the whole table
    products, ///< projections and FFNs of the model
    blocksAsDense, ///< the same, as if every block were full attention and a dense FFN of f = 4d
    attention, ///< scores and weighted sums, or one of both
    attentionAsFull, ///< both, as if attention were d wide in every block
    softmax,
    logits, ///< logits of the model
    logitsOfAllTokens, ///< as if there were logits for every token
    mixerProductsOfOneToken,
    ffnProductsOfOneToken,
    attentionAsSquare, ///< d² per attention, whatever the context
    activations,
    norms,
};

/// A term of a formula without its amount.
struct FormulaSummand
{
    std::string_view name;
    TermKind kind;
    bool isRecomputed = true; ///< if the authors' training step recomputes the forward pass
};

} // namespace flopsmith
