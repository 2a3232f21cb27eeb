// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/norm_rows.h"
#include "core/kernels/cpu/preparation.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

void addRow(const float* row, float* to, std::size_t d)
{
    for (std::size_t j = 0; j < d; ++j) {
        to[j] += row[j];
    }
}

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
        , m_sinusoidal(embedding.positions == Positions::sinusoidal ? sequence() * width() : 0)
        , m_y(shape.activations())
    {
        for (std::size_t i = 0; i < m_sinusoidal.size(); ++i) {
            const int position = firstPosition() + static_cast<int>(i / width());
            const auto feature = static_cast<int>(i % width());
            m_sinusoidal.data()[i] =
                static_cast<float>(sinusoidalPosition(position, feature, shape.dModel));
        }
    }

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
    std::size_t workspaceBytes() const override { return m_sinusoidal.bytes(); }

private:
    std::size_t width() const { return static_cast<std::size_t>(m_shape.dModel); }
    std::size_t sequence() const { return static_cast<std::size_t>(m_shape.sequence); }
    int firstPosition() const { return m_shape.context - m_shape.sequence; }

    void look(std::size_t t)
    {
        const std::size_t d = width();
        float* y = m_y.data() + t * d;
        const std::size_t inSequence = t % sequence();
        std::size_t table = 0;
        std::copy_n(m_weights[table++].data() + static_cast<std::size_t>(m_tokenIds[t]) * d, d, y);
        if (m_embedding.positions == Positions::learned) {
            const std::size_t position = static_cast<std::size_t>(firstPosition()) + inSequence;
            const std::size_t row = position % static_cast<std::size_t>(m_embedding.positionRows);
            addRow(m_weights[table++].data() + row * d, y, d);
        } else if (m_embedding.positions == Positions::sinusoidal) {
            addRow(m_sinusoidal.data() + inSequence * d, y, d);
        }
        if (m_embedding.tokenTypes > 0) {
            addRow(m_weights[table++].data(), y, d);
        }
        if (m_embedding.norm.kind != NormKind::none) {
            normaliseRow(m_embedding.norm, m_weights.subspan(table), y, y, d);
        }
    }

    Embedding m_embedding;
    Shape m_shape;
    WeightView<float> m_weights;
    std::span<const int> m_tokenIds;
    Threads m_threads;
    Buffer m_sinusoidal; ///< [S, d]
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
    const Count table = embedding.positions == Positions::sinusoidal
        ? Count{sizeof(float)} * shape.sequence * shape.dModel
        : 0;
    return bytesOf(weights(embedding, shape.dModel)) + floatBytes(shape.activations())
        + floatBytes(shape.tokens()) + table; // a token number is as large as a float
}

} // namespace flopsmith::cpu
