// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/attention_core.h"
#include "core/kernels/cuda/attention_tiles.cuh"
#include "core/kernels/cuda/block.cuh"

#include <algorithm>

namespace flopsmith::cuda {
namespace {

struct BackwardArguments
{
    CoreSize size;
    CoreInput input;
    ScoreSteps steps;
    RowSums sums;
    const float* centres;
    Operand dOut;
    CoreGradients to;
    float* partial; ///< null unless the biases' gradients are wanted
    int keyChunk; ///< features of queries and keys on chip
    int keyStride; ///< of their rows in shared memory
    int valueChunk;
    int valueStride;
    int rowTiles; ///< of the block's own rows
    int chunks; ///< of gradients
    bool vectors;
};

// Rows of scores belong to queries; here their largest, total and centre as a tile needs them.
struct RowFacts
{
    float largest;
    float share; ///< 1/total
    float centre;
};

__device__ RowFacts factsOf(const BackwardArguments& a, int sequence, int query, int head)
{
    if (query >= a.size.queries) {
        return {};
    }
    const std::int64_t row =
        (std::int64_t{sequence} * a.size.queries + query) * a.size.heads + head;
    return {a.sums.largest[row], 1.0F / a.sums.total[row], a.centres[row]};
}

// Two tiles in shared memory whose rows are multiplied with each other, chunk by chunk.
template <class Engine>
struct TilePair
{
    typename Engine::Value* own;
    typename Engine::Value* streamed;
    int stride;
    int chunk;
    int width; ///< of all features, a multiple of kPieceRows

    __device__ bool isWhole() const { return width <= chunk; }

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
            if (!hasOwn || !isWhole()) {
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
        if (isWhole()) {
            return streamed + first;
        }
        __syncthreads();
        loadTile<Engine>(
            streamed, stride, rows, firstRow, kTileRows, first, (columns + 3) / 4 * 4, vectors);
        __syncthreads();
        return streamed;
    }
};

// Columns of the chunk that a matrix of `width` columns has.
template <int N>
__device__ int columnsIn(int chunk, int width)
{
    const int left = width - chunk * N * kPieceColumns;
    return left < 0 ? 0 : (left < N * kPieceColumns ? left : N * kPieceColumns);
}

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

// From q·k and dOut·v of a pair to p and to the gradient of q·k. `before` is that of the score
// before its bias was added.
__device__ inline void scoreBackward(const BackwardArguments& a,
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

// Adds a tile's gradients of scores to the sums of their offsets: each diagonal by one thread.
__device__ void addDiagonals(const float* tile,
                             int stride,
                             int firstOffset,
                             float* diagonals,
                             float* sums)
{
    constexpr int kDiagonals = 2 * kTileRows - 1;
    __syncthreads();
    const int thread = static_cast<int>(threadIdx.x);
    for (int d = thread; d < kDiagonals; d += static_cast<int>(blockDim.x)) {
        const int shift = d - (kTileRows - 1); // column − row
        float sum = 0.0F;
        for (int row = shift < 0 ? -shift : 0; row < kTileRows && row + shift < kTileRows; ++row) {
            sum += tile[row * stride + row + shift];
        }
        diagonals[d] = sum;
    }
    __syncthreads();
    for (int slot = thread; slot < kOffsets; slot += static_cast<int>(blockDim.x)) {
        // All offsets beyond the farthest share the first or the last slot.
        const int at = slot - kFarthestOffset - firstOffset + kTileRows - 1;
        int from = slot == 0 ? 0 : at;
        int to = slot == kOffsets - 1 ? kDiagonals - 1 : at;
        from = from < 0 ? 0 : from;
        to = to > kDiagonals - 1 ? kDiagonals - 1 : to;
        for (int d = from; d <= to; ++d) {
            sums[slot] += diagonals[d];
        }
    }
}

struct BlockOfGradients
{
    int rowTile;
    int chunk;
    int head; ///< of queries or of keys
    int sequence;
};

__device__ BlockOfGradients blockOfGradients(const BackwardArguments& a, int heads)
{
    unsigned rest = blockIdx.x;
    const auto next = [&rest](int count) {
        const unsigned of = static_cast<unsigned>(count);
        const unsigned index = rest % of;
        rest /= of;
        return static_cast<int>(index);
    };
    BlockOfGradients block{};
    block.rowTile = next(a.rowTiles);
    block.chunk = next(a.chunks);
    block.head = next(heads);
    block.sequence = static_cast<int>(rest);
    return block;
}

constexpr int kGradientStride = kTileRows + 1;

// Queries of one head against all keys that they see: dQ, and the sums for the biases.
template <class Engine, int N>
__global__ void queryGradients(BackwardArguments a)
{
    using Value = typename Engine::Value;
    const PiecePlace place;
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    const BlockOfGradients block = blockOfGradients(a, a.size.heads);
    const int firstRow = (a.rowTiles - 1 - block.rowTile) * kTileRows;
    const int keyHead = block.head / a.size.sharers;
    const auto queries =
        rowsOfQueries<Value>(a.input.queries, a.size, block.sequence, block.head, 1, a.size.keyDim);
    const auto dOut =
        rowsOfQueries<Value>(a.dOut, a.size, block.sequence, block.head, 1, a.size.valueDim);
    const auto keys =
        rowsOfHead<Value>(a.input.keys, a.size, block.sequence, keyHead, a.size.keyDim);
    const auto values =
        rowsOfHead<Value>(a.input.values, a.size, block.sequence, keyHead, a.size.valueDim);

    Value* const first = sharedMemory<Value>();
    Value* const second = first + 2 * kTileRows * a.keyStride;
    const TilePair<Engine> scoreTiles{first,
                                      first + kTileRows * a.keyStride,
                                      a.keyStride,
                                      a.keyChunk,
                                      (a.size.keyDim + 15) / 16 * 16};
    const TilePair<Engine> valueTiles{second,
                                      second + kTileRows * a.valueStride,
                                      a.valueStride,
                                      a.valueChunk,
                                      (a.size.valueDim + 15) / 16 * 16};
    auto* const tile = reinterpret_cast<float*>(second + 2 * kTileRows * a.valueStride);
    float* const diagonals = tile + kTileRows * kGradientStride;
    float* const offsetSums = diagonals + 2 * kTileRows;
    const bool sumsOffsets = a.partial != nullptr && block.chunk == 0;
    for (int slot = static_cast<int>(threadIdx.x); sumsOffsets && slot < kOffsets;
         slot += static_cast<int>(blockDim.x)) {
        offsetSums[slot] = 0.0F;
    }

    const int ownRow = firstRow + warp * kPieceRows + place.g;
    const RowFacts facts[2] = {factsOf(a, block.sequence, ownRow, block.head),
                               factsOf(a, block.sequence, ownRow + 8, block.head)};
    const int columns = columnsIn<N>(block.chunk, a.size.keyDim);
    const int lastRow =
        firstRow + kTileRows < a.size.queries ? firstRow + kTileRows - 1 : a.size.queries - 1;
    const int firstTile = firstSeen(a.size, a.size.firstPosition + firstRow) / kTileRows;
    const int endKey = endSeen(a.size, a.size.firstPosition + lastRow);
    Pieces<N> sums;
    sums.clear();
    for (int firstKey = firstTile * kTileRows; firstKey < endKey; firstKey += kTileRows) {
        const bool hasOwn = firstKey > firstTile * kTileRows;
        ScorePieces products;
        ScorePieces gradients;
        valueTiles.multiply(gradients, dOut, firstRow, values, firstKey, hasOwn, a.vectors);
        scoreTiles.multiply(products, queries, firstRow, keys, firstKey, hasOwn, a.vectors);
        FLOPSMITH_UNROLLED
        for (int n = 0; n < kScorePieces; ++n) {
            FLOPSMITH_UNROLLED
            for (int i = 0; i < 4; ++i) {
                const int row = ownRow + i / 2 * 8;
                const int column = 8 * n + 2 * place.t + i % 2;
                float before = 0.0F;
                scoreBackward(a,
                              facts[i / 2],
                              block.head,
                              a.size.firstPosition + row,
                              firstKey + column,
                              products.at[n][i],
                              gradients.at[n][i],
                              before);
                if (sumsOffsets) {
                    tile[(row - firstRow) * kGradientStride + column] = before;
                }
            }
        }
        if (sumsOffsets) {
            addDiagonals(tile,
                         kGradientStride,
                         firstKey - a.size.firstPosition - firstRow,
                         diagonals,
                         offsetSums);
        }
        const Value* const streamed =
            scoreTiles.columns(keys, firstKey, block.chunk * N * 8, columns, a.vectors);
        Engine::addWeighted(sums, gradients, streamed, a.keyStride, columns);
    }
    if (columns > 0) {
        writeGradient(a.to.queries
                          + std::int64_t{block.sequence} * a.size.queries * a.to.queryStride
                          + block.head * a.size.keyDim + block.chunk * N * 8,
                      a.to.queryStride,
                      firstRow + warp * kPieceRows,
                      a.size.queries,
                      columns,
                      sums);
    }
    if (sumsOffsets) {
        __syncthreads();
        const std::int64_t part =
            (std::int64_t{block.head} * a.size.batch + block.sequence) * a.rowTiles + block.rowTile;
        for (int slot = static_cast<int>(threadIdx.x); slot < kOffsets;
             slot += static_cast<int>(blockDim.x)) {
            a.partial[part * kOffsets + slot] = offsetSums[slot];
        }
    }
}

// Keys and values of one head against all queries that see them, of all heads that share them.
template <class Engine, int N>
__global__ void keyGradients(BackwardArguments a)
{
    using Value = typename Engine::Value;
    __shared__ RowFacts facts[kTileRows];
    const PiecePlace place;
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    const BlockOfGradients block = blockOfGradients(a, a.size.heads / a.size.sharers);
    const int firstRow = block.rowTile * kTileRows; // early keys have the most queries
    const auto keys =
        rowsOfHead<Value>(a.input.keys, a.size, block.sequence, block.head, a.size.keyDim);
    const auto values =
        rowsOfHead<Value>(a.input.values, a.size, block.sequence, block.head, a.size.valueDim);

    Value* const first = sharedMemory<Value>();
    Value* const second = first + 2 * kTileRows * a.keyStride;
    const TilePair<Engine> scoreTiles{first,
                                      first + kTileRows * a.keyStride,
                                      a.keyStride,
                                      a.keyChunk,
                                      (a.size.keyDim + 15) / 16 * 16};
    const TilePair<Engine> valueTiles{second,
                                      second + kTileRows * a.valueStride,
                                      a.valueStride,
                                      a.valueChunk,
                                      (a.size.valueDim + 15) / 16 * 16};
    const int ownKey = firstRow + warp * kPieceRows + place.g;
    const int keyColumns = columnsIn<N>(block.chunk, a.size.keyDim);
    const int valueColumns = columnsIn<N>(block.chunk, a.size.valueDim);
    const int rows = a.size.cached + a.size.fresh;
    const int lastKey = firstRow + kTileRows < rows ? firstRow + kTileRows - 1 : rows - 1;
    // Queries that see any of these keys: the inverse of firstSeen() and endSeen().
    const int early = firstRow - a.size.firstPosition - a.size.forward;
    const int firstQuery = (early < 0 ? 0 : early) / kTileRows * kTileRows;
    const int late = lastKey - a.size.firstPosition;
    const int endQuery =
        a.size.queries - late - 1 < a.size.back ? a.size.queries : late + a.size.back + 1;
    Pieces<N> keySums;
    Pieces<N> valueSums;
    keySums.clear();
    valueSums.clear();
    bool hasOwn = false;
    for (int sharer = 0; sharer < a.size.sharers; ++sharer) {
        const int head = block.head * a.size.sharers + sharer;
        const auto queries =
            rowsOfQueries<Value>(a.input.queries, a.size, block.sequence, head, 1, a.size.keyDim);
        const auto dOut =
            rowsOfQueries<Value>(a.dOut, a.size, block.sequence, head, 1, a.size.valueDim);
        for (int query = firstQuery; query < endQuery; query += kTileRows) {
            ScorePieces products;
            ScorePieces gradients;
            scoreTiles.multiply(products, keys, firstRow, queries, query, hasOwn, a.vectors);
            // Between the barriers of the products, and those of the next tile's.
            for (int i = static_cast<int>(threadIdx.x); i < kTileRows;
                 i += static_cast<int>(blockDim.x)) {
                facts[i] = factsOf(a, block.sequence, query + i, head);
            }
            valueTiles.multiply(gradients, values, firstRow, dOut, query, hasOwn, a.vectors);
            hasOwn = true;
            FLOPSMITH_UNROLLED
            for (int n = 0; n < kScorePieces; ++n) {
                FLOPSMITH_UNROLLED
                for (int i = 0; i < 4; ++i) {
                    const int column = 8 * n + 2 * place.t + i % 2;
                    float before = 0.0F;
                    scoreBackward(a,
                                  facts[column],
                                  head,
                                  a.size.firstPosition + query + column,
                                  ownKey + i / 2 * 8,
                                  products.at[n][i],
                                  gradients.at[n][i],
                                  before);
                }
            }
            const Value* const dOutTile =
                valueTiles.columns(dOut, query, block.chunk * N * 8, valueColumns, a.vectors);
            Engine::addWeighted(valueSums, products, dOutTile, a.valueStride, valueColumns);
            const Value* const queryTile =
                scoreTiles.columns(queries, query, block.chunk * N * 8, keyColumns, a.vectors);
            Engine::addWeighted(keySums, gradients, queryTile, a.keyStride, keyColumns);
        }
    }
    const int ownRow = firstRow + warp * kPieceRows;
    const std::int64_t token = std::int64_t{block.sequence} * rows;
    if (keyColumns > 0) {
        writeGradient(a.to.keys + token * a.to.keyStride + block.head * a.size.keyDim
                          + block.chunk * N * 8,
                      a.to.keyStride,
                      ownRow,
                      rows,
                      keyColumns,
                      keySums);
    }
    if (valueColumns > 0) {
        writeGradient(a.to.values + token * a.to.valueStride + block.head * a.size.valueDim
                          + block.chunk * N * 8,
                      a.to.valueStride,
                      ownRow,
                      rows,
                      valueColumns,
                      valueSums);
    }
}

// One warp per row: Σ out·dOut.
template <class Value>
__global__ void addCentres(std::int64_t rows,
                           int heads,
                           int width,
                           Operand out,
                           Operand dOut,
                           float* centres)
{
    const std::int64_t row =
        static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / kWarp) + threadIdx.x / kWarp;
    if (row >= rows) {
        return;
    }
    const std::int64_t token = row / heads;
    const std::int64_t column = (row - token * heads) * width;
    const auto* const a = static_cast<const Value*>(out.first) + token * out.stride + column;
    const auto* const b = static_cast<const Value*>(dOut.first) + token * dOut.stride + column;
    float sum = 0.0F;
    for (int c = static_cast<int>(threadIdx.x) % kWarp; c < width; c += kWarp) {
        sum += asFloat(a[c]) * asFloat(b[c]);
    }
    sum = sumOverWarp(sum);
    if (threadIdx.x % kWarp == 0) {
        centres[row] = sum;
    }
}

// One block per head: −Σ p(sink)·centre.
__global__ void addSinkGradients(std::int64_t tokens,
                                 int heads,
                                 const float* sinks,
                                 RowSums sums,
                                 const float* centres,
                                 float* gradients)
{
    const auto head = static_cast<std::int64_t>(blockIdx.x);
    float sum = 0.0F;
    for (std::int64_t token = threadIdx.x; token < tokens; token += blockDim.x) {
        const std::int64_t row = token * heads + head;
        sum -= expf(sinks[head] - sums.largest[row]) / sums.total[row] * centres[row];
    }
    sum = sumOverBlock(sum);
    if (threadIdx.x == 0) {
        gradients[head] = sum;
    }
}

// Grid: heads. Adds the parts up, offset by offset.
__global__ void addParts(const float* partial, std::int64_t parts, float* sums)
{
    const float* const own = partial + blockIdx.x * parts * kOffsets;
    for (int slot = static_cast<int>(threadIdx.x); slot < kOffsets;
         slot += static_cast<int>(blockDim.x)) {
        float sum = 0.0F;
        for (std::int64_t part = 0; part < parts; ++part) {
            sum += own[part * kOffsets + slot];
        }
        sums[static_cast<std::int64_t>(blockIdx.x) * kOffsets + slot] = sum;
    }
}

constexpr int kWidePieces = 16;
constexpr int kNarrowPieces = 8;

struct Tiling
{
    int pieces;
    int keyChunk;
    int valueChunk;
};

int strideOf(const Device& device, int chunk)
{
    return chunk + paddingOf(device);
}

std::size_t sharedBytes(const Device& device, const Tiling& tiling, bool biases)
{
    const int strides = strideOf(device, tiling.keyChunk) + strideOf(device, tiling.valueChunk);
    const std::size_t sums =
        biases ? (kTileRows * kGradientStride + 2 * kTileRows + kOffsets) * sizeof(float) : 0;
    return static_cast<std::size_t>(2 * kTileRows * strides * bytesOfValue(device)) + sums;
}

// Whole rows on chip if they fit, else chunks as wide as a block's gradients.
Tiling tilingFor(const Device& device, const CoreSize& size, bool biases)
{
    const int widest = std::max(size.keyDim, size.valueDim);
    for (const int pieces : {kWidePieces, kNarrowPieces}) {
        const int chunk = kPieceColumns * pieces;
        if (pieces == kWidePieces && widest <= kPieceColumns * kNarrowPieces) {
            continue;
        }
        const int keys = roundedUp(size.keyDim, chunk);
        const int values = roundedUp(size.valueDim, chunk);
        for (const Tiling& tiling : {Tiling{pieces, keys, values},
                                     Tiling{pieces, chunk, values},
                                     Tiling{pieces, chunk, chunk}}) {
            if (sharedBytes(device, tiling, biases) <= device.facts().sharedBytesPerBlock) {
                return tiling;
            }
        }
    }
    throw DeviceFailure("The GPU has too little shared memory for attention");
}

} // namespace

void addOffsetParts(const Device& device,
                    const float* partial,
                    int heads,
                    std::int64_t parts,
                    float* sums)
{
    launch(device, static_cast<unsigned>(heads), kTileThreads, 0, &addParts, partial, parts, sums);
}

AttentionCoreBackward::AttentionCoreBackward(const Device& device,
                                             const CoreSize& size,
                                             bool biases)
    : m_device(&device)
    , m_size(size)
    , m_biases(biases)
    , m_centres(device.memory(), static_cast<std::size_t>(size.rows()))
    , m_partial(device.memory(),
                biases ? static_cast<std::size_t>(size.heads * size.batch
                                                  * dividedUp(size.queries, kTileRows) * kOffsets)
                       : 0)
{
    FLOPSMITH_CHECK(size.cached == 0);
    const Tiling tiling = tilingFor(device, size, biases);
    m_pieces = tiling.pieces;
    m_keyChunk = tiling.keyChunk;
    m_valueChunk = tiling.valueChunk;
}

void AttentionCoreBackward::run(const CoreInput& input,
                                const ScoreSteps& steps,
                                const Operand& out,
                                const RowSums& sums,
                                const Operand& dOut,
                                const CoreGradients& gradients)
{
    const Device& device = *m_device;
    const bool half = out.element == Element::bfloat16;
    FLOPSMITH_CHECK(out.element == dOut.element);
    launch(device,
           static_cast<unsigned>(dividedUp(m_size.rows(), kTileThreads / kWarp)),
           kTileThreads,
           0,
           half ? &addCentres<__nv_bfloat16> : &addCentres<float>,
           m_size.rows(),
           m_size.heads,
           m_size.valueDim,
           out,
           dOut,
           m_centres.data());
    const std::int64_t tokens = m_size.batch * m_size.queries;
    if (gradients.sinks != nullptr) {
        launch(device,
               static_cast<unsigned>(m_size.heads),
               kTileThreads,
               0,
               &addSinkGradients,
               tokens,
               m_size.heads,
               steps.sinks,
               sums,
               static_cast<const float*>(m_centres.data()),
               gradients.sinks);
    }
    const int widest = std::max(m_size.keyDim, m_size.valueDim);
    BackwardArguments arguments{.size = m_size,
                                .input = input,
                                .steps = steps,
                                .sums = sums,
                                .centres = m_centres.data(),
                                .dOut = dOut,
                                .to = gradients,
                                .partial = gradients.biases != nullptr ? m_partial.data() : nullptr,
                                .keyChunk = m_keyChunk,
                                .keyStride = strideOf(device, m_keyChunk),
                                .valueChunk = m_valueChunk,
                                .valueStride = strideOf(device, m_valueChunk),
                                .rowTiles = dividedUp(m_size.queries, kTileRows),
                                .chunks = dividedUp(m_size.keyDim, kPieceColumns * m_pieces),
                                .vectors = isPacked(input, m_size) && isPacked(dOut)};
    const std::size_t bytes = sharedBytes(device, {m_pieces, m_keyChunk, m_valueChunk}, m_biases);
    const bool narrow = m_pieces == kNarrowPieces;
    withEngine(device, [&](auto engine) {
        using Engine = decltype(engine);
        launch(device,
               static_cast<unsigned>(m_size.batch * m_size.heads * arguments.chunks
                                     * arguments.rowTiles),
               kTileThreads,
               bytes,
               narrow ? &queryGradients<Engine, kNarrowPieces>
                      : &queryGradients<Engine, kWidePieces>,
               arguments);
        arguments.rowTiles = dividedUp(m_size.fresh, kTileRows);
        arguments.chunks = dividedUp(widest, kPieceColumns * m_pieces);
        launch(device,
               static_cast<unsigned>(m_size.batch * m_size.keyHeads() * arguments.chunks
                                     * arguments.rowTiles),
               kTileThreads,
               bytes,
               narrow ? &keyGradients<Engine, kNarrowPieces> : &keyGradients<Engine, kWidePieces>,
               arguments);
    });
    if (gradients.biases != nullptr) {
        addOffsetParts(device,
                       m_partial.data(),
                       m_size.heads,
                       m_size.batch * dividedUp(m_size.queries, kTileRows),
                       gradients.biases);
    }
}

} // namespace flopsmith::cuda
