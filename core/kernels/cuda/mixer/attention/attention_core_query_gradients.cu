// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/attention_core_backward.cuh"

namespace flopsmith::cuda {
namespace {

// The sums of a block's gradients of scores by offset, kept behind its tiles in shared memory: each
// tile of scores is written there, and its diagonals added up.
struct OffsetSums
{
    float* tile; ///< [kTileRows, kDiagonalStride]
    float* diagonals; ///< [2·kTileRows]
    float* sums; ///< [kOffsets]; a thread owns every blockDim.x-th from its own on

    __device__ explicit OffsetSums(float* first)
        : tile(first)
        , diagonals(tile + kTileRows * kDiagonalStride)
        , sums(diagonals + 2 * kTileRows)
    {}

    __device__ void clear() const
    {
        for (int slot = static_cast<int>(threadIdx.x); slot < kOffsets;
             slot += static_cast<int>(blockDim.x)) {
            sums[slot] = 0.0F;
        }
    }

    // Adds the tile whose first score has this offset.
    __device__ void addTile(int firstOffset) const
    {
        __syncthreads();
        sumDiagonals();
        __syncthreads();
        for (int slot = static_cast<int>(threadIdx.x); slot < kOffsets;
             slot += static_cast<int>(blockDim.x)) {
            addTo(slot, firstOffset);
        }
    }

    __device__ void write(float* to) const
    {
        for (int slot = static_cast<int>(threadIdx.x); slot < kOffsets;
             slot += static_cast<int>(blockDim.x)) {
            to[slot] = sums[slot];
        }
    }

private:
    static constexpr int kDiagonals = 2 * kTileRows - 1;

    // Each diagonal by one thread.
    __device__ void sumDiagonals() const
    {
        for (int d = static_cast<int>(threadIdx.x); d < kDiagonals;
             d += static_cast<int>(blockDim.x)) {
            const int shift = d - (kTileRows - 1); // column − row
            float sum = 0.0F;
            for (int row = shift < 0 ? -shift : 0; row < kTileRows && row + shift < kTileRows;
                 ++row) {
                sum += tile[row * kDiagonalStride + row + shift];
            }
            diagonals[d] = sum;
        }
    }

    // All offsets beyond the farthest share the first or the last slot.
    __device__ void addTo(int slot, int firstOffset) const
    {
        const int at = slot - kFarthestOffset - firstOffset + kTileRows - 1;
        int from = slot == 0 ? 0 : at;
        int to = slot == kOffsets - 1 ? kDiagonals - 1 : at;
        from = from < 0 ? 0 : from;
        to = to > kDiagonals - 1 ? kDiagonals - 1 : to;
        for (int d = from; d <= to; ++d) {
            sums[slot] += diagonals[d];
        }
    }
};

// The first keys of the tiles that a block's queries see.
struct TilesOfKeys
{
    int first;
    int end;

    __device__ TilesOfKeys(const CoreSize& size, int firstRow)
    {
        const int lastRow =
            firstRow + kTileRows < size.queries ? firstRow + kTileRows - 1 : size.queries - 1;
        first = firstSeen(size, size.firstPosition + firstRow) / kTileRows * kTileRows;
        end = endSeen(size, size.firstPosition + lastRow);
    }
};

// From products of queries (rows) and keys (columns) to gradients of scores; `tile` gets those
// before the biases unless it is null.
__device__ void scoresBackward(const CoreBackwardArguments& a,
                               const RowFacts (&facts)[2],
                               int head,
                               int firstRow,
                               int firstKey,
                               ScorePieces& products,
                               ScorePieces& gradients,
                               float* tile)
{
    const PiecePlace place;
    const int ownRow = static_cast<int>(threadIdx.x) / kWarp * kPieceRows + place.g;
    FLOPSMITH_UNROLLED
    for (int n = 0; n < kScorePieces; ++n) {
        FLOPSMITH_UNROLLED
        for (int i = 0; i < 4; ++i) {
            const int row = ownRow + i / 2 * 8;
            const int column = 8 * n + 2 * place.t + i % 2;
            float before = 0.0F;
            scoreBackward(a,
                          facts[i / 2],
                          head,
                          a.size.firstPosition + firstRow + row,
                          firstKey + column,
                          products.at[n][i],
                          gradients.at[n][i],
                          before);
            if (tile != nullptr) {
                tile[row * kDiagonalStride + column] = before;
            }
        }
    }
}

template <int N>
__device__ void writeQueryGradients(const CoreBackwardArguments& a,
                                    const BlockOfGradients& block,
                                    int firstRow,
                                    int columns,
                                    const Pieces<N>& sums)
{
    if (columns == 0) {
        return;
    }
    writeGradient(a.to.queries + std::int64_t{block.sequence} * a.size.queries * a.to.queryStride
                      + block.head * a.size.keyDim + block.chunk * N * kPieceColumns,
                  a.to.queryStride,
                  firstRow + static_cast<int>(threadIdx.x) / kWarp * kPieceRows,
                  a.size.queries,
                  columns,
                  sums);
}

// Queries of one head against all keys that they see: dQ, and the sums for the biases.
template <class Engine, int N>
__global__ void queryGradients(CoreBackwardArguments a)
{
    const PiecePlace place;
    const BlockOfGradients block(a, a.size.heads);
    const int firstRow = (a.rowTiles - 1 - block.rowTile) * kTileRows;
    const RowsPerQuery<typename Engine::Value> own(a, block.sequence, block.head);
    const RowsPerKey<typename Engine::Value> streamed(
        a, block.sequence, block.head / a.size.sharers);
    const GradientTiles<Engine> tiles(a);
    const OffsetSums offsets(tiles.behind());
    const bool sumsOffsets = a.partial != nullptr && block.chunk == 0;
    if (sumsOffsets) {
        offsets.clear();
    }
    const int ownRow = firstRow + static_cast<int>(threadIdx.x) / kWarp * kPieceRows + place.g;
    const RowFacts facts[2] = {factsOf(a, block.sequence, ownRow, block.head),
                               factsOf(a, block.sequence, ownRow + 8, block.head)};
    const int columns = columnsIn<N>(block.chunk, a.size.keyDim);
    const TilesOfKeys seen(a.size, firstRow);
    Pieces<N> sums;
    sums.clear();
    for (int key = seen.first; key < seen.end; key += kTileRows) {
        const bool hasOwn = key > seen.first;
        ScorePieces products;
        ScorePieces gradients;
        tiles.values.multiply(
            gradients, own.dOut, firstRow, streamed.values, key, hasOwn, a.vectors);
        tiles.scores.multiply(
            products, own.queries, firstRow, streamed.keys, key, hasOwn, a.vectors);
        scoresBackward(a,
                       facts,
                       block.head,
                       firstRow,
                       key,
                       products,
                       gradients,
                       sumsOffsets ? offsets.tile : nullptr);
        if (sumsOffsets) {
            offsets.addTile(key - a.size.firstPosition - firstRow);
        }
        const auto* const keys = tiles.scores.columns(
            streamed.keys, key, block.chunk * N * kPieceColumns, columns, a.vectors);
        Engine::addWeighted(sums, gradients, keys, a.keyStride, columns);
    }
    writeQueryGradients(a, block, firstRow, columns, sums);
    if (sumsOffsets) {
        const std::int64_t part =
            (std::int64_t{block.head} * a.size.batch + block.sequence) * a.rowTiles + block.rowTile;
        offsets.write(a.partial + part * kOffsets);
    }
}

} // namespace

void enqueueQueryGradients(const Device& device,
                           CoreBackwardArguments arguments,
                           int pieces,
                           std::size_t sharedBytes)
{
    const CoreSize& size = arguments.size;
    arguments.rowTiles = dividedUp(size.queries, kTileRows);
    arguments.chunks = dividedUp(size.keyDim, kPieceColumns * pieces);
    withEngine(device, [&](auto engine) {
        using Engine = decltype(engine);
        launch(
            device,
            static_cast<unsigned>(size.batch * size.heads * arguments.chunks * arguments.rowTiles),
            kTileThreads,
            sharedBytes,
            pieces == kNarrowGradient ? &queryGradients<Engine, kNarrowGradient>
                                      : &queryGradients<Engine, kWideGradient>,
            arguments);
    });
}

} // namespace flopsmith::cuda
