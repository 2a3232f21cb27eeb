// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"
#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/layer/embedding_rows.h"
#include "core/kernels/cuda/linear/linear.h"
#include "core/kernels/cuda/stage.h"

#include <algorithm>
#include <optional>
#include <span>

namespace flopsmith::cuda {

/// to = scale·(row of the table, or of `from` if there are no ids) + position row + type row; the
/// last two may be null.
struct Gather
{
    const float* from;
    const int* ids;
    float scale;
    const float* positions;
    std::int64_t positionRows;
    std::int64_t firstPosition;
    std::int64_t sequence;
    const float* type;
    std::int64_t width;
    float* to;

    template <int N>
    __device__ void operator()(std::int64_t token, std::int64_t column, Width<N>) const
    {
        const std::int64_t row = ids == nullptr ? token : ids[token];
        Pack<float, N> sum = load<N>(from + row * width + column);
        for (int i = 0; i < N; ++i) {
            sum.at[i] *= scale;
        }
        if (positions != nullptr) {
            const std::int64_t position = (firstPosition + token % sequence) % positionRows;
            add<N>(sum, positions + position * width + column);
        }
        if (type != nullptr) {
            add<N>(sum, type + column);
        }
        store<N>(to + token * width + column, sum);
    }

private:
    template <int N>
    __device__ static void add(Pack<float, N>& sum, const float* row)
    {
        const Pack<float, N> values = load<N>(row);
        for (int i = 0; i < N; ++i) {
            sum.at[i] += values.at[i];
        }
    }
};

/// Shared by both passes of an embedding: the tensors, and the sums before the norm.
class TokenRows
{
public:
    TokenRows(const Device& device,
              const Embedding& embedding,
              const Shape& shape,
              std::span<const int> tokenIds,
              DeviceWeights weights)
        : m_device(device)
        , m_embedding(embedding)
        , m_shape(shape)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_width(embedding.tableWidth(shape.dModel))
        , m_sumWidth(embedding.sumWidth(shape.dModel))
        , m_tables(static_cast<std::size_t>(embedding.tables()))
        , m_projectionAt(m_tables + flopsmith::weights(embedding.norm, 1).size())
        , m_table(weights[0].data())
        , m_ids(device.memory(), tokenIds)
        , m_positions(device,
                      embedding,
                      shape,
                      m_sumWidth,
                      embedding.positions == Positions::learned ? std::optional(weights[1])
                                                                : std::nullopt)
        , m_type(embedding.tokenTypes > 0 ? weights[m_tables - 1].data() : nullptr)
    {
        if (embedding.projects()) {
            const bool biased = embedding.projection == Projection::biased;
            m_projection.emplace(device,
                                 m_width,
                                 shape.dModel,
                                 weights[m_projectionAt],
                                 biased ? weights[m_projectionAt + 1] : DeviceSpan<const float>());
            m_rounded = RoundedRows(device, static_cast<std::size_t>(m_tokens * m_width));
            m_rows =
                DeviceBuffer<float>(device.memory(), static_cast<std::size_t>(m_tokens * m_width));
        }
    }

    bool projectsFirst() const
    {
        return m_embedding.projects() && !m_embedding.positionsBeforeProjection;
    }

    // Before the norm, [T, sumWidth].
    void sums(float* to)
    {
        if (!projectsFirst()) {
            gather(m_table, m_ids.data(), scale(), true, m_width, to);
            return;
        }
        gather(m_table, m_ids.data(), scale(), false, m_width, m_rows.data());
        project(m_rows.data(), to);
        gather(to, nullptr, 1.0F, true, m_sumWidth, to);
    }

    // [T, width] to [T, d].
    void project(const float* from, float* to)
    {
        m_projection->run(
            m_rounded.of(from, m_tokens, m_width), m_tokens, destinationAt(to, m_shape.dModel));
    }

    float scale() const
    {
        return m_embedding.scale ? static_cast<float>(embeddingScale(m_embedding, m_shape.dModel))
                                 : 1.0F;
    }

    const Device& m_device;
    Embedding m_embedding;
    Shape m_shape;
    std::int64_t m_tokens;
    int m_width; ///< of the token table
    int m_sumWidth; ///< of positions, token types and norm
    std::size_t m_tables;
    std::size_t m_projectionAt; ///< tensor index of its matrix
    const float* m_table;
    DeviceBuffer<int> m_ids;
    PositionRows m_positions;
    const float* m_type;
    std::optional<Linear> m_projection;
    RoundedRows m_rounded;
    DeviceBuffer<float> m_rows; ///< [T, width], looked up or normed, where they are projected

private:
    void gather(const float* from,
                const int* ids,
                float factor,
                bool adds,
                std::int64_t width,
                float* to) const
    {
        forEachElement(m_device,
                       m_tokens,
                       width,
                       Gather{.from = from,
                              .ids = ids,
                              .scale = factor,
                              .positions = adds ? m_positions.table() : nullptr,
                              .positionRows = m_positions.rows(),
                              .firstPosition = m_positions.first(),
                              .sequence = m_shape.sequence,
                              .type = adds ? m_type : nullptr,
                              .width = width,
                              .to = to});
    }
};

/// Stops the program on a token id that is not in the table.
inline void expectNumbers(const Embedding& embedding, std::span<const int> tokenIds)
{
    FLOPSMITH_CHECK(std::all_of(
        tokenIds.begin(), tokenIds.end(), [&](int id) { return id >= 0 && id < embedding.vocab; }));
}

} // namespace flopsmith::cuda
