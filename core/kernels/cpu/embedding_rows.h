// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/layer/embedding.h"

#include <cstddef>

namespace flopsmith::cpu {

/// Which rows of an embedding's tables belong to a token. The weights are lent.
class EmbeddingRows
{
public:
    EmbeddingRows(const Embedding& embedding, const Shape& shape, WeightView<float> weights);

    /// The sum of the rows of the `token`-th of all tokens, before the norm.
    void sum(int tokenId, std::size_t token, float* y) const;

    /// Row of the learned position table.
    std::size_t positionRow(std::size_t token) const;

    /// Learned tables: the norm's weights follow them.
    std::size_t tables() const;

    std::size_t bytes() const { return m_sinusoidal.bytes(); }

private:
    std::size_t inSequence(std::size_t token) const;

    Embedding m_embedding;
    std::size_t m_width;
    std::size_t m_sequence;
    std::size_t m_firstPosition;
    WeightView<float> m_weights;
    Buffer m_sinusoidal; ///< [S, d]
};

/// What an EmbeddingRows will allocate.
Count embeddingRowsBytes(const Embedding& embedding, const Shape& shape);

} // namespace flopsmith::cpu
