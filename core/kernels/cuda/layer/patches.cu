// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/layer/operations.h"
#include "core/kernels/cuda/plan/elements.cuh"
#include "core/kernels/cuda/plan/operations.h"

namespace flopsmith::cuda {
namespace {

// Cuts images [batch, channels, size, size] into patches, one per row of the result, row by row. A
// remainder at the right and lower edge is not read.
Tensor* cut(Plan& plan, const Embedding& embedding, std::span<const float> images)
{
    const int size = embedding.imageSize;
    const int side = embedding.patchSize;
    const int across = size / side;
    const int channels = embedding.channels;
    const auto count = static_cast<Index>(images.size()) / embedding.imagePixels();
    const float* const from = plan.copied(std::vector<float>(images.begin(), images.end()));
    Tensor* const y = plan.still(count * across * across, embedding.patchPixels());
    fill(plan, y, [=] __device__(Index row, Index column) {
        const Index image = row / (across * across);
        const auto patch = static_cast<int>(row - image * across * across);
        const int inPlane = static_cast<int>(column) % (side * side);
        const Index plane = image * channels + column / (side * side);
        const Index v = patch / across * side + inPlane / side;
        const Index u = patch % across * side + inPlane % side;
        return from[(plane * size + v) * size + u];
    });
    return y;
}

// The tokens of each image: the extra ones, which may be absent, then its patches.
Tensor* putTogether(Plan& plan, const Embedding& embedding, Tensor* extra, Tensor* patches)
{
    const Index d = patches->columns;
    const Index perImage = embedding.patches();
    const Index tokens = embedding.imageTokens();
    const Index extraTokens = embedding.extraTokens;
    const Index images = patches->rows / perImage;
    Tensor* const y = plan.tensor(images * tokens, d);
    const Matrix first{extra == nullptr ? nullptr : extra->values, d};
    const Matrix rest = valuesOf(patches);
    const Matrix dy = gradientOf(y);
    fill(plan, y, [=] __device__(Index token, Index column) {
        const Index image = token / tokens;
        const Index place = token - image * tokens;
        return place < extraTokens ? first(place, column)
                                   : rest(image * perImage + place - extraTokens, column);
    });
    addGradient(plan, patches, [=] __device__(Index row, Index column) {
        const Index image = row / perImage;
        return dy(image * tokens + extraTokens + row - image * perImage, column);
    });
    addGradient(plan, extra, [=] __device__(Index, Index i) {
        float sum = 0.0F;
        for (Index image = 0; image < images; ++image) {
            sum += dy(image * tokens + i / d, i % d);
        }
        return sum;
    });
    return y;
}

} // namespace

Tensor* planPatches(Plan& plan,
                    const Embedding& embedding,
                    const Shape& shape,
                    std::span<const float> images,
                    Tensors weights)
{
    const auto tables = static_cast<std::size_t>(embedding.tables());
    Tensor* const bias = embedding.bias ? weights[1] : nullptr;
    Tensor* const extra = embedding.extraTokens > 0 ? weights[embedding.bias ? 2 : 1] : nullptr;
    Tensor* const patches =
        linear(plan, cut(plan, embedding, images), shape.dModel, weights[0], bias);
    Tensor* const x = putTogether(plan, embedding, extra, patches);
    addPositions(plan, embedding, shape, x, weights.subspan(0, tables));
    return normed(plan, embedding.norm, x, weights.subspan(tables));
}

} // namespace flopsmith::cuda
