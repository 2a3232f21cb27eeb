// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn/moe/routes.h"
#include "core/kernels/cuda/plan/choice.cuh"

#include <algorithm>

namespace flopsmith::cuda {
namespace {

// Half as many rows as an expert has on average: larger tiles waste more rows, smaller ones are slow.
Index rowsOfTile(Index places, Index experts)
{
    constexpr Index kAligned = 8;
    const Index half = (places / experts + 1) / 2;
    return half < kAligned ? std::max<Index>(1, half) : (half + kAligned - 1) / kAligned * kAligned;
}

// Counts each expert's places, then writes its tiles and rows; a warp per expert.
void sortPlaces(Plan& plan, const ExpertTiles& t, const int* experts, Index places)
{
    int* const counts = plan.memory<int>(t.experts);
    eachRow(plan, t.experts, kWarp, [=] __device__(Index expert) {
        const auto isOwn = [&](Index place) { return experts[place] == expert; };
        counts[expert] = numbered(places, isOwn, [](Index, int) {});
    });
    eachRow(plan, t.experts, kWarp, [=] __device__(Index expert) {
        const auto tilesOf = [&](Index e) { return (counts[e] + t.rowsOfTile - 1) / t.rowsOfTile; };
        Index start = 0;
        for (Index e = 0; e < expert; ++e) {
            start += tilesOf(e);
        }
        const Index end = start + tilesOf(expert);
        shareOut(start, end, [&](Index i) { t.expertOfTile[i] = static_cast<int>(expert); });
        t.starts[expert] = static_cast<int>(start);
        t.starts[expert + 1] = static_cast<int>(end); // the next expert writes the same
        const auto isOwn = [&](Index place) { return experts[place] == expert; };
        numbered(places, isOwn, [&](Index place, int rank) {
            const Index row = start * t.rowsOfTile + rank;
            t.placeOfRow[row] = static_cast<int>(place);
            t.rowOfPlace[place] = static_cast<int>(row);
        });
    });
}

// The addresses of `count` matrices, `step` elements apart.
const void* const* addresses(Plan& plan, const Operand& first, Index step, Index count)
{
    std::vector<const void*> all;
    for (Index i = 0; i < count; ++i) {
        all.push_back(shifted(first, i * step).first);
    }
    return plan.copied(all);
}

// A forward step: the address of its expert's matrix for every tile.
const void* const* ofTiles(Plan& plan,
                           const ExpertTiles& tiles,
                           const std::vector<const void*>& all)
{
    const void* const* const matrices = plan.copied(all);
    auto* const to = plan.memory<const void*>(tiles.tiles);
    const int* const expertOfTile = tiles.expertOfTile;
    each(plan, 1, tiles.tiles, [=] __device__(Index, Index tile) {
        to[tile] = matrices[expertOfTile[tile]];
    });
    return to;
}

float* const* gradientsOf(Plan& plan, const std::vector<Tensor*>& tensors)
{
    std::vector<float*> all;
    for (Tensor* const tensor : tensors) {
        plan.claim(tensor); // no other operation writes it
        all.push_back(tensor->gradient);
    }
    return plan.copied(all);
}

// dW of every expert: the products of some tiles at once, then their sum in order.
void matrixGradients(Plan& plan,
                     const ExpertTiles& t,
                     const Operand& xs,
                     const Operand& dys,
                     const std::vector<Tensor*>& matrices)
{
    constexpr Index kMostPartial = Index{1} << 26; // 256 MiB
    const Index entries = xs.stride * dys.stride;
    const Index step = (entries + 3) / 4 * 4; // cuBLAS reads addresses of 16 bytes faster
    const Index most = std::clamp<Index>(kMostPartial / step, 1, t.tiles);
    plan.reserve(most * step);
    auto* const partials = plan.memory<const void*>(most);
    float* const* const to = gradientsOf(plan, matrices);
    plan.backward([=, &plan] {
        const Device& device = plan.device();
        float* const partial = plan.scratch();
        forEach(
            device, 1, most, [=] __device__(Index, Index i) { partials[i] = partial + i * step; });
        for (Index first = 0; first < t.tiles; first += most) {
            const Index end = std::min(first + most, t.tiles);
            const auto from = [&](Operand tiles) {
                tiles.first = static_cast<const void* const*>(tiles.first) + first;
                return tiles;
            };
            multiplyAt(device,
                       {xs.stride, t.rowsOfTile, dys.stride},
                       from(xs).transposed(),
                       from(dys),
                       {partials, dys.stride},
                       {end - first});
            forEach(device, t.experts, entries, [=] __device__(Index e, Index i) {
                const Index begin = t.starts[e] > first ? t.starts[e] : first;
                const Index behind = t.starts[e + 1] < end ? t.starts[e + 1] : end;
                float sum = 0.0F;
                for (Index tile = begin; tile < behind; ++tile) {
                    sum += partial[(tile - first) * step + i];
                }
                if (first == 0 || begin < behind) {
                    to[e][i] = first == 0 ? sum : to[e][i] + sum;
                }
            });
        }
    });
}

// y ← y + b of the expert of each row.
void addBiases(Plan& plan, const ExpertTiles& t, Tensor* y, const std::vector<Tensor*>& biases)
{
    std::vector<const float*> all;
    for (const Tensor* const bias : biases) {
        all.push_back(bias->values);
    }
    const float* const* const b = plan.copied(all);
    const Matrix values = valuesOf(y);
    const Matrix dy = gradientOf(y);
    fill(plan, y, [=] __device__(Index row, Index column) {
        return values(row, column) + b[t.expertOfTile[row / t.rowsOfTile]][column];
    });
    if (!plan.learns()) {
        return;
    }
    float* const* const to = gradientsOf(plan, biases);
    eachBack(plan, t.experts, y->columns, [=] __device__(Index e, Index column) {
        float sum = 0.0F;
        for (Index row = t.starts[e] * t.rowsOfTile; row < t.starts[e + 1] * t.rowsOfTile; ++row) {
            sum += dy(row, column);
        }
        to[e][column] = sum;
    });
}

} // namespace

ExpertTiles sorted(Plan& plan, const MoeFfn& ffn, const Routes& routes)
{
    const Index places = routes.weights->elements();
    ExpertTiles t;
    t.experts = ffn.experts;
    t.perToken = ffn.perToken;
    t.rowsOfTile = rowsOfTile(places, t.experts);
    t.tiles = (places + std::min(t.experts, places) * (t.rowsOfTile - 1)) / t.rowsOfTile;
    t.starts = plan.memory<int>(t.experts + 1);
    t.expertOfTile = plan.memory<int>(t.tiles);
    t.placeOfRow = plan.memory<int>(t.rows());
    t.rowOfPlace = plan.memory<int>(places);
    each(plan, t.tiles, t.rowsOfTile, [=] __device__(Index tile, Index row) {
        t.expertOfTile[tile] = 0;
        t.placeOfRow[tile * t.rowsOfTile + row] = -1;
    });
    sortPlaces(plan, t, routes.experts, places);
    return t;
}

Tensor* rowsOf(Plan& plan, const ExpertTiles& t, Tensor* x)
{
    Tensor* const y = plan.tensor(t.rows(), x->columns);
    const Matrix from = valuesOf(x);
    const Matrix dy = gradientOf(y);
    fill(plan, y, [=] __device__(Index row, Index column) {
        const Index place = t.placeOfRow[row];
        return place < 0 ? 0.0F : from(place / t.perToken, column);
    });
    addGradient(plan, x, [=] __device__(Index token, Index column) {
        float sum = 0.0F;
        for (Index i = token * t.perToken; i < (token + 1) * t.perToken; ++i) {
            sum += dy(t.rowOfPlace[i], column);
        }
        return sum;
    });
    return y;
}

Tensor* expertLinear(Plan& plan,
                     const ExpertTiles& t,
                     Tensor* x,
                     Index out,
                     const std::vector<Tensor*>& matrices,
                     const std::vector<Tensor*>& biases)
{
    const Index in = x->columns;
    Tensor* const y = plan.tensor(x->rows, out);
    std::vector<const void*> all;
    for (Tensor* const matrix : matrices) {
        all.push_back(plan.operand(matrix).first);
    }
    const void* const* const w = ofTiles(plan, t, all);
    const Operand from = plan.operand(x);
    const auto tilesAt = [&](const Operand& operand) {
        const Index stride = operand.stride;
        return Operand{
            addresses(plan, operand, t.rowsOfTile * stride, t.tiles), stride, operand.element};
    };
    const Operand xs = tilesAt(from);
    const Operand ys = tilesAt(operandAt(y->values, out));
    plan.forward([=, &device = plan.device()] {
        multiplyAt(device, {t.rowsOfTile, in, out}, xs, {w, out, from.element}, ys, {t.tiles});
    });
    if (plan.learns()) {
        const Operand dys = tilesAt(plan.gradientOperand(y));
        matrixGradients(plan, t, xs, dys, matrices);
        const Operand dxs = tilesAt(operandAt(x->gradient, in));
        const Into* const into = plan.claim(x);
        plan.backward([=, &device = plan.device()] {
            const Operand back{w, out, from.element, Stored::transposed};
            multiplyAt(device, {t.rowsOfTile, out, in}, dys, back, dxs, {t.tiles, *into});
        });
    }
    if (!biases.empty()) {
        addBiases(plan, t, y, biases);
    }
    return y;
}

Tensor* combined(Plan& plan, const ExpertTiles& t, Tensor* rows, const Routes& routes)
{
    const Index d = rows->columns;
    const Index tokens = routes.weights->rows;
    Tensor* const y = plan.tensor(tokens, d);
    const Matrix from = valuesOf(rows);
    const Matrix dy = gradientOf(y);
    const float* const weights = routes.weights->values;
    fill(plan, y, [=] __device__(Index token, Index column) {
        float sum = 0.0F;
        for (Index i = token * t.perToken; i < (token + 1) * t.perToken; ++i) {
            sum += weights[i] * from(t.rowOfPlace[i], column);
        }
        return sum;
    });
    addGradient(plan, rows, [=] __device__(Index row, Index column) {
        const Index place = t.placeOfRow[row];
        return place < 0 ? 0.0F : weights[place] * dy(place / t.perToken, column);
    });
    sumRowsIntoGradient(plan, routes.weights, d, [=] __device__(Index place, Index column) {
        return dy(place / t.perToken, column) * from(t.rowOfPlace[place], column);
    });
    return y;
}

} // namespace flopsmith::cuda
