// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/embedding_rows.h"
#include "core/kernels/cpu/gradient_output.h"
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/norm_backward.h"
#include "core/kernels/cpu/preparation.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

bool hasNorm(const Embedding& embedding)
{
    return embedding.norm.kind != NormKind::none;
}

class EmbeddingBackwardKernel : public Kernel
{
public:
    EmbeddingBackwardKernel(const Embedding& embedding,
                            const Shape& shape,
                            WeightView<float> weights,
                            std::span<const int> tokenIds,
                            std::span<const float> dy,
                            Threads threads)
        : m_embedding(embedding)
        , m_dModel(shape.dModel)
        , m_tokenIds(tokenIds)
        , m_dy(dy)
        , m_threads(threads)
        , m_output(0, flopsmith::weights(embedding, shape.dModel))
        , m_rows(embedding, shape, weights)
        , m_norm(embedding.norm,
                 static_cast<std::int64_t>(shape.tokens()),
                 shape.dModel,
                 weights.subspan(m_rows.tables()),
                 m_output.gradients().subspan(m_rows.tables()),
                 threads)
        , m_dSums(hasNorm(embedding) ? dy.size() : 0)
    {
        if (hasNorm(embedding)) {
            for (std::size_t t = 0; t < tokenIds.size(); ++t) {
                const std::size_t at = t * static_cast<std::size_t>(m_dModel);
                m_rows.sum(tokenIds[t], t, m_dSums.data() + at);
            }
            m_norm.remember(m_dSums.data());
        }
    }

    void run() override
    {
        const float* sums = m_dy.data();
        if (hasNorm(m_embedding)) {
            m_norm.run(m_dy.data(), m_dSums.data());
            sums = m_dSums.data();
        }
        for (std::size_t table = 0; table < m_rows.tables(); ++table) {
            clear(m_output.gradients()[table]);
        }
        const Threads busy = worthwhile(m_threads, static_cast<std::int64_t>(m_dy.size()));
        onThreads(busy, [&](int part) {
            constexpr std::int64_t kCacheLine = 16;
            scatter(sums, partOf(m_dModel, busy.count, part, kCacheLine));
        });
    }

    std::span<const float> output() const override { return m_output.span(); }

    std::size_t workspaceBytes() const override
    {
        return m_rows.bytes() + m_norm.workspaceBytes() + m_dSums.bytes();
    }

private:
    void clear(std::span<float> table) const
    {
        const auto size = static_cast<std::int64_t>(table.size());
        const Threads busy = worthwhile(m_threads, size);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(size, busy.count, part);
            std::fill(table.begin() + mine.first, table.begin() + mine.last, 0.0F);
        });
    }

    // Some columns of all tables, token by token: no two threads add to the same number.
    void scatter(const float* sums, Range columns) const
    {
        const auto d = static_cast<std::size_t>(m_dModel);
        for (std::size_t t = 0; t < m_tokenIds.size(); ++t) {
            const float* from = sums + t * d;
            std::size_t table = 0;
            addTo(table++, static_cast<std::size_t>(m_tokenIds[t]), from, columns);
            if (m_embedding.positions == Positions::learned) {
                addTo(table++, m_rows.positionRow(t), from, columns);
            }
            if (m_embedding.tokenTypes > 0) {
                addTo(table, 0, from, columns);
            }
        }
    }

    void addTo(std::size_t table, std::size_t row, const float* from, Range columns) const
    {
        float* to = m_output.gradients()[table].data() + row * static_cast<std::size_t>(m_dModel);
        for (std::int64_t j = columns.first; j < columns.last; ++j) {
            to[j] += from[j];
        }
    }

    Embedding m_embedding;
    int m_dModel;
    std::span<const int> m_tokenIds;
    std::span<const float> m_dy;
    Threads m_threads;
    GradientOutput m_output;
    EmbeddingRows m_rows;
    NormBackward m_norm;
    Buffer m_dSums; ///< [T, d] with a norm: the gradient of what goes into it
};

} // namespace

Result<std::unique_ptr<Kernel>> prepareBackward(const Embedding& embedding,
                                                const Shape& shape,
                                                WeightView<float> weights,
                                                std::span<const int> tokenIds,
                                                std::span<const float> dy,
                                                Threads threads)
{
    FLOPSMITH_CHECK(tokenIds.size() == shape.tokens() && dy.size() == shape.activations());
    FLOPSMITH_CHECK(std::all_of(
        tokenIds.begin(), tokenIds.end(), [&](int id) { return id >= 0 && id < embedding.vocab; }));
    return prepared("the embedding", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        return std::unique_ptr<Kernel>(std::make_unique<EmbeddingBackwardKernel>(
            embedding, shape, weights, tokenIds, dy, threads));
    });
}

Count bytesNeededBackward(const Embedding& embedding, const Shape& shape, Threads threads)
{
    const auto tokens = static_cast<std::int64_t>(shape.tokens());
    const Count norm = hasNorm(embedding) ? floatBytes(shape.activations())
            + normBackwardBytes(embedding.norm, tokens, shape.dModel, threads)
                                          : Count{0};
    return 2 * bytesOf(weights(embedding, shape.dModel)) + floatBytes(shape.activations())
        + floatBytes(shape.tokens()) + embeddingRowsBytes(embedding, shape) + norm;
}

} // namespace flopsmith::cpu
