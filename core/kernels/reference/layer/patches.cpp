// SPDX-License-Identifier: MIT
#include "core/base/check.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/linear.h"

#include <algorithm>

namespace flopsmith::reference {
namespace {

/// An embedding of images: its tensors, and the activations saved for the backward pass.
template <class S>
class PatchEmbedding
{
public:
    PatchEmbedding(const Embedding& embedding, const Shape& shape, WeightView<S> weights)
        : m_embedding(embedding)
        , m_shape(shape)
        , m_weights(weights)
        , m_d(static_cast<std::size_t>(shape.dModel))
        , m_images(static_cast<std::size_t>(shape.batch))
        , m_patches(static_cast<std::size_t>(embedding.patches()))
        , m_pixels(static_cast<std::size_t>(embedding.patchPixels()))
        , m_extra(static_cast<std::size_t>(embedding.extraTokens))
    {}

    void forward(std::span<const S> images, std::span<S> y)
    {
        cut(images);
        std::vector<S> rows(m_images * m_patches * m_d);
        linear<S>(m_images * m_patches,
                  m_cut,
                  m_weights[0],
                  m_embedding.bias ? &m_weights[1] : nullptr,
                  rows);
        m_sums.assign(y.size(), S(0));
        for (std::size_t i = 0; i < m_images; ++i) {
            putTogether(std::span<const S>(rows).subspan(i * m_patches * m_d, m_patches * m_d),
                        std::span<S>(m_sums).subspan(i * image(), image()));
        }
        addPositions();
        reference::forward<S>(m_embedding.norm, m_shape, m_weights.subspan(tables()), m_sums, y);
    }

    /// For the images of the last forward pass; the images themselves have no gradient.
    void backward(std::span<const S> dy, GradientView<S> gradients) const
    {
        std::vector<S> dSums(dy.size());
        reference::backward<S>(m_embedding.norm,
                               m_shape,
                               m_weights.subspan(tables()),
                               m_sums,
                               dy,
                               dSums,
                               gradients.subspan(tables()));
        std::size_t tensor = m_embedding.bias ? 2 : 1;
        if (m_extra > 0) {
            sumImages(dSums, gradients[tensor++]);
        }
        if (m_embedding.positions == Positions::learned) {
            sumImages(dSums, gradients[tensor]);
        }
        patchesBackward(dSums, gradients);
    }

private:
    std::size_t tables() const { return static_cast<std::size_t>(m_embedding.tables()); }
    std::size_t image() const { return (m_extra + m_patches) * m_d; }

    // [images·patches, pixels] from images [batch, channels, size, size], patches row by row.
    void cut(std::span<const S> images)
    {
        const int size = m_embedding.imageSize;
        const int side = m_embedding.patchSize;
        const int across = size / side;
        m_cut.clear();
        for (int row = 0; row < m_shape.batch * across * across; ++row) {
            const int firstY = row / across % across * side;
            const int firstX = row % across * side;
            for (int pixel = 0; pixel < m_embedding.patchPixels(); ++pixel) {
                const int plane =
                    row / (across * across) * m_embedding.channels + pixel / (side * side);
                const int y = firstY + pixel / side % side;
                const int x = firstX + pixel % side;
                m_cut.push_back(images[(static_cast<std::size_t>(plane) * size + y) * size + x]);
            }
        }
    }

    // The tokens of one image: extra ones, then its patches.
    void putTogether(std::span<const S> patches, std::span<S> tokens) const
    {
        if (m_extra > 0) {
            const std::vector<S>& extra = m_weights[m_embedding.bias ? 2 : 1];
            noteMoves<S>(extra.size());
            std::copy(extra.begin(), extra.end(), tokens.begin());
        }
        std::copy(patches.begin(), patches.end(), tokens.subspan(m_extra * m_d).begin());
    }

    void addPositions()
    {
        const std::size_t table = tables() - 1;
        for (std::size_t i = 0; i < m_sums.size(); ++i) {
            const std::size_t inImage = i % image();
            if (m_embedding.positions == Positions::learned) {
                m_sums[i] += m_weights[table][inImage];
            } else if (m_embedding.positions == Positions::sinusoidal) {
                const auto token = static_cast<int>(inImage / m_d);
                const auto feature = static_cast<int>(inImage % m_d);
                m_sums[i] += S(sinusoidalPosition(token, feature, m_shape.dModel));
            }
        }
    }

    // Sums the gradient of a tensor that is added to the first tokens of every image.
    void sumImages(const std::vector<S>& dSums, std::vector<S>& gradient) const
    {
        for (std::size_t i = 0; i < m_images; ++i) {
            for (std::size_t j = 0; j < gradient.size(); ++j) {
                accumulate(gradient[j], dSums[i * image() + j], i == 0);
            }
        }
    }

    // dW = xᵀ·dy and db; the first patch overwrites.
    void patchesBackward(const std::vector<S>& dSums, GradientView<S> gradients) const
    {
        for (std::size_t row = 0; row < m_images * m_patches; ++row) {
            const std::size_t token =
                row / m_patches * (m_extra + m_patches) + m_extra + row % m_patches;
            for (std::size_t j = 0; j < m_d; ++j) {
                const S& dy = dSums[token * m_d + j];
                for (std::size_t pixel = 0; pixel < m_pixels; ++pixel) {
                    const S product = m_cut[row * m_pixels + pixel] * dy;
                    accumulate(gradients[0][pixel * m_d + j], product, row == 0);
                }
                if (m_embedding.bias) {
                    accumulate(gradients[1][j], dy, row == 0);
                }
            }
        }
    }

    const Embedding& m_embedding;
    const Shape& m_shape;
    WeightView<S> m_weights;
    std::size_t m_d;
    std::size_t m_images;
    std::size_t m_patches; ///< of an image
    std::size_t m_pixels; ///< of a patch
    std::size_t m_extra; ///< tokens
    std::vector<S> m_cut; ///< [images·patches, pixels]
    std::vector<S> m_sums; ///< [T, d]
};

void checkSizes(const Embedding& embedding, const Shape& shape, std::size_t pixels)
{
    FLOPSMITH_CHECK(embedding.readsPatches() && shape.sequence == embedding.imageTokens());
    FLOPSMITH_CHECK(pixels
                    == static_cast<std::size_t>(shape.batch)
                        * static_cast<std::size_t>(embedding.imagePixels()));
}

} // namespace

template <class S>
void forward(const Embedding& embedding,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> images,
             std::span<S> y)
{
    checkSizes(embedding, shape, images.size());
    PatchEmbedding<S>(embedding, shape, weights).forward(images, y);
}

template <class S>
void backward(const Embedding& embedding,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> images,
              std::span<const S> dy,
              GradientView<S> gradients)
{
    checkSizes(embedding, shape, images.size());
    PatchEmbedding<S> kernel(embedding, shape, weights);
    {
        const Uncounted scope;
        std::vector<S> y(dy.size());
        kernel.forward(images, y);
    }
    kernel.backward(dy, gradients);
}

#define FLOPSMITH_PATCHES_INSTANCE(S)                                                              \
    template void forward<S>(                                                                      \
        const Embedding&, const Shape&, WeightView<S>, std::span<const S>, std::span<S>);          \
    template void backward<S>(const Embedding&,                                                    \
                              const Shape&,                                                        \
                              WeightView<S>,                                                       \
                              std::span<const S>,                                                  \
                              std::span<const S>,                                                  \
                              GradientView<S>);
FLOPSMITH_PATCHES_INSTANCE(float)
FLOPSMITH_PATCHES_INSTANCE(double)
FLOPSMITH_PATCHES_INSTANCE(Counted)

} // namespace flopsmith::reference
