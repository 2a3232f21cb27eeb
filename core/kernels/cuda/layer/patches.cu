// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/layer.h"
#include "core/kernels/cuda/layer/embedding_rows.h"
#include "core/kernels/cuda/layer/norm_rows.h"
#include "core/kernels/cuda/stage_kernel.h"

namespace flopsmith::cuda {
namespace {

// Cuts images [batch, channels, size, size] into patches, one per row of the output, row by row. A
// remainder at the right and lower edge is not read.
struct Cut
{
    const float* images;
    int size;
    int side;
    int across;
    int channels;
    int pixels; ///< of a patch
    float* to;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const std::int64_t image = row / (across * across);
        const int patch = static_cast<int>(row - image * across * across);
        Pack<float, N> values;
        for (int i = 0; i < N; ++i) {
            const int pixel = static_cast<int>(column) + i;
            const int inPlane = pixel % (side * side);
            const std::int64_t plane = image * channels + pixel / (side * side);
            const std::int64_t y = patch / across * side + inPlane / side;
            const std::int64_t x = patch % across * side + inPlane % side;
            values.at[i] = images[(plane * size + y) * size + x];
        }
        store<N>(to + row * pixels + column, values);
    }
};

// The tokens of each image: extra tokens, then patches, plus positions, which may be null.
struct PutTogether
{
    const float* extra;
    const float* patches;
    const float* positions;
    std::int64_t extraTokens;
    std::int64_t patchTokens;
    std::int64_t width;
    float* to;

    template <int N>
    __device__ void operator()(std::int64_t token, std::int64_t column, Width<N>) const
    {
        const std::int64_t tokens = extraTokens + patchTokens;
        const std::int64_t image = token / tokens;
        const std::int64_t place = token - image * tokens;
        const float* row = place < extraTokens
            ? extra + place * width
            : patches + (image * patchTokens + place - extraTokens) * width;
        Pack<float, N> sum = load<N>(row + column);
        if (positions != nullptr) {
            const Pack<float, N> position = load<N>(positions + place * width + column);
            for (int i = 0; i < N; ++i) {
                sum.at[i] += position.at[i];
            }
        }
        store<N>(to + token * width + column, sum);
    }
};

// Gathers the rows of the patches from those of all tokens.
struct TakePatches
{
    const float* from;
    std::int64_t extraTokens;
    std::int64_t patchTokens;
    std::int64_t width;
    float* to;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const std::int64_t image = row / patchTokens;
        const std::int64_t token =
            image * (extraTokens + patchTokens) + extraTokens + row - image * patchTokens;
        store<N>(to + row * width + column, load<N>(from + token * width + column));
    }
};

// Shared by both passes: the sums before the norm.
class PatchRows
{
public:
    PatchRows(const Device& device,
              const Embedding& embedding,
              const Shape& shape,
              DeviceWeights weights)
        : m_device(device)
        , m_embedding(embedding)
        , m_batch(shape.batch)
        , m_d(shape.dModel)
        , m_rows(m_batch * embedding.patches())
        , m_tables(static_cast<std::size_t>(embedding.tables()))
        , m_linear(device,
                   embedding.patchPixels(),
                   shape.dModel,
                   weights[0],
                   embedding.bias ? weights[1] : DeviceSpan<const float>())
        , m_extra(embedding.extraTokens > 0 ? weights[extraAt()].data() : nullptr)
        , m_positions(device,
                      embedding,
                      shape,
                      shape.dModel,
                      embedding.positions == Positions::learned
                          ? std::optional(weights[m_tables - 1])
                          : std::nullopt)
        , m_cut(device.memory(), static_cast<std::size_t>(m_rows * embedding.patchPixels()))
        , m_rounded(device, m_cut.size())
        , m_patches(device.memory(), static_cast<std::size_t>(m_rows * m_d))
    {}

    std::size_t extraAt() const { return m_embedding.bias ? 2 : 1; }

    void sums(const float* images, float* to)
    {
        const int across = m_embedding.imageSize / m_embedding.patchSize;
        forEachElement(m_device,
                       m_rows,
                       m_embedding.patchPixels(),
                       Cut{images,
                           m_embedding.imageSize,
                           m_embedding.patchSize,
                           across,
                           m_embedding.channels,
                           m_embedding.patchPixels(),
                           m_cut.data()});
        m_x = m_rounded.of(m_cut.data(), m_rows, m_embedding.patchPixels());
        m_linear.run(m_x, m_rows, destinationAt(m_patches.data(), m_d));
        forEachElement(m_device,
                       m_batch * m_embedding.imageTokens(),
                       m_d,
                       PutTogether{m_extra,
                                   m_patches.data(),
                                   m_positions.table(),
                                   m_embedding.extraTokens,
                                   m_embedding.patches(),
                                   m_d,
                                   to});
    }

    const Device& m_device;
    Embedding m_embedding;
    std::int64_t m_batch;
    std::int64_t m_d;
    std::int64_t m_rows; ///< patches of all images
    std::size_t m_tables;
    Linear m_linear;
    const float* m_extra;
    PositionRows m_positions;
    DeviceBuffer<float> m_cut; ///< [rows, pixels]
    RoundedRows m_rounded;
    Operand m_x; ///< the same as an operand
    DeviceBuffer<float> m_patches; ///< [rows, d]
};

class PatchStage
{
public:
    PatchStage(const Device& device,
               const Embedding& embedding,
               const Shape& shape,
               DeviceWeights weights)
        : m_rows(device, embedding, shape, weights)
        , m_norm(device,
                 embedding.norm,
                 static_cast<std::int64_t>(shape.tokens()),
                 shape.dModel,
                 weights.subspan(m_rows.m_tables))
    {}

    void run(const float* images, float* y)
    {
        m_rows.sums(images, y);
        m_norm.run(y, y);
    }

private:
    PatchRows m_rows;
    NormRows m_norm;
};

class PatchBackwardStage : public BackwardStage
{
public:
    PatchBackwardStage(const Device& device,
                       const Embedding& embedding,
                       const Shape& shape,
                       DeviceWeights weights,
                       DeviceGradients gradients)
        : m_device(device)
        , m_rows(device, embedding, shape, weights)
        , m_norm(device,
                 embedding.norm,
                 static_cast<std::int64_t>(shape.tokens()),
                 shape.dModel,
                 weights.subspan(m_rows.m_tables),
                 gradients.subspan(m_rows.m_tables))
        , m_gradients(gradients)
        , m_dSums(device.memory(), shape.activations())
        , m_dPatches(device.memory(), m_rows.m_patches.size())
        , m_dRounded(device, m_dPatches.size())
        , m_sums(device, m_rows.m_rows, shape.dModel)
    {}

    void save(const float* images, float* y) override
    {
        m_rows.sums(images, y);
        m_norm.save(y, y);
    }

    void run(const float* dy, float* /*dx*/) override
    {
        const Embedding& embedding = m_rows.m_embedding;
        m_norm.runBackward(dy, m_dSums.data());
        if (embedding.extraTokens > 0) {
            sumImages(embedding.extraTokens, m_gradients[m_rows.extraAt()]);
        }
        if (embedding.positions == Positions::learned) {
            sumImages(embedding.imageTokens(), m_gradients[m_rows.m_tables - 1]);
        }
        forEachElement(m_device,
                       m_rows.m_rows,
                       m_rows.m_d,
                       TakePatches{m_dSums.data(),
                                   embedding.extraTokens,
                                   embedding.patches(),
                                   m_rows.m_d,
                                   m_dPatches.data()});
        const auto d = static_cast<int>(m_rows.m_d);
        weightGradient(m_device,
                       m_rows.m_x,
                       m_dRounded.of(m_dPatches.data(), m_rows.m_rows, d),
                       m_rows.m_rows,
                       embedding.patchPixels(),
                       d,
                       m_gradients[0]);
        if (embedding.bias) {
            m_sums.run(operandAt(m_dPatches.data(), d), m_rows.m_rows, m_gradients[1].data());
        }
    }

private:
    // Sums the gradient of the first tokens over all images.
    void sumImages(std::int64_t tokens, DeviceSpan<float> gradient)
    {
        sumFirstRows(m_device,
                     m_dSums.data(),
                     m_rows.m_batch,
                     m_rows.m_embedding.imageTokens(),
                     tokens,
                     m_rows.m_d,
                     gradient.data());
    }

    const Device& m_device;
    PatchRows m_rows;
    NormRowsBackward m_norm;
    DeviceGradients m_gradients;
    DeviceBuffer<float> m_dSums; ///< [T, d]
    DeviceBuffer<float> m_dPatches; ///< [rows, d]
    RoundedRows m_dRounded;
    ColumnSums m_sums;
};

void checkSizes(const Embedding& embedding, const Shape& shape, std::size_t pixels)
{
    FLOPSMITH_CHECK(embedding.readsPatches() && shape.sequence == embedding.imageTokens());
    FLOPSMITH_CHECK(pixels
                    == static_cast<std::size_t>(shape.batch)
                        * static_cast<std::size_t>(embedding.imagePixels()));
}

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> images,
                                        const Device& device)
{
    checkSizes(embedding, shape, images.size());
    return prepared(device, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<StageKernel<PatchStage>>(
            device, weights, images, shape.activations(), [&](DeviceWeights onDevice) {
                return std::make_unique<PatchStage>(device, embedding, shape, onDevice);
            });
    });
}

Result<std::unique_ptr<Kernel>> prepareBackward(const Embedding& embedding,
                                                const Shape& shape,
                                                WeightView<float> weights,
                                                std::span<const float> images,
                                                std::span<const float> dy,
                                                const Device& device)
{
    checkSizes(embedding, shape, images.size());
    FLOPSMITH_CHECK(dy.size() == shape.activations());
    return prepared(device, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<BackwardStageKernel>(
            device,
            weights,
            images,
            dy,
            0,
            flopsmith::weights(embedding, shape.dModel),
            [&](DeviceWeights onDevice, DeviceGradients gradients) {
                return std::make_unique<PatchBackwardStage>(
                    device, embedding, shape, onDevice, gradients);
            });
    });
}

} // namespace flopsmith::cuda
