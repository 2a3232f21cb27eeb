// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/layer/embedding_forward.h"
#include "core/kernels/cpu/layer/norm_backward.h"
#include "core/kernels/cpu/layer/patch_rows.h"
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

class PatchesBackward
{
public:
    PatchesBackward(const Embedding& embedding,
                    const Shape& shape,
                    WeightView<float> weights,
                    GradientSpans gradients,
                    Threads threads,
                    Precision precision)
        : m_embedding(embedding)
        , m_shape(shape)
        , m_weights(weights)
        , m_gradients(gradients)
        , m_threads(threads)
        , m_precision(precision)
        , m_norm(embedding.norm,
                 static_cast<std::int64_t>(shape.tokens()),
                 shape.dModel,
                 weights.subspan(tables()),
                 gradients.subspan(tables()),
                 threads)
        , m_rows(patchRowElements(embedding, shape.batch))
        , m_dSums(hasNorm() ? shape.activations() : 0)
    {}

    // y may be null.
    void save(std::span<const float> images, float* y)
    {
        cutPatches(m_embedding, m_shape.batch, images.data(), m_rows.data(), m_threads);
        if (hasNorm()) { // its input is the output of the same embedding without a norm
            Embedding bare = m_embedding;
            bare.norm = Norm::absent();
            embed(bare, m_weights.subspan(0, tables()), images, m_dSums.data());
            m_norm.save(m_dSums.data());
        }
        if (y != nullptr) {
            embed(m_embedding, m_weights, images, y);
        }
    }

    void run(const float* d, float* /*dx*/)
    {
        if (hasNorm()) {
            m_norm.run(d, m_dSums.data());
            d = m_dSums.data();
        }
        std::size_t tensor = m_embedding.bias ? 2 : 1;
        if (m_embedding.extraTokens > 0) {
            sumImages(d, m_gradients[tensor++]);
        }
        if (m_embedding.positions == Positions::learned) {
            sumImages(d, m_gradients[tensor]);
        }
        patchesBackward(d);
    }

private:
    std::size_t tables() const { return static_cast<std::size_t>(m_embedding.tables()); }
    bool hasNorm() const { return m_embedding.norm.kind != NormKind::none; }
    std::size_t width() const { return static_cast<std::size_t>(m_shape.dModel); }
    std::size_t image() const { return static_cast<std::size_t>(m_shape.sequence) * width(); }
    std::size_t batch() const { return static_cast<std::size_t>(m_shape.batch); }

    void embed(const Embedding& embedding,
               WeightView<float> weights,
               std::span<const float> images,
               float* y) const
    {
        computeForward(embedding, m_shape, weights, images, m_threads, m_precision, y);
    }

    // The gradient of a tensor that is added to the first rows of every image: a sum over images.
    void sumImages(const float* d, std::span<float> gradient) const
    {
        const auto size = static_cast<std::int64_t>(gradient.size());
        const Threads busy = threadsFor(m_threads, size * m_shape.batch);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(size, busy.count, part);
            std::copy(d + mine.first, d + mine.last, gradient.data() + mine.first);
            for (std::size_t b = 1; b < batch(); ++b) {
                const float* from = d + b * image();
                for (std::int64_t i = mine.first; i < mine.last; ++i) {
                    gradient[static_cast<std::size_t>(i)] += from[i];
                }
            }
        });
    }

    void patchesBackward(const float* d)
    {
        LinearBackward layer(m_embedding.patchPixels(),
                             m_shape.dModel,
                             m_weights[0].data(),
                             m_gradients[0],
                             m_embedding.bias ? m_gradients[1] : std::span<float>());
        layer.computedIn(m_precision);
        const std::size_t rows = m_rows.size() / batch();
        const std::size_t first = static_cast<std::size_t>(m_embedding.extraTokens) * width();
        for (std::size_t b = 0; b < batch(); ++b) {
            layer.weights(m_rows.data() + b * rows,
                          d + b * image() + first,
                          m_embedding.patches(),
                          m_threads,
                          b == 0 ? Into::overwrite : Into::accumulate);
        }
    }

    Embedding m_embedding;
    Shape m_shape;
    WeightView<float> m_weights;
    GradientSpans m_gradients;
    Threads m_threads;
    Precision m_precision;
    NormBackward m_norm;
    Buffer m_rows; ///< [batch·patches, pixels]
    Buffer m_dSums; ///< [T, d] with a norm: the gradient of its input
};

} // namespace

Result<std::unique_ptr<TrainingKernel>> prepareBackward(const Embedding& embedding,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> images,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision)
{
    FLOPSMITH_CHECK(embedding.readsPatches() && shape.sequence == embedding.imageTokens());
    FLOPSMITH_CHECK(dy.size() == shape.activations());
    FLOPSMITH_RETURN_IF_ERROR(computesProductsIn(precision));
    return prepared<TrainingKernel>("the embedding", threads, [&] {
        GradientOutput output(0, flopsmith::weights(embedding, shape.dModel));
        PatchesBackward pass(embedding, shape, weights, output.gradients(), threads, precision);
        return backwardKernel(std::move(pass), std::move(output), images, dy);
    });
}

} // namespace flopsmith::cpu
