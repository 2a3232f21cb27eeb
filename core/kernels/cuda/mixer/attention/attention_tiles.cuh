// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/gemm/score_product.cuh"
#include "core/kernels/cuda/mixer/attention/attention_core.h"

#include <cmath>

// What the forward and the backward pass of attention's core share on the device: how rows come
// into shared memory, which pairs count, and what happens to a score.
namespace flopsmith::cuda {

constexpr int kTileRows = 64; ///< of keys, or of what else is streamed past a block's own rows
constexpr int kTileThreads = 128;

/// The index of a block taken apart, what changes fastest first.
class BlockDigits
{
public:
    __device__ BlockDigits()
        : m_rest(blockIdx.x)
    {}

    /// The next digit, of `count` values.
    __device__ int next(int count)
    {
        const auto of = static_cast<unsigned>(count);
        const unsigned digit = m_rest % of;
        m_rest /= of;
        return static_cast<int>(digit);
    }
    __device__ int rest() const { return static_cast<int>(m_rest); }

private:
    unsigned m_rest;
};

/// Rows of queries or of what has their layout. With `packed` heads, row r is that of query
/// r / packed and of the head r % packed behind the first.
template <class Value>
struct QueryRows
{
    const Value* first; ///< of this sequence and head
    std::int64_t stride;
    int packed;
    int rows;
    int width;

    __device__ const Value* at(int row) const
    {
        return row >= rows ? nullptr : first + row / packed * stride + row % packed * width;
    }
    template <int N>
    __device__ Pack<float, N> at(int row, int column) const
    {
        Pack<float, N> none{};
        const Value* const from = at(row);
        return from == nullptr || column >= width ? none : load<N>(from + column);
    }
};

/// Rows of keys or values of one head.
template <class Value>
struct KeyRows
{
    const Value* fresh; ///< of this sequence
    std::int64_t freshStride;
    const float* cached;
    std::int64_t cachedStride;
    int cachedRows;
    int rows;
    int width;
    int own;
    int ownFirst;
    int sharedFirst;

    template <int N>
    __device__ Pack<float, N> at(int row, int column) const
    {
        Pack<float, N> none{};
        if (row >= rows || column >= width) {
            return none;
        }
        const int place = column < own ? ownFirst + column : sharedFirst + column - own;
        return row < cachedRows ? load<N>(cached + row * cachedStride + place)
                                : load<N>(fresh + (row - cachedRows) * freshStride + place);
    }
};

template <class Value>
__device__ KeyRows<Value> rowsOfHead(const HeadRows& from,
                                     const CoreSize& size,
                                     int sequence,
                                     int keyHead,
                                     int width)
{
    const auto* fresh = static_cast<const Value*>(from.fresh.first);
    return {fresh + std::int64_t{sequence} * size.fresh * from.fresh.stride,
            from.fresh.stride,
            from.cached + std::int64_t{sequence} * size.cached * from.cachedStride,
            from.cachedStride,
            size.cached,
            size.cached + size.fresh,
            width,
            from.own,
            keyHead * from.own,
            from.shared};
}

template <class Value>
__device__ QueryRows<Value> rowsOfQueries(const Operand& from,
                                          const CoreSize& size,
                                          int sequence,
                                          int head,
                                          int packed,
                                          int width)
{
    const auto* first = static_cast<const Value*>(from.first);
    return {first + std::int64_t{sequence} * size.queries * from.stride
                + static_cast<std::int64_t>(head) * width,
            from.stride,
            packed,
            size.queries * packed,
            width};
}

template <class Engine, int N, class Rows>
__device__ void loadPacks(typename Engine::Value* tile,
                          int stride,
                          const Rows& rows,
                          int firstRow,
                          int count,
                          int firstColumn,
                          int columns)
{
    const int perRow = columns / N;
    for (int i = static_cast<int>(threadIdx.x); i < count * perRow;
         i += static_cast<int>(blockDim.x)) {
        const int row = i / perRow;
        const int column = (i - row * perRow) * N;
        Pack<float, N> values = rows.template at<N>(firstRow + row, firstColumn + column);
        for (int j = 0; j < N; ++j) {
            values.at[j] = Engine::kept(values.at[j]);
        }
        store<N>(tile + row * stride + column, values);
    }
}

/// `count` rows from `firstRow` and `columns` of them (a multiple of 4); what is outside is 0.
template <class Engine, class Rows>
__device__ void loadTile(typename Engine::Value* tile,
                         int stride,
                         const Rows& rows,
                         int firstRow,
                         int count,
                         int firstColumn,
                         int columns,
                         bool vectors)
{
    if (vectors) {
        loadPacks<Engine, 4>(tile, stride, rows, firstRow, count, firstColumn, columns);
    } else {
        loadPacks<Engine, 1>(tile, stride, rows, firstRow, count, firstColumn, columns);
    }
}

/// First key that the query at a position sees, and the one behind the last.
__device__ inline int firstSeen(const CoreSize& size, int position)
{
    return position < size.back ? 0 : position - size.back;
}
__device__ inline int endSeen(const CoreSize& size, int position)
{
    const int keys = size.cached + size.fresh;
    return keys - position - 1 < size.forward ? keys : position + size.forward + 1;
}
__device__ inline bool sees(const CoreSize& size, int position, int key)
{
    return key >= firstSeen(size, position) && key < endSeen(size, position);
}

/// From a product q·k to what softmax gets; `tangent` is tanh if scores are capped.
__device__ inline float finishedScore(const ScoreSteps& steps,
                                      int head,
                                      int offset,
                                      float product,
                                      float& tangent)
{
    float score = product * steps.scale;
    if (steps.cap > 0.0F) {
        tangent = tanhf(score / steps.cap);
        score = tangent * steps.cap;
    }
    if (steps.slopes != nullptr) {
        score -= steps.slopes[head] * fabsf(static_cast<float>(offset));
    }
    if (steps.biases != nullptr) {
        const int near = offset < -kFarthestOffset
            ? -kFarthestOffset
            : (offset > kFarthestOffset ? kFarthestOffset : offset);
        score += steps.biases[head * kOffsets + near + kFarthestOffset];
    }
    return score;
}

/// Whether rows may be read in packs of four.
inline bool isPacked(const Operand& rows)
{
    return rows.stride % 4 == 0
        && reinterpret_cast<std::uintptr_t>(rows.first) % (4 * bytesOf(rows.element)) == 0;
}
inline bool isPacked(const HeadRows& rows)
{
    return isPacked(rows.fresh) && rows.own % 4 == 0 && rows.shared % 4 == 0
        && rows.cachedStride % 4 == 0
        && reinterpret_cast<std::uintptr_t>(rows.cached) % (4 * sizeof(float)) == 0;
}
inline bool isPacked(const CoreInput& input, const CoreSize& size)
{
    return size.keyDim % 4 == 0 && size.valueDim % 4 == 0 && isPacked(input.queries)
        && isPacked(input.keys) && isPacked(input.values);
}

inline int roundedUp(int count, int multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

inline int bytesOfValue(const Device& device)
{
    return static_cast<int>(bytesOf(operandElement(device)));
}
/// What a kernel of tiles may ask for: it has the facts of its rows on chip too, and without tensor
/// cores the operands of the pieces that it multiplies.
inline std::size_t sharedBytesForTiles(const Device& device)
{
    constexpr std::size_t kOther = std::size_t{4} << 10;
    return device.facts().sharedBytesPerBlock - kOther;
}

inline int paddingOf(const Device& device)
{
    return operandElement(device) == Element::bfloat16 ? Bfloat16Engine::kPadding
                                                       : Float32Engine::kPadding;
}

} // namespace flopsmith::cuda
