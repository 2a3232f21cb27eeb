// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixer/score_strips.h"
#include "core/kernels/cuda/plan/elements.cuh"

// Softmax of rows of scores and its backward pass, a block per row.
namespace flopsmith::cuda {

/// A row of a strip, and what it sees.
struct ScoreRow
{
    int local; ///< head within the strip
    int head;
    int position;
    int first; ///< keys [first, end) are seen
    int end;
    Index start; ///< in the matrix
    Index number; ///< of all rows [batch, H, S]

    __device__ ScoreRow(const ScoreSize& size, const Strip& strip, int keys, Index row)
        : local(static_cast<int>(row / strip.queries))
    {
        const int query = static_cast<int>(row % strip.queries);
        const int keyHeads = size.heads / size.groupSize;
        const Index unit = strip.firstUnit + local / size.groupSize;
        head = static_cast<int>(unit % keyHeads) * size.groupSize + local % size.groupSize;
        position = size.firstPosition + strip.firstQuery + query;
        first = position < size.back ? 0 : position - size.back;
        end = keys - position - 1 < size.forward ? keys : position + size.forward + 1;
        start = strip.start + local * strip.headStep + Index{query} * keys;
        number = (unit / keyHeads * size.heads + head) * size.queries + strip.firstQuery + query;
    }

    __device__ bool sees(int key) const { return key >= first && key < end; }
};

/// Buffers of scores, and what both passes of softmax do to a row.
struct ScoreRows
{
    ScoreSize size;
    int keys = 0; ///< C
    float scale = 1.0F;
    float cap = 0.0F;
    const float* slopes = nullptr;
    const float* biases = nullptr; ///< [H, kOffsets]
    const float* sinks = nullptr;
    float* scores = nullptr; ///< then probabilities
    float* tangents = nullptr; ///< of capped scores; null: not kept
    float* gradients = nullptr; ///< of probabilities, of biased scores, at last of products q·k
    float* sinkShares = nullptr; ///< of each row; null: not kept
    float* centres = nullptr;

    __device__ float finished(const ScoreRow& row, int key, float product) const
    {
        float score = product * scale;
        if (cap > 0.0F) {
            const float tangent = tanhf(score / cap);
            score = tangent * cap;
            if (tangents != nullptr) {
                tangents[row.start + key] = tangent;
            }
        }
        const int offset = key - row.position;
        if (slopes != nullptr) {
            score -= slopes[row.head] * fabsf(static_cast<float>(offset));
        }
        if (biases != nullptr) {
            const int near = offset < -kFarthestOffset
                ? -kFarthestOffset
                : (offset > kFarthestOffset ? kFarthestOffset : offset);
            score += biases[row.head * kOffsets + near + kFarthestOffset];
        }
        return score;
    }

    __device__ void softmax(const Strip& strip, Index which) const
    {
        const ScoreRow row(size, strip, keys, which);
        float* const own = scores + row.start;
        const int thread = static_cast<int>(threadIdx.x);
        const int threads = static_cast<int>(blockDim.x);
        const float sink = sinks == nullptr ? -INFINITY : sinks[row.head];
        float largest = sink;
        for (int key = row.first + thread; key < row.end; key += threads) {
            own[key] = finished(row, key, own[key]);
            largest = fmaxf(largest, own[key]);
        }
        largest = maxOverBlock(largest, -INFINITY);
        float total = 0.0F;
        for (int key = row.first + thread; key < row.end; key += threads) {
            own[key] = expf(own[key] - largest);
            total += own[key];
        }
        const float ofSink = expf(sink - largest);
        total = sumOverBlock(total) + ofSink;
        for (int key = strip.firstKey + thread; key < strip.endKey; key += threads) {
            own[key] = row.sees(key) ? own[key] / total : 0.0F;
        }
        if (sinkShares != nullptr && thread == 0) {
            sinkShares[row.number] = ofSink / total;
        }
    }

    /// From gradients of probabilities to those of biased scores, in place.
    __device__ void back(const Strip& strip, Index which) const
    {
        const ScoreRow row(size, strip, keys, which);
        const float* const p = scores + row.start;
        float* const g = gradients + row.start;
        const int thread = static_cast<int>(threadIdx.x);
        const int threads = static_cast<int>(blockDim.x);
        float centre = 0.0F;
        for (int key = row.first + thread; key < row.end; key += threads) {
            centre += p[key] * g[key];
        }
        centre = sumOverBlock(centre);
        if (centres != nullptr && thread == 0) {
            centres[row.number] = centre;
        }
        for (int key = strip.firstKey + thread; key < strip.endKey; key += threads) {
            g[key] = row.sees(key) ? p[key] * (g[key] - centre) : 0.0F;
        }
    }

    /// From those of biased scores to those of products q·k.
    __device__ void scaleBack(const Strip& strip, Index which) const
    {
        const ScoreRow row(size, strip, keys, which);
        for (int key = strip.firstKey + static_cast<int>(threadIdx.x); key < strip.endKey;
             key += static_cast<int>(blockDim.x)) {
            const Index at = row.start + key;
            const float tangent = tangents == nullptr || !row.sees(key) ? 0.0F : tangents[at];
            gradients[at] *= (1.0F - tangent * tangent) * scale;
        }
    }

    /// Adds the gradients of biased scores at one offset of one head of the strip to `sums`
    /// [batch, H, kOffsets]; `which` counts heads and offsets. The outermost sums are also those of
    /// all offsets beyond.
    __device__ void sumOffset(const Strip& strip, Index which, float* sums) const
    {
        const auto slot = static_cast<int>(which % kOffsets);
        const int offset = slot - kFarthestOffset;
        float sum = 0.0F;
        for (int query = static_cast<int>(threadIdx.x); query < strip.queries;
             query += static_cast<int>(blockDim.x)) {
            const ScoreRow row(size, strip, keys, which / kOffsets * strip.queries + query);
            const int key = row.position + offset;
            const int from = slot == 0 || key < row.first ? row.first : key;
            const int to = slot == kOffsets - 1 || key >= row.end ? row.end : key + 1;
            for (int k = from; k < to; ++k) {
                sum += gradients[row.start + k];
            }
        }
        sum = sumOverBlock(sum);
        if (threadIdx.x == 0) {
            const Index number =
                ScoreRow(size, strip, keys, which / kOffsets * strip.queries).number;
            sums[number / size.queries * kOffsets + slot] += sum;
        }
    }
};

} // namespace flopsmith::cuda
