// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/embedding_rows.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

void addRow(const float* row, float* to, std::size_t d)
{
    for (std::size_t j = 0; j < d; ++j) {
        to[j] += row[j];
    }
}

} // namespace

EmbeddingRows::EmbeddingRows(const Embedding& embedding,
                             const Shape& shape,
                             WeightView<float> weights)
    : m_embedding(embedding)
    , m_width(static_cast<std::size_t>(shape.dModel))
    , m_sequence(static_cast<std::size_t>(shape.sequence))
    , m_firstPosition(static_cast<std::size_t>(shape.context - shape.sequence))
    , m_weights(weights)
    , m_sinusoidal(embedding.positions == Positions::sinusoidal ? m_sequence * m_width : 0)
{
    for (std::size_t i = 0; i < m_sinusoidal.size(); ++i) {
        const auto position = static_cast<int>(m_firstPosition + i / m_width);
        const auto feature = static_cast<int>(i % m_width);
        m_sinusoidal.data()[i] =
            static_cast<float>(sinusoidalPosition(position, feature, shape.dModel));
    }
}

void EmbeddingRows::sum(int tokenId, std::size_t token, float* y) const
{
    std::size_t table = 0;
    const float* row = m_weights[table++].data() + static_cast<std::size_t>(tokenId) * m_width;
    std::copy_n(row, m_width, y);
    if (m_embedding.positions == Positions::learned) {
        addRow(m_weights[table++].data() + positionRow(token) * m_width, y, m_width);
    } else if (m_embedding.positions == Positions::sinusoidal) {
        addRow(m_sinusoidal.data() + inSequence(token) * m_width, y, m_width);
    }
    if (m_embedding.tokenTypes > 0) {
        addRow(m_weights[table].data(), y, m_width);
    }
}

std::size_t EmbeddingRows::positionRow(std::size_t token) const
{
    return (m_firstPosition + inSequence(token))
        % static_cast<std::size_t>(m_embedding.positionRows);
}

std::size_t EmbeddingRows::tables() const
{
    return 1 + (m_embedding.positions == Positions::learned ? 1 : 0)
        + (m_embedding.tokenTypes > 0 ? 1 : 0);
}

std::size_t EmbeddingRows::inSequence(std::size_t token) const
{
    return token % m_sequence;
}

Count embeddingRowsBytes(const Embedding& embedding, const Shape& shape)
{
    return embedding.positions == Positions::sinusoidal
        ? Count{sizeof(float)} * shape.sequence * shape.dModel
        : Count{0};
}

} // namespace flopsmith::cpu
