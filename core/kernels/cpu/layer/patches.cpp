// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/count.h"
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/layer/norm_rows.h"
#include "core/kernels/cpu/layer/patch_rows.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Size of the table of sinusoidal positions; 0 where positions are not sinusoidal.
std::size_t sinusoidalElements(const Embedding& embedding, const Shape& shape)
{
    return embedding.positions == Positions::sinusoidal ? bufferSize(shape.sequence, shape.dModel)
                                                        : 0;
}

class PatchesForward
{
public:
    PatchesForward(const Embedding& embedding,
                   const Shape& shape,
                   WeightView<float> weights,
                   Threads threads,
                   Precision precision)
        : m_embedding(embedding)
        , m_shape(shape)
        , m_weights(weights)
        , m_threads(threads)
        , m_rows(patchRowElements(embedding, shape.batch))
        , m_sinusoidal(sinusoidalElements(embedding, shape))
        , m_linear(embedding.patchPixels(),
                   shape.dModel,
                   weights[0].data(),
                   embedding.bias ? weights[1].data() : nullptr)
    {
        m_linear.computedIn(precision);
        for (std::size_t i = 0; i < m_sinusoidal.size(); ++i) {
            const auto place = static_cast<int>(i / width());
            const auto feature = static_cast<int>(i % width());
            m_sinusoidal.data()[i] =
                static_cast<float>(sinusoidalPosition(place, feature, shape.dModel));
        }
    }

    void run(std::span<const float> images, float* y)
    {
        cutPatches(m_embedding, m_shape.batch, images.data(), m_rows.data(), m_threads);
        const std::size_t patches = m_rows.size() / static_cast<std::size_t>(m_shape.batch);
        for (std::size_t b = 0; b < static_cast<std::size_t>(m_shape.batch); ++b) {
            m_linear.run(m_rows.data() + b * patches,
                         y + (b * tokens() + extra()) * width(),
                         m_embedding.patches(),
                         m_threads);
        }
        const Threads busy =
            threadsFor(m_threads, static_cast<std::int64_t>(m_shape.activations()));
        onThreads(busy, [&](int part) {
            const Range mine =
                partOf(static_cast<std::int64_t>(m_shape.tokens()), busy.count, part);
            for (std::int64_t t = mine.first; t < mine.last; ++t) {
                const auto token = static_cast<std::size_t>(t);
                finish(token % tokens(), y + token * width());
            }
        });
    }

private:
    std::size_t width() const { return static_cast<std::size_t>(m_shape.dModel); }
    std::size_t tokens() const { return static_cast<std::size_t>(m_shape.sequence); }
    std::size_t extra() const { return static_cast<std::size_t>(m_embedding.extraTokens); }

    // Position and norm of one token; an extra token is read from its table first.
    void finish(std::size_t place, float* y) const
    {
        if (place < extra()) {
            const float* row = m_weights[m_embedding.bias ? 2 : 1].data() + place * width();
            std::copy_n(row, width(), y);
        }
        addPosition(place, y);
        if (m_embedding.norm.kind != NormKind::none) {
            const auto tables = static_cast<std::size_t>(m_embedding.tables());
            normaliseRow(m_embedding.norm, m_weights.subspan(tables), y, y, width());
        }
    }

    void addPosition(std::size_t place, float* y) const
    {
        if (m_embedding.positions == Positions::learned) {
            const auto table = static_cast<std::size_t>(m_embedding.tables()) - 1;
            const float* row = m_weights[table].data() + place * width();
            for (std::size_t j = 0; j < width(); ++j) {
                y[j] += row[j];
            }
        } else if (m_embedding.positions == Positions::sinusoidal) {
            for (std::size_t j = 0; j < width(); ++j) {
                y[j] += m_sinusoidal.data()[place * width() + j];
            }
        }
    }

    Embedding m_embedding;
    Shape m_shape;
    WeightView<float> m_weights;
    Threads m_threads;
    Buffer m_rows; ///< [batch·patches, pixels]
    Buffer m_sinusoidal; ///< [tokens, d], if positions are
    Linear m_linear;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> images,
                                        Threads threads,
                                        Precision precision)
{
    FLOPSMITH_CHECK(embedding.readsPatches() && shape.sequence == embedding.imageTokens());
    FLOPSMITH_CHECK(static_cast<Count>(images.size())
                    == Count{shape.batch} * embedding.imagePixels());
    FLOPSMITH_RETURN_IF_ERROR(computesProductsIn(precision));
    return prepared("the embedding", threads, [&] {
        return forwardKernel(PatchesForward(embedding, shape, weights, threads, precision),
                             images,
                             shape.activations());
    });
}

} // namespace flopsmith::cpu
