// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/mixer/attention/score_products.h"

// Softmax of the rows of the score matrix [batch, H, S, C], and its backward pass: one block per
// row. Only the columns that the row's strip of queries sees are read or written.
namespace flopsmith::cuda {

/// Strips of queries of one head, of all sequences.
inline std::int64_t stripsOfHead(const CoreSize& size)
{
    return size.batch * dividedUp(size.queries, kStripQueries);
}

/// First key that the query at a position sees.
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

/// Turns the product q·k into the logit of softmax; `tangent` receives tanh if scores are capped.
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

struct ScoreRowPlace
{
    int query;
    int head;
    int position;
    int first; ///< the row sees keys [first, end)
    int end;
    int firstOfStrip; ///< the same of all rows of its strip
    int endOfStrip;
    std::int64_t start; ///< of the row in the matrix

    __device__ explicit ScoreRowPlace(const CoreSize& size)
    {
        const std::int64_t row = blockIdx.x;
        query = static_cast<int>(row % size.queries);
        head = static_cast<int>(row / size.queries % size.heads);
        position = size.firstPosition + query;
        first = firstSeen(size, position);
        end = endSeen(size, position);
        const int strip = query / kStripQueries * kStripQueries;
        const int behind =
            strip + kStripQueries < size.queries ? strip + kStripQueries : size.queries;
        firstOfStrip = firstSeen(size, size.firstPosition + strip);
        endOfStrip = endSeen(size, size.firstPosition + behind - 1);
        start = row * (size.cached + size.fresh);
    }

    __device__ bool sees(int key) const { return key >= first && key < end; }
};

template <class Value>
__global__ void softmaxRows(CoreSize size,
                            ScoreSteps steps,
                            float* scores,
                            Value* to,
                            float* tangents,
                            float* sinkShares)
{
    const ScoreRowPlace row(size);
    float* const own = scores + row.start;
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const float sink = steps.sinks == nullptr ? -INFINITY : steps.sinks[row.head];
    float largest = sink;
    for (int key = row.first + thread; key < row.end; key += threads) {
        float tangent = 0.0F;
        own[key] = finishedScore(steps, row.head, key - row.position, own[key], tangent);
        largest = fmaxf(largest, own[key]);
        if (tangents != nullptr) {
            tangents[row.start + key] = tangent;
        }
    }
    largest = maxOverBlock(largest, -INFINITY);
    float total = 0.0F;
    for (int key = row.first + thread; key < row.end; key += threads) {
        own[key] = expf(own[key] - largest);
        total += own[key];
    }
    total = sumOverBlock(total);
    const float ofSink = expf(sink - largest);
    total += ofSink;
    for (int key = row.firstOfStrip + thread; key < row.endOfStrip; key += threads) {
        setTo(to[row.start + key], row.sees(key) ? own[key] / total : 0.0F);
    }
    if (sinkShares != nullptr && thread == 0) {
        sinkShares[blockIdx.x] = ofSink / total;
    }
}

/// Turns gradients of probabilities into those of scores; with `biases` only into those of the
/// biased scores, float32 and in place.
template <class Value>
__global__ void softmaxRowsBackward(CoreSize size,
                                    ScoreSteps steps,
                                    const Value* p,
                                    const float* tangents,
                                    float* gradients,
                                    Value* to,
                                    float* centres,
                                    bool biases)
{
    const ScoreRowPlace row(size);
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    float centre = 0.0F;
    for (int key = row.first + thread; key < row.end; key += threads) {
        centre += asFloat(p[row.start + key]) * gradients[row.start + key];
    }
    centre = sumOverBlock(centre);
    if (centres != nullptr && thread == 0) {
        centres[blockIdx.x] = centre;
    }
    for (int key = row.firstOfStrip + thread; key < row.endOfStrip; key += threads) {
        const std::int64_t at = row.start + key;
        const float before = row.sees(key) ? asFloat(p[at]) * (gradients[at] - centre) : 0.0F;
        if (biases) {
            gradients[at] = before;
        } else {
            const float tangent = tangents == nullptr || !row.sees(key) ? 0.0F : tangents[at];
            setTo(to[at], before * (1.0F - tangent * tangent) * steps.scale);
        }
    }
}

/// What softmaxRowsBackward() leaves out with `biases`: from biased scores to products q·k.
template <class Value>
__global__ void scoreRowsBackward(CoreSize size,
                                  ScoreSteps steps,
                                  const float* tangents,
                                  const float* gradients,
                                  Value* to)
{
    const ScoreRowPlace row(size);
    for (int key = row.firstOfStrip + static_cast<int>(threadIdx.x); key < row.endOfStrip;
         key += static_cast<int>(blockDim.x)) {
        const std::int64_t at = row.start + key;
        const float tangent = tangents == nullptr || !row.sees(key) ? 0.0F : tangents[at];
        setTo(to[at], gradients[at] * (1.0F - tangent * tangent) * steps.scale);
    }
}

} // namespace flopsmith::cuda
