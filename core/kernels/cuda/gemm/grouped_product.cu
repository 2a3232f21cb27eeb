// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/gemm/grouped_product.h"

#include "core/kernels/cuda/gemm/tile_product.cuh"

namespace flopsmith::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kInner = 32; ///< step of the inner dimension

/// A matrix whose rows may be gathered; elements outside are 0.
template <class Value>
struct Source
{
    const Value* first;
    std::int64_t stride;
    const int* rowOf; ///< null: in place
    int firstRow;
    int rows;
    int columns;

    __device__ float at(int row, int column) const
    {
        if (row >= rows || column >= columns) {
            return 0.0F;
        }
        const int r = firstRow + row;
        return asFloat(first[std::int64_t{rowOf == nullptr ? r : rowOf[r]} * stride + column]);
    }
};

// Loads the tile that starts at `firstRow` and `firstColumn` of the source.
template <class Engine, class Value>
__device__ void loadStraight(typename Engine::Value* tile,
                             int stride,
                             const Source<Value>& source,
                             int firstRow,
                             int firstColumn)
{
    for (int i = static_cast<int>(threadIdx.x); i < kGroupTile * kInner; i += kThreads) {
        const int row = i / kInner;
        const int column = i % kInner;
        setTo(tile[row * stride + column],
              Engine::kept(source.at(firstRow + row, firstColumn + column)));
    }
}

// Loads the transposed tile; global loads are still coalesced.
template <class Engine, class Value>
__device__ void loadTransposed(typename Engine::Value* tile,
                               int stride,
                               const Source<Value>& source,
                               int firstRow,
                               int firstColumn)
{
    for (int i = static_cast<int>(threadIdx.x); i < kGroupTile * kInner; i += kThreads) {
        const int inner = i / kGroupTile;
        const int row = i % kGroupTile;
        setTo(tile[row * stride + inner],
              Engine::kept(source.at(firstColumn + inner, firstRow + row)));
    }
}

template <class CValue>
__device__ void writeTile(CValue* c,
                          std::int64_t stride,
                          int firstRow,
                          int rows,
                          int firstColumn,
                          int columns,
                          bool adds,
                          const TileSums& sums)
{
    const PiecePlace place;
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    FLOPSMITH_UNROLLED
    for (int half = 0; half < 2; ++half) {
        const int row = firstRow + warp * kPieceRows + place.g + 8 * half;
        FLOPSMITH_UNROLLED
        for (int n = 0; n < kTilePieces; ++n) {
            FLOPSMITH_UNROLLED
            for (int j = 0; j < 2; ++j) {
                const int column = firstColumn + 8 * n + 2 * place.t + j;
                if (row < rows && column < columns) {
                    CValue& to = c[row * stride + column];
                    const float before = adds ? asFloat(to) : 0.0F;
                    setTo(to, before + sums.at[n][2 * half + j]);
                }
            }
        }
    }
}

// The group that a tile belongs to.
__device__ int groupOf(const RowGroups& groups, int tile)
{
    int low = 0;
    int high = groups.groups;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (groups.tileStarts[middle] <= tile) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

template <class Engine, class CValue>
__global__ void groupedRows(RowGroups groups,
                            Operand a,
                            const int* rowOf,
                            const void* const* matrices,
                            bool transposed,
                            int inner,
                            int columns,
                            Destination c,
                            bool adds)
{
    using Value = typename Engine::Value;
    constexpr int kStride = kInner + Engine::kPadding;
    __shared__ __align__(16) Value aTile[kGroupTile * kStride];
    __shared__ __align__(16) Value bTile[kGroupTile * kStride];
    const int columnTiles = (columns + kGroupTile - 1) / kGroupTile;
    const int tile = static_cast<int>(blockIdx.x) / columnTiles;
    if (tile >= groups.tileStarts[groups.groups]) {
        return; // the whole block
    }
    const int group = groupOf(groups, tile);
    const int start = groups.starts[group];
    const int firstRow = (tile - groups.tileStarts[group]) * kGroupTile;
    const int firstColumn = static_cast<int>(blockIdx.x) % columnTiles * kGroupTile;
    const int rows = groups.starts[group + 1] - start;
    const Source<Value> left{
        static_cast<const Value*>(a.first), a.stride, rowOf, start, rows, inner};
    const auto* const matrix = static_cast<const Value*>(matrices[group]);
    const Source<Value> right = transposed
        ? Source<Value>{matrix, inner, nullptr, 0, columns, inner}
        : Source<Value>{matrix, columns, nullptr, 0, inner, columns};
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    TileSums sums;
    sums.clear();
    for (int k = 0; k < inner; k += kInner) {
        __syncthreads(); // all have read what is overwritten here
        loadStraight<Engine>(aTile, kStride, left, firstRow, k);
        if (transposed) {
            loadStraight<Engine>(bTile, kStride, right, firstColumn, k);
        } else {
            loadTransposed<Engine>(bTile, kStride, right, firstColumn, k);
        }
        __syncthreads();
        Engine::addRowProducts(
            sums, aTile + warp * kPieceRows * kStride, kStride, bTile, kStride, kInner);
    }
    writeTile(static_cast<CValue*>(c.first) + start * c.stride,
              c.stride,
              firstRow,
              rows,
              firstColumn,
              columns,
              adds,
              sums);
}

template <class Engine>
__global__ void groupedGradients(RowGroups groups,
                                 Operand a,
                                 const int* rowOf,
                                 Operand b,
                                 int in,
                                 int out,
                                 float* const* gradients)
{
    using Value = typename Engine::Value;
    constexpr int kStride = kInner + Engine::kPadding;
    __shared__ __align__(16) Value aTile[kGroupTile * kStride];
    __shared__ __align__(16) Value bTile[kGroupTile * kStride];
    const int columnTiles = (out + kGroupTile - 1) / kGroupTile;
    const int rowTiles = (in + kGroupTile - 1) / kGroupTile;
    const int firstColumn = static_cast<int>(blockIdx.x) % columnTiles * kGroupTile;
    const int firstRow = static_cast<int>(blockIdx.x) / columnTiles % rowTiles * kGroupTile;
    const int group = static_cast<int>(blockIdx.x) / columnTiles / rowTiles;
    const int start = groups.starts[group];
    const int rows = groups.starts[group + 1] - start;
    const Source<Value> left{static_cast<const Value*>(a.first), a.stride, rowOf, start, rows, in};
    const Source<Value> right{
        static_cast<const Value*>(b.first), b.stride, nullptr, start, rows, out};
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    TileSums sums;
    sums.clear();
    for (int k = 0; k < rows; k += kInner) {
        __syncthreads(); // all have read what is overwritten here
        loadTransposed<Engine>(aTile, kStride, left, firstRow, k);
        loadTransposed<Engine>(bTile, kStride, right, firstColumn, k);
        __syncthreads();
        Engine::addRowProducts(
            sums, aTile + warp * kPieceRows * kStride, kStride, bTile, kStride, kInner);
    }
    writeTile(gradients[group], out, firstRow, in, firstColumn, out, false, sums);
}

// One thread per column and group.
template <class Value>
__global__ void groupedSums(RowGroups groups, Operand rows, int columns, float* const* gradients)
{
    const int blocks = (columns + kThreads - 1) / kThreads;
    const int group = static_cast<int>(blockIdx.x) / blocks;
    const int column =
        static_cast<int>(blockIdx.x) % blocks * kThreads + static_cast<int>(threadIdx.x);
    if (column >= columns) {
        return;
    }
    const auto* const first = static_cast<const Value*>(rows.first);
    float sum = 0.0F;
    for (int row = groups.starts[group]; row < groups.starts[group + 1]; ++row) {
        sum += asFloat(first[row * rows.stride + column]);
    }
    gradients[group][column] = sum;
}

std::size_t copiedElements(const Device& device,
                           const std::vector<DeviceSpan<const float>>& matrices)
{
    std::size_t elements = 0;
    for (const auto& matrix : matrices) {
        elements += matrix.size();
    }
    return operandElement(device) == Element::bfloat16 ? elements : 0;
}

} // namespace

GroupMatrices::GroupMatrices(const Device& device,
                             int in,
                             int out,
                             const std::vector<DeviceSpan<const float>>& matrices)
    : m_in(in)
    , m_out(out)
    , m_rounded(device, copiedElements(device, matrices))
{
    std::vector<const void*> pointers;
    auto* next = static_cast<__nv_bfloat16*>(m_rounded.rows(out).first);
    for (const auto& matrix : matrices) {
        if (operandElement(device) == Element::float32) {
            pointers.push_back(matrix.data());
            continue;
        }
        roundToBfloat16(device, matrix.data(), next, static_cast<std::int64_t>(matrix.size()));
        pointers.push_back(next);
        next += matrix.size();
    }
    m_pointers = DeviceBuffer<const void*>(device.memory(), pointers);
}

void multiplyGroups(const Device& device,
                    const RowGroups& groups,
                    const Operand& a,
                    const int* rowOf,
                    const GroupMatrices& w,
                    Stored stored,
                    const Destination& c,
                    Into into)
{
    const bool transposed = stored == Stored::transposed;
    const int inner = transposed ? w.out() : w.in();
    const int columns = transposed ? w.in() : w.out();
    const auto blocks = static_cast<unsigned>(groups.maxTiles() * dividedUp(columns, kGroupTile));
    withEngine(device, [&](auto engine) {
        using Engine = decltype(engine);
        launch(device,
               blocks,
               kThreads,
               0,
               c.element == Element::float32 ? &groupedRows<Engine, float>
                                             : &groupedRows<Engine, __nv_bfloat16>,
               groups,
               a,
               rowOf,
               w.data(),
               transposed,
               inner,
               columns,
               c,
               into == Into::accumulate);
    });
}

void groupGradients(const Device& device,
                    const RowGroups& groups,
                    const Operand& a,
                    const int* rowOf,
                    const Operand& b,
                    int in,
                    int out,
                    float* const* gradients)
{
    const auto blocks = static_cast<unsigned>(
        std::int64_t{groups.groups} * dividedUp(in, kGroupTile) * dividedUp(out, kGroupTile));
    withEngine(device, [&](auto engine) {
        using Engine = decltype(engine);
        launch(device,
               blocks,
               kThreads,
               0,
               &groupedGradients<Engine>,
               groups,
               a,
               rowOf,
               b,
               in,
               out,
               gradients);
    });
}

void groupSums(const Device& device,
               const RowGroups& groups,
               const Operand& rows,
               int columns,
               float* const* gradients)
{
    launch(device,
           static_cast<unsigned>(groups.groups * dividedUp(columns, kThreads)),
           kThreads,
           0,
           rows.element == Element::float32 ? &groupedSums<float> : &groupedSums<__nv_bfloat16>,
           groups,
           rows,
           columns,
           gradients);
}

} // namespace flopsmith::cuda
