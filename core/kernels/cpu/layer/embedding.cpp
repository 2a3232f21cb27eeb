// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/layer/embedding_rows.h"
#include "core/kernels/cpu/layer/norm_rows.h"
#include "core/kernels/cpu/layer/patch_rows.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

class EmbeddingForward
{
public:
    EmbeddingForward(const Embedding& embedding,
                     const Shape& shape,
                     WeightView<float> weights,
                     Threads threads,
                     Precision precision)
        : m_embedding(embedding)
        , m_shape(shape)
        , m_weights(weights)
        , m_threads(threads)
        , m_precision(precision)
        , m_rows(embedding, shape, weights)
        , m_tableRows(embedding.projects() ? shape.tokens() * tableWidth() : 0)
    {}

    void run(std::span<const int> tokenIds, float* y)
    {
        if (!m_embedding.projects()) {
            forEachToken([&](std::size_t t) {
                float* row = y + t * width();
                m_rows.lookUp(tokenIds[t], row);
                sum(t, row);
            });
            return;
        }
        const bool sumsFirst = m_embedding.sumsBeforeProjection();
        forEachToken([&](std::size_t t) {
            float* row = m_tableRows.data() + t * tableWidth();
            m_rows.lookUp(tokenIds[t], row);
            if (sumsFirst) {
                sum(t, row);
            }
        });
        project(y);
        if (!sumsFirst) {
            forEachToken([&](std::size_t t) { sum(t, y + t * width()); });
        }
    }

private:
    std::size_t width() const { return static_cast<std::size_t>(m_shape.dModel); }
    std::size_t tableWidth() const
    {
        return static_cast<std::size_t>(m_embedding.tableWidth(m_shape.dModel));
    }

    template <class Task>
    void forEachToken(const Task& task)
    {
        const Threads busy =
            threadsFor(m_threads, static_cast<std::int64_t>(m_shape.activations()));
        onThreads(busy, [&](int part) {
            const Range mine =
                partOf(static_cast<std::int64_t>(m_shape.tokens()), busy.count, part);
            for (std::int64_t t = mine.first; t < mine.last; ++t) {
                task(static_cast<std::size_t>(t));
            }
        });
    }

    // Positions, token types and norm of one token.
    void sum(std::size_t t, float* row)
    {
        m_rows.addTables(t, row);
        if (m_embedding.norm.kind != NormKind::none) {
            const auto tables = static_cast<std::size_t>(m_embedding.tables());
            const auto features = static_cast<std::size_t>(m_embedding.sumWidth(m_shape.dModel));
            normaliseRow(m_embedding.norm, m_weights.subspan(tables), row, row, features);
        }
    }

    void project(float* y)
    {
        const bool biased = m_embedding.projection == Projection::biased;
        const std::size_t at = m_weights.size() - (biased ? 2 : 1); // its tensors come last
        Linear layer(m_embedding.tableWidth(m_shape.dModel),
                     m_shape.dModel,
                     m_weights[at].data(),
                     biased ? m_weights[at + 1].data() : nullptr);
        layer.computedIn(m_precision)
            .run(m_tableRows.data(), y, static_cast<std::int64_t>(m_shape.tokens()), m_threads);
    }

    Embedding m_embedding;
    Shape m_shape;
    WeightView<float> m_weights;
    Threads m_threads;
    Precision m_precision;
    EmbeddingRows m_rows;
    Buffer m_tableRows; ///< [T, width of the token table], input of a projection
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const int> tokenIds,
                                        Threads threads,
                                        Precision precision)
{
    FLOPSMITH_CHECK(tokenIds.size() == shape.tokens() && !embedding.readsPatches());
    FLOPSMITH_CHECK(std::all_of(
        tokenIds.begin(), tokenIds.end(), [&](int id) { return id >= 0 && id < embedding.vocab; }));
    FLOPSMITH_RETURN_IF_ERROR(computesProductsIn(precision));
    return prepared("the embedding", threads, [&] {
        return forwardKernel(EmbeddingForward(embedding, shape, weights, threads, precision),
                             tokenIds,
                             shape.activations());
    });
}

} // namespace flopsmith::cpu
