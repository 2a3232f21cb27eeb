// SPDX-License-Identifier: MIT
#pragma once

namespace flopsmith {

/// The quantities in published formulas, taken from the cost tree, so that formulas apply to any
/// model as far as possible. All sums are of one pass.
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
    N positionParameters{0}; ///< the part of them in a learned position table
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

/// The quotient per token; numbers are rounded down.
template <class N>
N perToken(const N& amount, const FormulaSizes<N>& s)
{
    return amount / s.tokens;
}

} // namespace flopsmith
