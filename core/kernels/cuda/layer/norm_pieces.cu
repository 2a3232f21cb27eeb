// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/layer/norm_pieces.h"

#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/block/elements.cuh"

namespace flopsmith::cuda {
namespace {

constexpr int kRowsPerBlock = 4;

// The piece of this warp; its token and first column.
struct Piece
{
    std::int64_t index;
    std::int64_t token;
    int column;

    __device__ explicit Piece(const NormPieces& rows)
        : index(static_cast<std::int64_t>(blockIdx.x) * kRowsPerBlock + threadIdx.x / kWarp)
        , token(index / rows.units)
        , column(rows.column + static_cast<int>(index - token * rows.units) * rows.features)
    {}
};

__device__ float valueAt(const NormPieces& rows, const Piece& piece, int feature)
{
    const int column = piece.column + feature;
    const float bias = rows.bias == nullptr ? 0.0F : rows.bias[column];
    return rows.x[piece.token * rows.stride + column] + bias;
}

__global__ void measurePieces(bool centred, float epsilon, NormPieces rows, NormMeasure* measures)
{
    const Piece piece(rows);
    if (piece.index >= rows.tokens * rows.units) {
        return;
    }
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const auto count = static_cast<float>(rows.features);
    float centre = 0.0F;
    if (centred) {
        for (int c = lane; c < rows.features; c += kWarp) {
            centre += valueAt(rows, piece, c);
        }
        centre = sumOverWarp(centre) / count;
    }
    float squares = 0.0F;
    for (int c = lane; c < rows.features; c += kWarp) {
        const float value = valueAt(rows, piece, c) - centre;
        squares += value * value;
    }
    squares = sumOverWarp(squares);
    if (lane == 0) {
        measures[piece.index] = {centre, 1.0F / sqrtf(squares / count + epsilon)};
    }
}

template <class Value>
struct Scaling
{
    NormPieces rows;
    const NormMeasure* measures;
    const float* gamma;
    Value* to;
    std::int64_t toStride;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const NormMeasure measure = measures[row];
        for (int i = 0; i < N; ++i) {
            const float value = rows.x[row * rows.stride + rows.column + column + i];
            setTo(to[row * toStride + column + i],
                  (value - measure.centre) * measure.factor * gamma[column + i]);
        }
    }
};

__global__ void pieceGradients(bool centred,
                               NormPieces rows,
                               const NormMeasure* measures,
                               const float* gamma,
                               float* gradient,
                               std::int64_t gradientStride,
                               float* products,
                               std::int64_t productStride)
{
    const Piece piece(rows);
    if (piece.index >= rows.tokens * rows.units) {
        return;
    }
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const NormMeasure measure = measures[piece.index];
    // All pieces of a token share one γ, which is as long as a piece.
    float* const own = gradient + piece.token * gradientStride + piece.column;
    float* const product = products + piece.token * productStride + piece.column - rows.column;
    float along = 0.0F;
    float centre = 0.0F;
    for (int c = lane; c < rows.features; c += kWarp) {
        const float normed = (valueAt(rows, piece, c) - measure.centre) * measure.factor;
        const float g = own[c] * gamma[c];
        product[c] = own[c] * normed;
        along += g * normed;
        centre += g;
    }
    const auto count = static_cast<float>(rows.features);
    along = sumOverWarp(along) / count;
    centre = centred ? sumOverWarp(centre) / count : 0.0F;
    for (int c = lane; c < rows.features; c += kWarp) {
        const float normed = (valueAt(rows, piece, c) - measure.centre) * measure.factor;
        own[c] = (own[c] * gamma[c] - centre - normed * along) * measure.factor;
    }
}

} // namespace

void measureRows(const Device& device,
                 const Norm& norm,
                 const NormPieces& rows,
                 NormMeasure* measures)
{
    launch(device,
           static_cast<unsigned>(dividedUp(rows.pieces(), kRowsPerBlock)),
           kRowsPerBlock * kWarp,
           0,
           &measurePieces,
           norm.kind == NormKind::layerNorm,
           static_cast<float>(norm.epsilon),
           rows,
           measures);
}

void scaleRows(const Device& device,
               const NormPieces& rows,
               const NormMeasure* measures,
               const float* gamma,
               const Destination& to)
{
    FLOPSMITH_CHECK(rows.units == 1 && rows.bias == nullptr);
    if (to.element == Element::float32) {
        auto* first = static_cast<float*>(to.first);
        forEachElement(device,
                       rows.tokens,
                       rows.features,
                       Scaling<float>{rows, measures, gamma, first, to.stride});
    } else {
        auto* first = static_cast<__nv_bfloat16*>(to.first);
        forEachElement(device,
                       rows.tokens,
                       rows.features,
                       Scaling<__nv_bfloat16>{rows, measures, gamma, first, to.stride});
    }
}

void normBackward(const Device& device,
                  NormKind kind,
                  const NormPieces& rows,
                  const NormMeasure* measures,
                  const float* gamma,
                  float* gradient,
                  std::int64_t gradientStride,
                  float* products,
                  std::int64_t productStride)
{
    launch(device,
           static_cast<unsigned>(dividedUp(rows.pieces(), kRowsPerBlock)),
           kRowsPerBlock * kWarp,
           0,
           &pieceGradients,
           kind == NormKind::layerNorm,
           rows,
           measures,
           gamma,
           gradient,
           gradientStride,
           products,
           productStride);
}

} // namespace flopsmith::cuda
