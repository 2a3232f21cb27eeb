// SPDX-License-Identifier: MIT
#include "core/base/check.h"
#include "core/kernels/cuda/layer.h"
#include "core/kernels/cuda/plan/elements.cuh"
#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/plan_kernel.h"

#include <algorithm>
#include <numeric>

namespace flopsmith::cuda {
namespace {

// scale·(row of the table) of every token. The gradient of a row is a sum over the tokens of its number,
// so they are sorted by it.
Tensor* lookedUp(Plan& plan, Tensor* table, Index width, std::span<const int> ids, float scale)
{
    Tensor* const y = plan.tensor(static_cast<Index>(ids.size()), width);
    const int* const id = plan.copied(std::vector<int>(ids.begin(), ids.end()));
    const Matrix from{table->values, width};
    fill(plan, y, [=] __device__(Index token, Index column) {
        return scale * from(id[token], column);
    });
    if (!plan.learns()) {
        return y;
    }
    const auto idOf = [&](int token) { return ids[static_cast<std::size_t>(token)]; };
    std::vector<int> tokens(ids.size());
    std::iota(tokens.begin(), tokens.end(), 0);
    std::stable_sort(tokens.begin(), tokens.end(), [&](int a, int b) { return idOf(a) < idOf(b); });
    std::vector<int> before(static_cast<std::size_t>(table->elements() / width) + 1);
    for (const int number : ids) {
        ++before[static_cast<std::size_t>(number) + 1];
    }
    std::partial_sum(before.begin(), before.end(), before.begin());
    const int* const sorted = plan.copied(tokens);
    const int* const firsts = plan.copied(before);
    const Matrix dy = gradientOf(y);
    addGradient(plan, table, [=] __device__(Index, Index i) {
        const Index number = i / width;
        float sum = 0.0F;
        for (int at = firsts[number]; at < firsts[number + 1]; ++at) {
            sum += scale * dy(sorted[at], i % width);
        }
        return sum;
    });
    return y;
}

// x ← x + the row of its position, in place; as tokens of a sequence, or of an image, follow.
void addPositions(Plan& plan,
                  const Embedding& embedding,
                  const Shape& shape,
                  Tensor* x,
                  Tensors weights)
{
    if (embedding.positions == Positions::none) {
        return;
    }
    const Index width = x->columns;
    const Index sequence = shape.sequence;
    const bool learned = embedding.positions == Positions::learned;
    const Index begin = embedding.readsPatches() ? 0 : shape.context - shape.sequence;
    Tensor* table = nullptr;
    if (learned) {
        table = weights[embedding.readsPatches() ? weights.size() - 1 : 1];
    } else {
        std::vector<float> rows;
        for (Index i = 0; i < sequence * width; ++i) {
            rows.push_back(
                static_cast<float>(sinusoidalPosition(static_cast<int>(begin + i / width),
                                                      static_cast<int>(i % width),
                                                      static_cast<int>(width))));
        }
        table = plan.constant(rows, width);
    }
    // The table repeats behind its last row.
    const Index rows = learned ? embedding.positionTableRows() : sequence;
    const Index first = learned ? begin : 0;
    const Index batch = shape.batch;
    const Matrix values = valuesOf(x);
    const Matrix added{table->values, width};
    const Matrix dx = gradientOf(x);
    fill(plan, x, [=] __device__(Index token, Index column) {
        const Index row = (first + token % sequence) % rows;
        return values(token, column) + added(row, column);
    });
    addGradient(plan, table, [=] __device__(Index, Index i) {
        const Index row = i / width;
        float sum = 0.0F;
        for (Index b = 0; b < batch; ++b) {
            for (Index at = (row + rows - first % rows) % rows; at < sequence; at += rows) {
                sum += dx(b * sequence + at, i % width);
            }
        }
        return sum;
    });
}

Tensor* planTokens(Plan& plan,
                   const Embedding& embedding,
                   const Shape& shape,
                   std::span<const int> tokenIds,
                   Tensors weights)
{
    const int d = shape.dModel;
    const auto tables = static_cast<std::size_t>(embedding.tables());
    const std::size_t projection = tables + flopsmith::weights(embedding.norm, 1).size();
    const auto projected = [&](Tensor* x) {
        const bool biased = embedding.projection == Projection::biased;
        return linear(plan, x, d, weights[projection], biased ? weights[projection + 1] : nullptr);
    };
    const float scale = embedding.scale ? static_cast<float>(embeddingScale(embedding, d)) : 1.0F;
    Tensor* x = lookedUp(plan, weights[0], embedding.tableWidth(d), tokenIds, scale);
    const bool sumsFirst = embedding.sumsBeforeProjection();
    if (embedding.projects() && !sumsFirst) {
        x = projected(x);
    }
    addPositions(plan, embedding, shape, x, weights.subspan(0, tables));
    if (embedding.tokenTypes > 0) { // all tokens are of type 0
        Tensor* const types = weights[tables - 1];
        plan.clearFirst(types);
        addBias(plan, x, plan.columns(types, 0, x->columns));
    }
    x = normed(plan, embedding.norm, x, weights.subspan(tables));
    return sumsFirst ? projected(x) : x;
}

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

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const int> tokenIds,
                                        const Device& device,
                                        OptionalValues dy)
{
    FLOPSMITH_CHECK(tokenIds.size() == shape.tokens() && !embedding.readsPatches());
    FLOPSMITH_CHECK(!dy || dy->size() == shape.activations());
    FLOPSMITH_CHECK(std::all_of(tokenIds.begin(), tokenIds.end(), [&](int id) {
        return id >= 0 && id < embedding.vocab; // in the table
    }));
    return planned(device, weights, {}, 1, dy, [&](Plan& plan, Tensor*, Tensors w) {
        return planTokens(plan, embedding, shape, tokenIds, w);
    });
}

Result<std::unique_ptr<Kernel>> prepare(const Embedding& embedding,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> images,
                                        const Device& device,
                                        OptionalValues dy)
{
    FLOPSMITH_CHECK(embedding.readsPatches() && shape.sequence == embedding.imageTokens());
    FLOPSMITH_CHECK(images.size()
                    == static_cast<std::size_t>(shape.batch)
                        * static_cast<std::size_t>(embedding.imagePixels()));
    FLOPSMITH_CHECK(!dy || dy->size() == shape.activations());
    return planned(device, weights, {}, 1, dy, [&](Plan& plan, Tensor*, Tensors w) {
        return planPatches(plan, embedding, shape, images, w);
    });
}

} // namespace flopsmith::cuda
