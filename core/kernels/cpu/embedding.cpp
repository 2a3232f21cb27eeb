// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/embedding_rows.h"
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/norm_rows.h"
#include "core/kernels/cpu/preparation.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

class EmbeddingKernel : public Kernel
{
public:
    EmbeddingKernel(const Embedding& embedding,
                    const Shape& shape,
                    WeightView<float> weights,
                    std::span<const int> tokenIds,
                    Threads threads)
        : m_embedding(embedding)
        , m_shape(shape)
        , m_weights(weights)
        , m_tokenIds(tokenIds)
        , m_threads(threads)
        , m_rows(embedding, shape, weights)
        , m_y(shape.activations())
    {}

    void run() override
    {
        const Threads busy = worthwhile(m_threads, static_cast<std::int64_t>(m_y.size()));
        onThreads(busy, [this, busy](int part) {
            const Range mine =
                partOf(static_cast<std::int64_t>(m_tokenIds.size()), busy.count, part);
            for (std::int64_t t = mine.first; t < mine.last; ++t) {
                look(static_cast<std::size_t>(t));
            }
        });
    }

    std::span<const float> output() const override { return m_y.span(); }
    std::size_t workspaceBytes() const override { return m_rows.bytes(); }

private:
    std::size_t width() const { return static_cast<std::size_t>(m_shape.dModel); }

    void look(std::size_t t)
    {
        float* y = m_y.data() + t * width();
        m_rows.sum(m_tokenIds[t], t, y);
        if (m_embedding.norm.kind != NormKind::none) {
            normaliseRow(m_embedding.norm, m_weights.subspan(m_rows.tables()), y, y, width());
        }
    }

    Embedding m_embedding;
    Shape m_shape;
    WeightView<float> m_weights;
    std::span<const int> m_tokenIds;
    Threads m_threads;
    EmbeddingRows m_rows;
    Buffer m_y;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const int> tokenIds,
                                        Threads threads)
{
    FLOPSMITH_CHECK(tokenIds.size() == shape.tokens());
    FLOPSMITH_CHECK(std::all_of(
        tokenIds.begin(), tokenIds.end(), [&](int id) { return id >= 0 && id < embedding.vocab; }));
    return prepared("the embedding", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        return std::unique_ptr<Kernel>(
            std::make_unique<EmbeddingKernel>(embedding, shape, weights, tokenIds, threads));
    });
}

Count bytesNeeded(const Embedding& embedding, const Shape& shape, Threads /*threads*/)
{
    return bytesOf(weights(embedding, shape.dModel)) + floatBytes(shape.activations())
        + floatBytes(shape.tokens()) // a token number is as large as a float
        + embeddingRowsBytes(embedding, shape);
}

} // namespace flopsmith::cpu
