// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/mixer/attention/attention_core.h"
#include "core/kernels/cuda/mixer/attention/attention_tiles.cuh"

#include <algorithm>

// The kernels of AttentionCore.
namespace flopsmith::cuda {

inline constexpr float kNothing = -INFINITY; // the score of a pair that does not count

struct ForwardArguments
{
    CoreSize size;
    CoreInput input;
    ScoreSteps steps;
    Destination out;
    RowSums sums;
    float* partial; ///< null unless keys are split
    int packed;
    int chunk; ///< features of queries and keys on chip
    int keyStride; ///< of rows of queries and keys in shared memory
    int valueStride;
    int rowTiles;
    int splits;
    bool vectors;
};

/// What a block works on.
struct BlockOfRows
{
    int rowTile;
    int split;
    int valueChunk;
    int group; ///< of heads
    int sequence;
};

inline __device__ BlockOfRows blockOfRows(const ForwardArguments& a, int valueChunks)
{
    BlockDigits digits;
    BlockOfRows block{};
    block.rowTile =
        a.rowTiles - 1 - digits.next(a.rowTiles); // the longest rows of causal attention first
    block.split = digits.next(a.splits);
    block.valueChunk = digits.next(valueChunks);
    block.group = digits.next(a.size.heads / a.packed);
    block.sequence = digits.rest();
    return block;
}

/// The running maximum and total of the two rows of scores that a lane has a part of.
struct OnlineSoftmax
{
    float largest[2];
    float total[2];

    /// From scores to their exponentials; `sums` are scaled to the new maxima.
    template <int N>
    __device__ void add(ScorePieces& scores, Pieces<N>& sums)
    {
        FLOPSMITH_UNROLLED
        for (int half = 0; half < 2; ++half) {
            float most = largest[half];
            FLOPSMITH_UNROLLED
            for (int n = 0; n < kScorePieces; ++n) {
                most = fmaxf(most, fmaxf(scores.at[n][2 * half], scores.at[n][2 * half + 1]));
            }
            most = overRow(most, Larger{});
            const float base = most == kNothing ? 0.0F : most;
            const float shrunk = expf(largest[half] - base);
            float sum = 0.0F;
            FLOPSMITH_UNROLLED
            for (int n = 0; n < kScorePieces; ++n) {
                FLOPSMITH_UNROLLED
                for (int j = 2 * half; j < 2 * half + 2; ++j) {
                    scores.at[n][j] = expf(scores.at[n][j] - base);
                    sum += scores.at[n][j];
                }
            }
            total[half] = total[half] * shrunk + overRow(sum, Plus{});
            largest[half] = most;
            FLOPSMITH_UNROLLED
            for (int n = 0; n < N; ++n) {
                sums.at[n][2 * half] *= shrunk;
                sums.at[n][2 * half + 1] *= shrunk;
            }
        }
    }
};

inline __device__ void finishScores(const ForwardArguments& a,
                                    int firstRow,
                                    int firstHead,
                                    int firstKey,
                                    ScorePieces& scores)
{
    const PiecePlace place;
    FLOPSMITH_UNROLLED
    for (int half = 0; half < 2; ++half) {
        const int row = firstRow + place.g + 8 * half;
        const int position = a.size.firstPosition + row / a.packed;
        const int head = firstHead + row % a.packed;
        const int first = firstSeen(a.size, position);
        const int end = endSeen(a.size, position);
        FLOPSMITH_UNROLLED
        for (int n = 0; n < kScorePieces; ++n) {
            FLOPSMITH_UNROLLED
            for (int j = 0; j < 2; ++j) {
                const int key = firstKey + 8 * n + 2 * place.t + j;
                float& score = scores.at[n][2 * half + j];
                float tangent = 0.0F;
                const float finished = finishedScore(a.steps, head, key - position, score, tangent);
                score = key >= first && key < end ? finished : kNothing;
            }
        }
    }
}

template <class Value, int N>
__device__ void writeRow(Value* to, int columns, const Pieces<N>& sums, int half, float factor)
{
    const PiecePlace place;
    FLOPSMITH_UNROLLED
    for (int n = 0; n < N; ++n) {
        FLOPSMITH_UNROLLED
        for (int j = 0; j < 2; ++j) {
            const int column = 8 * n + 2 * place.t + j;
            if (column < columns) {
                setTo(to[column], sums.at[n][2 * half + j] * factor);
            }
        }
    }
}

/// The rows of one warp: the sums divided by the totals, or partial sums where keys are split.
template <class Value, int N>
__device__ void writeRows(const ForwardArguments& a,
                          const BlockOfRows& block,
                          int firstRow,
                          const OnlineSoftmax& softmax,
                          const Pieces<N>& sums)
{
    const PiecePlace place;
    const int firstColumn = block.valueChunk * N * kPieceColumns;
    const int columns = a.size.valueDim - firstColumn;
    FLOPSMITH_UNROLLED
    for (int half = 0; half < 2; ++half) {
        const int row = firstRow + place.g + 8 * half;
        if (row >= a.size.queries * a.packed) {
            continue;
        }
        const int head = block.group * a.packed + row % a.packed;
        const std::int64_t token = std::int64_t{block.sequence} * a.size.queries + row / a.packed;
        const std::int64_t index = token * a.size.heads + head;
        const std::int64_t rows = a.size.batch * a.size.queries * a.size.heads;
        const std::int64_t place0 = index + block.split * rows;
        if (a.sums.largest != nullptr && place.t == 0 && block.valueChunk == 0) {
            a.sums.largest[place0] = softmax.largest[half];
            a.sums.total[place0] = softmax.total[half];
        }
        const std::int64_t column = std::int64_t{head} * a.size.valueDim + firstColumn;
        const float factor = 1.0F / softmax.total[half];
        if (a.partial != nullptr) {
            writeRow(a.partial + place0 * a.size.valueDim + firstColumn, columns, sums, half, 1.0F);
        } else if (a.out.element == Element::float32) {
            auto* const out = static_cast<float*>(a.out.first);
            writeRow(out + token * a.out.stride + column, columns, sums, half, factor);
        } else {
            auto* const out = static_cast<__nv_bfloat16*>(a.out.first);
            writeRow(out + token * a.out.stride + column, columns, sums, half, factor);
        }
    }
}

/// Keys that any row of the block sees, cut into tiles, of which this split takes some.
inline __device__ void tilesOf(const ForwardArguments& a,
                               const BlockOfRows& block,
                               int firstRow,
                               int rows,
                               int& tile,
                               int& end)
{
    const int last = firstRow + rows < a.size.queries * a.packed ? firstRow + rows - 1
                                                                 : a.size.queries * a.packed - 1;
    const int firstTile = firstSeen(a.size, a.size.firstPosition + firstRow / a.packed) / kTileRows;
    const int endKey = endSeen(a.size, a.size.firstPosition + last / a.packed);
    const int endTile = (endKey + kTileRows - 1) / kTileRows;
    const int perSplit = (endTile - firstTile + a.splits - 1) / a.splits;
    tile = firstTile + block.split * perSplit;
    end = tile + perSplit < endTile ? tile + perSplit : endTile;
}

/// N pieces of values per block, 16 rows per warp.
template <class Engine, int N>
__global__ void attendForward(ForwardArguments a)
{
    using Value = typename Engine::Value;
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    const int rows = static_cast<int>(blockDim.x) / kWarp * kPieceRows;
    const int valueChunks = (a.size.valueDim + 8 * N - 1) / (8 * N);
    const BlockOfRows block = blockOfRows(a, valueChunks);
    const int firstRow = block.rowTile * rows;
    const int firstHead = block.group * a.packed;
    const int keyHead = firstHead / a.size.sharers;
    const auto queries = rowsOfQueries<Value>(
        a.input.queries, a.size, block.sequence, firstHead, a.packed, a.size.keyDim);
    const auto keys =
        rowsOfHead<Value>(a.input.keys, a.size, block.sequence, keyHead, a.size.keyDim);
    const auto values =
        rowsOfHead<Value>(a.input.values, a.size, block.sequence, keyHead, a.size.valueDim);

    Value* const queryTile = sharedMemory<Value>();
    Value* const keyTile = queryTile + rows * a.keyStride;
    Value* const valueTile = keyTile + kTileRows * a.keyStride;
    const Value* const ownQueries = queryTile + warp * kPieceRows * a.keyStride;
    const int width = (a.size.keyDim + kPieceRows - 1) / kPieceRows * kPieceRows;
    const int firstColumn = block.valueChunk * N * 8;
    const int columns =
        a.size.valueDim - firstColumn < 8 * N ? a.size.valueDim - firstColumn : 8 * N;

    OnlineSoftmax softmax{{kNothing, kNothing}, {0.0F, 0.0F}};
    if (a.steps.sinks != nullptr && block.split == 0) {
        const PiecePlace place;
        FLOPSMITH_UNROLLED
        for (int half = 0; half < 2; ++half) {
            const int row = firstRow + warp * kPieceRows + place.g + 8 * half;
            softmax.largest[half] = a.steps.sinks[firstHead + row % a.packed];
            softmax.total[half] = 1.0F;
        }
    }
    Pieces<N> sums;
    sums.clear();
    int tile = 0;
    int end = 0;
    tilesOf(a, block, firstRow, rows, tile, end);
    bool hasQueries = false;
    for (; tile < end; ++tile) {
        const int firstKey = tile * kTileRows;
        ScorePieces scores;
        scores.clear();
        for (int first = 0; first < width; first += a.chunk) {
            const int now = width - first < a.chunk ? width - first : a.chunk;
            __syncthreads(); // all have read what is overwritten here
            loadTile<Engine>(
                keyTile, a.keyStride, keys, firstKey, kTileRows, first, now, a.vectors);
            if (!hasQueries) {
                loadTile<Engine>(
                    queryTile, a.keyStride, queries, firstRow, rows, first, now, a.vectors);
            }
            if (first == 0) {
                loadTile<Engine>(valueTile,
                                 a.valueStride,
                                 values,
                                 firstKey,
                                 kTileRows,
                                 firstColumn,
                                 (columns + 3) / 4 * 4,
                                 a.vectors);
            }
            __syncthreads();
            Engine::addRowProducts(scores, ownQueries, a.keyStride, keyTile, a.keyStride, now);
        }
        hasQueries = width <= a.chunk;
        finishScores(a, firstRow + warp * kPieceRows, firstHead, firstKey, scores);
        softmax.add(scores, sums);
        Engine::addWeighted(sums, scores, valueTile, a.valueStride, columns);
    }
    writeRows<Value>(a, block, firstRow + warp * kPieceRows, softmax, sums);
}

/// One warp per row: the sums of all splits, in order.
template <class Value>
__global__ void combineSplits(ForwardArguments a, RowSums sums)
{
    const std::int64_t row =
        static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / kWarp) + threadIdx.x / kWarp;
    const std::int64_t rows = a.size.batch * a.size.queries * a.size.heads;
    if (row >= rows) {
        return;
    }
    float largest = kNothing;
    for (int split = 0; split < a.splits; ++split) {
        largest = fmaxf(largest, a.sums.largest[split * rows + row]);
    }
    float total = 0.0F;
    for (int split = 0; split < a.splits; ++split) {
        const std::int64_t from = split * rows + row;
        total += a.sums.total[from] * expf(a.sums.largest[from] - largest);
    }
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    if (sums.largest != nullptr && lane == 0) {
        sums.largest[row] = largest;
        sums.total[row] = total;
    }
    const std::int64_t token = row / a.size.heads;
    const std::int64_t head = row - token * a.size.heads;
    auto* const out =
        static_cast<Value*>(a.out.first) + token * a.out.stride + head * a.size.valueDim;
    for (int column = lane; column < a.size.valueDim; column += kWarp) {
        float sum = 0.0F;
        for (int split = 0; split < a.splits; ++split) {
            const std::int64_t from = split * rows + row;
            sum +=
                a.partial[from * a.size.valueDim + column] * expf(a.sums.largest[from] - largest);
        }
        setTo(out[column], sum / total);
    }
}

} // namespace flopsmith::cuda
