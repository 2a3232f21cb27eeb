// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/plan/elements.cuh"
#include "core/kernels/cuda/plan/operations.h"

namespace flopsmith::cuda {
namespace {

// Where a piece of a row is.
struct Pieces
{
    Index units;
    Index width;
    Index stride; ///< of rows

    __device__ Index first(Index piece) const
    {
        return piece / units * stride + piece % units * width;
    }
};

// The mean that is subtracted, and what the difference is multiplied by.
struct Measure
{
    float centre;
    float factor;
};

__device__ Measure measureOf(const float* row, Index width, bool centres, float epsilon)
{
    const auto count = static_cast<float>(width);
    const auto value = [&](Index j) { return row[j]; };
    const float centre = centres ? sumOverBlock(0, width, value) / count : 0.0F;
    const float squares =
        sumOverBlock(0, width, [&](Index j) { return (row[j] - centre) * (row[j] - centre); });
    return {centre, 1.0F / sqrtf(squares / count + epsilon)};
}

// Both passes of one norm; null pointers: without γ or β.
struct NormOfPieces
{
    Pieces from;
    Pieces to;
    bool centres;
    float epsilon;
    const float* x;
    float* y;
    const float* gamma;
    const float* beta;
    Measure* measures;

    __device__ void normalise(Index piece) const
    {
        const float* const row = x + from.first(piece);
        const Measure measure = measureOf(row, from.width, centres, epsilon);
        shareOut(0, from.width, [&](Index j) {
            const float value = (row[j] - measure.centre) * measure.factor;
            const float scaled = gamma == nullptr ? value : value * gamma[j];
            y[to.first(piece) + j] = beta == nullptr ? scaled : scaled + beta[j];
        });
        if (threadIdx.x == 0) {
            measures[piece] = measure;
        }
    }

    __device__ float normalised(Index piece, Index j) const
    {
        return (x[from.first(piece) + j] - measures[piece].centre) * measures[piece].factor;
    }

    // With n the normalised piece, r its factor, g = dy ⊙ γ: dx = (g − [mean(g)] − n·mean(g ⊙ n))·r.
    __device__ void back(Index piece, const float* dy, float* dx, bool adds) const
    {
        const auto count = static_cast<float>(from.width);
        const auto g = [&](Index j) {
            return dy[to.first(piece) + j] * (gamma == nullptr ? 1.0F : gamma[j]);
        };
        const auto along = [&](Index j) { return g(j) * normalised(piece, j); };
        const float mean = centres ? sumOverBlock(0, from.width, g) / count : 0.0F;
        const float meanAlong = sumOverBlock(0, from.width, along) / count;
        shareOut(0, from.width, [&](Index j) {
            float& value = dx[from.first(piece) + j];
            value = (adds ? value : 0.0F)
                + (g(j) - mean - normalised(piece, j) * meanAlong) * measures[piece].factor;
        });
    }
};

} // namespace

Tensor* normed(Plan& plan, const Norm& norm, Tensor* x, Tensors weights, int units)
{
    if (norm.kind == NormKind::none) {
        return x;
    }
    Tensor* const y = plan.like(x);
    Tensor* const gamma = norm.scale ? weights[0] : nullptr;
    Tensor* const beta = norm.hasShift() ? weights[norm.scale ? 1 : 0] : nullptr;
    const Index pieces = x->rows * units;
    const Index width = x->columns / units;
    const NormOfPieces of{.from = {units, width, x->stride},
                          .to = {units, width, y->stride},
                          .centres = norm.kind == NormKind::layerNorm,
                          .epsilon = static_cast<float>(norm.epsilon),
                          .x = x->values,
                          .y = y->values,
                          .gamma = gamma == nullptr ? nullptr : gamma->values,
                          .beta = beta == nullptr ? nullptr : beta->values,
                          .measures = plan.memory<Measure>(pieces)};
    eachRow(plan, pieces, width, [=] __device__(Index piece) { of.normalise(piece); });
    const float* const dy = y->gradient;
    sumIntoGradient(plan, gamma, pieces, [=] __device__(Index piece, Index column) {
        return dy[of.to.first(piece) + column] * of.normalised(piece, column);
    });
    sumIntoGradient(plan, beta, pieces, [=] __device__(Index piece, Index column) {
        return dy[of.to.first(piece) + column];
    });
    if (x->gradient != nullptr) {
        const Into* const into = plan.claim(x);
        plan.backward([=, &device = plan.device(), dx = x->gradient] {
            const bool adds = *into == Into::accumulate;
            forEachRow(device, pieces, width, [=] __device__(Index piece) {
                of.back(piece, dy, dx, adds);
            });
        });
    }
    return y;
}

} // namespace flopsmith::cuda
