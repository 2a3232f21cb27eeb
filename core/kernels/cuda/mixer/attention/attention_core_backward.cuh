// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixer/attention/attention_tiles.cuh"

// What the two kernels of the backward pass of attention's core share: queryGradients() for the
// queries of a block, keyGradients() for its keys and values. Both compute the scores again.
namespace flopsmith::cuda {

struct CoreBackwardArguments
{
    CoreSize size;
    CoreInput input;
    ScoreSteps steps;
    RowSums sums;
    const float* centres; ///< [batch·S, H]: Σ out·dOut
    Operand dOut;
    CoreGradients to;
    float* partial; ///< [H, blocks, kOffsets]; null unless the biases' gradients are wanted
    int keyChunk; ///< features of queries and keys on chip
    int keyStride; ///< of their rows in shared memory
    int valueChunk;
    int valueStride;
    int rowTiles; ///< of the block's own rows
    int chunks; ///< of gradients
    bool together; ///< both pairs of tiles share their memory, one after the other
    bool vectors;
};

/// Of a gradient's columns, in pieces, as many as a block computes: all of them, or half as many.
constexpr int kWideGradient = 16;
constexpr int kNarrowGradient = 8;

/// Of a tile of gradients of scores in shared memory, so that its diagonals lie in different banks.
constexpr int kDiagonalStride = kTileRows + 1;

/// Enqueue the two kernels, with blocks for `pieces` (wide or narrow) of a gradient's columns; the
/// rest of the arguments' tiles and chunks is set here.
void enqueueQueryGradients(const Device& device,
                           CoreBackwardArguments arguments,
                           int pieces,
                           std::size_t sharedBytes);
void enqueueKeyGradients(const Device& device,
                         CoreBackwardArguments arguments,
                         int pieces,
                         std::size_t sharedBytes);

/// Rows of scores belong to queries; here their largest, total and centre as a tile needs them.
struct RowFacts
{
    float largest;
    float share; ///< 1/total
    float centre;
};

__device__ inline RowFacts factsOf(const CoreBackwardArguments& a,
                                   int sequence,
                                   int query,
                                   int head)
{
    if (query >= a.size.queries) {
        return {};
    }
    const std::int64_t row =
        (std::int64_t{sequence} * a.size.queries + query) * a.size.heads + head;
    return {a.sums.largest[row], 1.0F / a.sums.total[row], a.centres[row]};
}

/// Two tiles in shared memory whose rows are multiplied with each other, chunk by chunk.
template <class Engine>
struct TilePair
{
    typename Engine::Value* own;
    typename Engine::Value* streamed;
    int stride;
    int chunk;
    int width; ///< of all features, a multiple of kPieceRows
    bool stays; ///< whole rows are on chip, and stay there from tile to tile

    template <class Own, class Streamed>
    __device__ void multiply(ScorePieces& products,
                             const Own& ownRows,
                             int firstOwn,
                             const Streamed& streamedRows,
                             int firstStreamed,
                             bool hasOwn,
                             bool vectors) const
    {
        const int warp = static_cast<int>(threadIdx.x) / kWarp;
        products.clear();
        for (int first = 0; first < width; first += chunk) {
            const int now = width - first < chunk ? width - first : chunk;
            __syncthreads(); // all have read what is overwritten here
            loadTile<Engine>(
                streamed, stride, streamedRows, firstStreamed, kTileRows, first, now, vectors);
            if (!hasOwn || !stays) {
                loadTile<Engine>(own, stride, ownRows, firstOwn, kTileRows, first, now, vectors);
            }
            __syncthreads();
            Engine::addRowProducts(
                products, own + warp * kPieceRows * stride, stride, streamed, stride, now);
        }
    }

    /// Columns [first, first + columns) of the streamed rows, which are read again if need be.
    template <class Streamed>
    __device__ const typename Engine::Value* columns(const Streamed& rows,
                                                     int firstRow,
                                                     int first,
                                                     int columns,
                                                     bool vectors) const
    {
        if (stays) {
            return streamed + first;
        }
        __syncthreads();
        loadTile<Engine>(
            streamed, stride, rows, firstRow, kTileRows, first, (columns + 3) / 4 * 4, vectors);
        __syncthreads();
        return streamed;
    }
};

/// The four tiles of a block: of its own rows and of the streamed ones, features of queries and keys
/// and those of dOut and values.
template <class Engine>
struct GradientTiles
{
    using Value = typename Engine::Value;

    TilePair<Engine> scores;
    TilePair<Engine> values;

    __device__ explicit GradientTiles(const CoreBackwardArguments& a)
        : scores(tilesAt(a, 0, a.keyStride, a.keyChunk, a.size.keyDim))
        , values(tilesAt(a,
                         a.together ? 0 : 2 * kTileRows * a.keyStride,
                         a.valueStride,
                         a.valueChunk,
                         a.size.valueDim))
    {}

    /// The shared memory behind them.
    __device__ float* behind() const
    {
        return reinterpret_cast<float*>(values.own + 2 * kTileRows * values.stride);
    }

private:
    static __device__ TilePair<Engine> tilesAt(const CoreBackwardArguments& a,
                                               int place,
                                               int stride,
                                               int chunk,
                                               int features)
    {
        Value* const first = sharedMemory<Value>() + place;
        const int width = (features + kPieceRows - 1) / kPieceRows * kPieceRows;
        return {
            first, first + kTileRows * stride, stride, chunk, width, !a.together && width <= chunk};
    }
};

/// What has a row per query, of one head.
template <class Value>
struct RowsPerQuery
{
    QueryRows<Value> queries;
    QueryRows<Value> dOut;

    __device__ RowsPerQuery(const CoreBackwardArguments& a, int sequence, int head)
        : queries(rowsOfQueries<Value>(a.input.queries, a.size, sequence, head, 1, a.size.keyDim))
        , dOut(rowsOfQueries<Value>(a.dOut, a.size, sequence, head, 1, a.size.valueDim))
    {}
};

/// What has a row per key, of one head of keys.
template <class Value>
struct RowsPerKey
{
    KeyRows<Value> keys;
    KeyRows<Value> values;

    __device__ RowsPerKey(const CoreBackwardArguments& a, int sequence, int keyHead)
        : keys(rowsOfHead<Value>(a.input.keys, a.size, sequence, keyHead, a.size.keyDim))
        , values(rowsOfHead<Value>(a.input.values, a.size, sequence, keyHead, a.size.valueDim))
    {}
};

/// Columns of the chunk that a matrix of `width` columns has.
template <int N>
__device__ int columnsIn(int chunk, int width)
{
    const int left = width - chunk * N * kPieceColumns;
    return left < 0 ? 0 : (left < N * kPieceColumns ? left : N * kPieceColumns);
}

/// The rows of one warp.
template <int N>
__device__ void writeGradient(float* first,
                              std::int64_t stride,
                              int firstRow,
                              int rows,
                              int columns,
                              const Pieces<N>& sums)
{
    const PiecePlace place;
    FLOPSMITH_UNROLLED
    for (int half = 0; half < 2; ++half) {
        const int row = firstRow + place.g + 8 * half;
        FLOPSMITH_UNROLLED
        for (int n = 0; n < N; ++n) {
            FLOPSMITH_UNROLLED
            for (int j = 0; j < 2; ++j) {
                const int column = 8 * n + 2 * place.t + j;
                if (row < rows && column < columns) {
                    first[row * stride + column] = sums.at[n][2 * half + j];
                }
            }
        }
    }
}

/// From q·k and dOut·v of a pair to p and to the gradient of q·k. `before` is that of the score
/// before its bias was added.
__device__ inline void scoreBackward(const CoreBackwardArguments& a,
                                     const RowFacts& row,
                                     int head,
                                     int position,
                                     int key,
                                     float& product,
                                     float& gradient,
                                     float& before)
{
    float tangent = 0.0F;
    const float score = finishedScore(a.steps, head, key - position, product, tangent);
    const bool counts = sees(a.size, position, key) && row.share > 0.0F;
    const float p = counts ? expf(score - row.largest) * row.share : 0.0F;
    before = counts ? p * (gradient - row.centre) : 0.0F;
    product = p;
    gradient = before * (1.0F - tangent * tangent) * a.steps.scale;
}

/// What a block computes gradients of.
struct BlockOfGradients
{
    int rowTile;
    int chunk;
    int head; ///< of queries or of keys
    int sequence;

    __device__ BlockOfGradients(const CoreBackwardArguments& a, int heads)
    {
        BlockDigits digits;
        rowTile = digits.next(a.rowTiles);
        chunk = digits.next(a.chunks);
        head = digits.next(heads);
        sequence = digits.rest();
    }
};

} // namespace flopsmith::cuda
