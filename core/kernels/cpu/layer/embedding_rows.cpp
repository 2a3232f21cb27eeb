// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer/embedding_rows.h"

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
    , m_width(static_cast<std::size_t>(embedding.tableWidth(shape.dModel)))
    , m_sumWidth(static_cast<std::size_t>(embedding.sumWidth(shape.dModel)))
    , m_scale(static_cast<float>(embeddingScale(embedding, shape.dModel)))
    , m_sequence(static_cast<std::size_t>(shape.sequence))
    , m_firstPosition(static_cast<std::size_t>(shape.context - shape.sequence))
    , m_weights(weights)
    , m_sinusoidal(embedding.positions == Positions::sinusoidal ? m_sequence * m_sumWidth : 0)
{
    for (std::size_t i = 0; i < m_sinusoidal.size(); ++i) {
        const auto position = static_cast<int>(m_firstPosition + i / m_sumWidth);
        const auto feature = static_cast<int>(i % m_sumWidth);
        m_sinusoidal.data()[i] =
            static_cast<float>(sinusoidalPosition(position, feature, static_cast<int>(m_sumWidth)));
    }
}

void EmbeddingRows::lookUp(int tokenId, float* y) const
{
    const float* row = m_weights[0].data() + static_cast<std::size_t>(tokenId) * m_width;
    std::copy_n(row, m_width, y);
    for (std::size_t j = 0; m_embedding.scale && j < m_width; ++j) {
        y[j] *= m_scale;
    }
}

void EmbeddingRows::addTables(std::size_t token, float* y) const
{
    std::size_t table = 1;
    if (m_embedding.positions == Positions::learned) {
        addRow(m_weights[table++].data() + positionRow(token) * m_sumWidth, y, m_sumWidth);
    } else if (m_embedding.positions == Positions::sinusoidal) {
        addRow(m_sinusoidal.data() + inSequence(token) * m_sumWidth, y, m_sumWidth);
    }
    if (m_embedding.tokenTypes > 0) {
        addRow(m_weights[table].data(), y, m_sumWidth);
    }
}

std::size_t EmbeddingRows::positionRow(std::size_t token) const
{
    return (m_firstPosition + inSequence(token))
        % static_cast<std::size_t>(m_embedding.positionRows);
}

std::size_t EmbeddingRows::inSequence(std::size_t token) const
{
    return token % m_sequence;
}

} // namespace flopsmith::cpu
