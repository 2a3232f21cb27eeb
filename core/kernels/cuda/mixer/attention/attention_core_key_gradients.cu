// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/attention_core_backward.cuh"

#include <algorithm>

namespace flopsmith::cuda {
namespace {

// The first queries of the tiles that see any of a block's keys: the inverse of firstSeen() and
// endSeen().
struct TilesOfQueries
{
    int first;
    int end;

    __device__ TilesOfQueries(const CoreSize& size, int firstRow)
    {
        const int rows = size.cached + size.fresh;
        const int lastKey = firstRow + kTileRows < rows ? firstRow + kTileRows - 1 : rows - 1;
        const int early = firstRow - size.firstPosition - size.forward;
        const int late = lastKey - size.firstPosition;
        first = (early < 0 ? 0 : early) / kTileRows * kTileRows;
        end = size.queries - late - 1 < size.back ? size.queries : late + size.back + 1;
    }
};

// From products of keys (rows) and queries (columns) to gradients of scores.
__device__ void scoresBackward(const CoreBackwardArguments& a,
                               const RowFacts* facts,
                               int head,
                               int ownKey,
                               int firstQuery,
                               ScorePieces& products,
                               ScorePieces& gradients)
{
    const PiecePlace place;
    FLOPSMITH_UNROLLED
    for (int n = 0; n < kScorePieces; ++n) {
        FLOPSMITH_UNROLLED
        for (int i = 0; i < 4; ++i) {
            const int column = 8 * n + 2 * place.t + i % 2;
            float before = 0.0F;
            scoreBackward(a,
                          facts[column],
                          head,
                          a.size.firstPosition + firstQuery + column,
                          ownKey + i / 2 * 8,
                          products.at[n][i],
                          gradients.at[n][i],
                          before);
        }
    }
}

// The rows of one warp, from `firstRow` on.
template <int N>
__device__ void writeKeyGradients(const CoreBackwardArguments& a,
                                  const BlockOfGradients& block,
                                  int firstRow,
                                  const Pieces<N>& keySums,
                                  const Pieces<N>& valueSums)
{
    const int rows = a.size.cached + a.size.fresh;
    const std::int64_t token = std::int64_t{block.sequence} * rows;
    const int firstColumn = block.chunk * N * kPieceColumns;
    const int keyColumns = columnsIn<N>(block.chunk, a.size.keyDim);
    const int valueColumns = columnsIn<N>(block.chunk, a.size.valueDim);
    if (keyColumns > 0) {
        float* const to =
            a.to.keys + token * a.to.keyStride + block.head * a.size.keyDim + firstColumn;
        writeGradient(to, a.to.keyStride, firstRow, rows, keyColumns, keySums);
    }
    if (valueColumns > 0) {
        float* const to =
            a.to.values + token * a.to.valueStride + block.head * a.size.valueDim + firstColumn;
        writeGradient(to, a.to.valueStride, firstRow, rows, valueColumns, valueSums);
    }
}

// Keys and values of one head against all queries that see them, of all heads that share them.
template <class Engine, int N>
__global__ void keyGradients(CoreBackwardArguments a)
{
    __shared__ RowFacts facts[kTileRows];
    const BlockOfGradients block(a, a.size.heads / a.size.sharers);
    const int firstRow = block.rowTile * kTileRows; // early keys have the most queries
    const RowsPerKey<typename Engine::Value> own(a, block.sequence, block.head);
    const GradientTiles<Engine> tiles(a);
    const int firstColumn = block.chunk * N * kPieceColumns;
    const int keyColumns = columnsIn<N>(block.chunk, a.size.keyDim);
    const int valueColumns = columnsIn<N>(block.chunk, a.size.valueDim);
    const TilesOfQueries seeing(a.size, firstRow);
    const int ownRow = firstRow + static_cast<int>(threadIdx.x) / kWarp * kPieceRows;
    const int ownKey = ownRow + PiecePlace().g;
    Pieces<N> keySums;
    Pieces<N> valueSums;
    keySums.clear();
    valueSums.clear();
    bool hasOwn = false;
    for (int sharer = 0; sharer < a.size.sharers; ++sharer) {
        const int head = block.head * a.size.sharers + sharer;
        const RowsPerQuery<typename Engine::Value> streamed(a, block.sequence, head);
        for (int query = seeing.first; query < seeing.end; query += kTileRows) {
            ScorePieces products;
            ScorePieces gradients;
            tiles.scores.multiply(
                products, own.keys, firstRow, streamed.queries, query, hasOwn, a.vectors);
            // Between the barriers of the products, and those of the next tile's.
            for (int i = static_cast<int>(threadIdx.x); i < kTileRows;
                 i += static_cast<int>(blockDim.x)) {
                facts[i] = factsOf(a, block.sequence, query + i, head);
            }
            tiles.values.multiply(
                gradients, own.values, firstRow, streamed.dOut, query, hasOwn, a.vectors);
            hasOwn = true;
            scoresBackward(a, facts, head, ownKey, query, products, gradients);
            const auto* const dOut =
                tiles.values.columns(streamed.dOut, query, firstColumn, valueColumns, a.vectors);
            Engine::addWeighted(valueSums, products, dOut, a.valueStride, valueColumns);
            const auto* const queries =
                tiles.scores.columns(streamed.queries, query, firstColumn, keyColumns, a.vectors);
            Engine::addWeighted(keySums, gradients, queries, a.keyStride, keyColumns);
        }
    }
    writeKeyGradients(a, block, ownRow, keySums, valueSums);
}

} // namespace

void enqueueKeyGradients(const Device& device,
                         CoreBackwardArguments arguments,
                         int pieces,
                         std::size_t sharedBytes)
{
    const CoreSize& size = arguments.size;
    arguments.rowTiles = dividedUp(size.fresh, kTileRows);
    arguments.chunks = dividedUp(std::max(size.keyDim, size.valueDim), kPieceColumns * pieces);
    withEngine(device, [&](auto engine) {
        using Engine = decltype(engine);
        launch(device,
               static_cast<unsigned>(size.batch * size.keyHeads() * arguments.chunks
                                     * arguments.rowTiles),
               kTileThreads,
               sharedBytes,
               pieces == kNarrowGradient ? &keyGradients<Engine, kNarrowGradient>
                                         : &keyGradients<Engine, kWideGradient>,
               arguments);
    });
}

} // namespace flopsmith::cuda
