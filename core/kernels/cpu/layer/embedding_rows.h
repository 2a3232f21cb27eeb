// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/layer/embedding.h"

#include <cstddef>

namespace flopsmith::cpu {

/// The rows of an embedding's tables for each token. The weights are borrowed.
class EmbeddingRows
{
public:
    EmbeddingRows(const Embedding& embedding, const Shape& shape, WeightView<float> weights);

    /// The token table's row, scaled if the embedding is.
    void lookUp(int tokenId, float* y) const;

    /// Adds the rows of position and token type of token number `token`.
    void addTables(std::size_t token, float* y) const;

    /// A token's row of the learned position table.
    std::size_t positionRow(std::size_t token) const;

private:
    std::size_t inSequence(std::size_t token) const;

    Embedding m_embedding;
    std::size_t m_width; ///< of the token table
    std::size_t m_sumWidth; ///< of positions and token types
    float m_scale;
    std::size_t m_sequence;
    std::size_t m_firstPosition;
    WeightView<float> m_weights;
    Buffer m_sinusoidal; ///< [S, sumWidth]
};

} // namespace flopsmith::cpu
