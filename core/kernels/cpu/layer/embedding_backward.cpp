// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/layer/embedding_forward.h"
#include "core/kernels/cpu/layer/embedding_rows.h"
#include "core/kernels/cpu/layer/norm_backward.h"
#include "core/kernels/cpu/layer/norm_rows.h"
#include "core/kernels/cpu/layer/patch_rows.h"
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

bool hasNorm(const Embedding& embedding)
{
    return embedding.norm.kind != NormKind::none;
}

class EmbeddingBackward
{
public:
    EmbeddingBackward(const Embedding& embedding,
                      const Shape& shape,
                      WeightView<float> weights,
                      GradientSpans gradients,
                      std::span<const int> tokenIds,
                      Threads threads,
                      Precision precision)
        : m_embedding(embedding)
        , m_shape(shape)
        , m_dModel(shape.dModel)
        , m_width(embedding.tableWidth(shape.dModel))
        , m_sumWidth(embedding.sumWidth(shape.dModel))
        , m_weights(weights)
        , m_gradients(gradients)
        , m_tokenIds(tokenIds)
        , m_threads(threads)
        , m_precision(precision)
        , m_rows(embedding, shape, weights)
        , m_norm(embedding.norm,
                 static_cast<std::int64_t>(shape.tokens()),
                 m_sumWidth,
                 weights.subspan(tables()),
                 gradients.subspan(tables()),
                 threads)
        , m_projected(embedding.projects() ? rowElements(m_width) : 0)
        , m_dSums(hasNorm(embedding) ? rowElements(m_sumWidth) : 0)
        , m_dRows(m_projected.size())
    {}

    // y may be null. Saves the inputs of norm and projection.
    void save(std::span<const int> tokenIds, float* y)
    {
        m_tokenIds = tokenIds;
        saveInputs();
        if (y != nullptr) {
            computeForward(m_embedding, m_shape, m_weights, tokenIds, m_threads, m_precision, y);
        }
    }

    void run(const float* d, float* /*dx*/)
    {
        if (m_embedding.sumsBeforeProjection()) {
            projectBackward(d);
            d = m_dRows.data();
        }
        if (hasNorm(m_embedding)) {
            m_norm.run(d, m_dSums.data());
            d = m_dSums.data();
        }
        for (std::size_t table = 0; table < tables(); ++table) {
            clear(m_gradients[table]);
        }
        overColumns(m_sumWidth, [&](Range columns) { scatterTables(d, columns); });
        if (m_embedding.projects() && !m_embedding.positionsBeforeProjection) {
            projectBackward(d);
            d = m_dRows.data();
        }
        overColumns(m_width, [&](Range columns) { scatterTokens(d, columns); });
    }

private:
    std::size_t tables() const { return static_cast<std::size_t>(m_embedding.tables()); }
    std::size_t rowElements(int width) const
    {
        return m_tokenIds.size() * static_cast<std::size_t>(width);
    }

    void saveInputs()
    {
        const auto width = static_cast<std::size_t>(m_width);
        const bool sumsFirst = m_embedding.sumsBeforeProjection();
        if (m_embedding.projects()) {
            for (std::size_t t = 0; t < m_tokenIds.size(); ++t) {
                float* row = m_projected.data() + t * width;
                m_rows.lookUp(m_tokenIds[t], row);
                if (sumsFirst) {
                    m_rows.addTables(t, row);
                }
            }
        }
        if (hasNorm(m_embedding)) {
            saveNorm(sumsFirst);
        }
    }

    void saveNorm(bool sumsFirst)
    {
        const auto width = static_cast<std::size_t>(m_sumWidth);
        if (sumsFirst) {
            std::copy_n(m_projected.data(), m_dSums.size(), m_dSums.data());
        } else if (m_embedding.projects()) {
            Linear layer(m_width, m_dModel, weight(), bias());
            layer.computedIn(m_precision)
                .run(m_projected.data(), m_dSums.data(), tokens(), m_threads);
        }
        for (std::size_t t = 0; !sumsFirst && t < m_tokenIds.size(); ++t) {
            float* row = m_dSums.data() + t * width;
            if (!m_embedding.projects()) {
                m_rows.lookUp(m_tokenIds[t], row);
            }
            m_rows.addTables(t, row);
        }
        m_norm.save(m_dSums.data());
        for (std::size_t t = 0; sumsFirst && t < m_tokenIds.size(); ++t) {
            float* row = m_projected.data() + t * width;
            normaliseRow(m_embedding.norm, m_weights.subspan(tables()), row, row, width);
        }
    }

    bool biased() const { return m_embedding.projection == Projection::biased; }
    std::size_t projection() const { return m_weights.size() - (biased() ? 2 : 1); }
    const float* weight() const { return m_weights[projection()].data(); }
    const float* bias() const { return biased() ? m_weights[projection() + 1].data() : nullptr; }
    std::int64_t tokens() const { return static_cast<std::int64_t>(m_tokenIds.size()); }

    void projectBackward(const float* dy)
    {
        LinearBackward layer(m_width,
                             m_dModel,
                             weight(),
                             m_gradients[projection()],
                             biased() ? m_gradients[projection() + 1] : std::span<float>());
        layer.computedIn(m_precision);
        layer.weights(m_projected.data(), dy, tokens(), m_threads);
        layer.input(dy, m_dRows.data(), tokens(), m_threads);
    }

    void clear(std::span<float> table) const
    {
        const auto size = static_cast<std::int64_t>(table.size());
        const Threads busy = threadsFor(m_threads, size);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(size, busy.count, part);
            std::fill(table.begin() + mine.first, table.begin() + mine.last, 0.0F);
        });
    }

    // Each thread accumulates into its columns of a table, token by token.
    template <class Scatter>
    void overColumns(int width, const Scatter& scatter) const
    {
        const Threads busy = threadsFor(m_threads, tokens() * width);
        onThreads(busy, [&](int part) {
            constexpr std::int64_t kCacheLine = 16;
            scatter(partOf(width, busy.count, part, kCacheLine));
        });
    }

    void scatterTables(const float* sums, Range columns) const
    {
        for (std::size_t t = 0; t < m_tokenIds.size(); ++t) {
            const float* from = sums + t * static_cast<std::size_t>(m_sumWidth);
            std::size_t table = 1;
            if (m_embedding.positions == Positions::learned) {
                addTo(table++, m_rows.positionRow(t), m_sumWidth, from, columns);
            }
            if (m_embedding.tokenTypes > 0) {
                addTo(table, 0, m_sumWidth, from, columns);
            }
        }
    }

    void scatterTokens(const float* rows, Range columns) const
    {
        const float scale =
            m_embedding.scale ? static_cast<float>(embeddingScale(m_embedding, m_dModel)) : 1.0F;
        for (std::size_t t = 0; t < m_tokenIds.size(); ++t) {
            const float* from = rows + t * static_cast<std::size_t>(m_width);
            addTo(0, static_cast<std::size_t>(m_tokenIds[t]), m_width, from, columns, scale);
        }
    }

    void addTo(std::size_t table,
               std::size_t row,
               int width,
               const float* from,
               Range columns,
               float scale = 1.0F) const
    {
        float* to = m_gradients[table].data() + row * static_cast<std::size_t>(width);
        for (std::int64_t j = columns.first; j < columns.last; ++j) {
            to[j] += scale * from[j];
        }
    }

    Embedding m_embedding;
    Shape m_shape;
    int m_dModel;
    int m_width; ///< of the token table
    int m_sumWidth; ///< of positions, token types and norm
    WeightView<float> m_weights;
    GradientSpans m_gradients;
    std::span<const int> m_tokenIds;
    Threads m_threads;
    Precision m_precision;
    EmbeddingRows m_rows;
    NormBackward m_norm;
    Buffer m_projected; ///< [T, width]: input of the projection
    Buffer m_dSums; ///< [T, sumWidth] with a norm: the gradient of its input
    Buffer m_dRows; ///< [T, width]: the gradient of the projection's input
};

} // namespace

Result<std::unique_ptr<TrainingKernel>> prepareBackward(const Embedding& embedding,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const int> tokenIds,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision)
{
    FLOPSMITH_CHECK(!embedding.readsPatches());
    FLOPSMITH_CHECK(tokenIds.size() == shape.tokens() && dy.size() == shape.activations());
    FLOPSMITH_CHECK(std::all_of(
        tokenIds.begin(), tokenIds.end(), [&](int id) { return id >= 0 && id < embedding.vocab; }));
    FLOPSMITH_RETURN_IF_ERROR(computesProductsIn(precision));
    return prepared<TrainingKernel>("the embedding", threads, [&] {
        GradientOutput output(0, flopsmith::weights(embedding, shape.dModel));
        EmbeddingBackward pass(
            embedding, shape, weights, output.gradients(), tokenIds, threads, precision);
        return backwardKernel(std::move(pass), std::move(output), tokenIds, dy);
    });
}

} // namespace flopsmith::cpu
