// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixer/score_strips.h"
#include "core/kernels/cuda/plan/elements.cuh"

// Softmax of rows of scores and its backward pass, a block per row.
namespace flopsmith::cuda {

/// A row of a strip, and what it sees.
struct ScoreRow
{
    int head;
    int position;
    Index first; ///< keys [first, end) are seen
    Index end;
    Index start; ///< in the matrix
    Index number; ///< of all rows [batch, H, S]

    __device__ ScoreRow(const ScoreSize& size, const Strip& strip, Index row)
    {
        const auto local = static_cast<int>(row / strip.queries); // head within the strip
        const int query = static_cast<int>(row % strip.queries);
        const int keyHeads = size.keyHeads();
        const Index unit = strip.firstUnit + local / size.groupSize;
        head = static_cast<int>(unit % keyHeads) * size.groupSize + local % size.groupSize;
        position = size.firstPosition + strip.firstQuery + query;
        first = position < size.back ? 0 : position - size.back;
        end = size.keys - position - 1 < size.forward ? size.keys : position + size.forward + 1;
        start = strip.start + local * strip.headStep + Index{query} * size.keys;
        number = (unit / keyHeads * size.heads + head) * size.queries + strip.firstQuery + query;
    }

    __device__ bool sees(Index key) const { return key >= first && key < end; }
};

/// Buffers of scores, and what both passes of softmax do to a row.
struct ScoreRows
{
    ScoreSize size;
    float cap = 0.0F;
    const float* slopes = nullptr;
    const float* biases = nullptr; ///< [H, kOffsets]
    const float* sinks = nullptr;
    float* scores = nullptr; ///< then probabilities
    float* tangents = nullptr; ///< of capped scores; null: not kept
    float* gradients = nullptr; ///< of probabilities, of biased scores, at last of scaled products
    __nv_bfloat16* probabilities = nullptr; ///< rounded; null where products read float32
    __nv_bfloat16* dScores = nullptr;
    float* sinkShares = nullptr; ///< of each row; null: not kept
    float* centres = nullptr;

    __device__ float finished(const ScoreRow& row, Index key, float score) const
    {
        if (cap > 0.0F) {
            const float tangent = tanhf(score / cap);
            score = tangent * cap;
            if (tangents != nullptr) {
                tangents[row.start + key] = tangent;
            }
        }
        const auto offset = static_cast<int>(key) - row.position;
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
        const ScoreRow row(size, strip, which);
        float* const own = scores + row.start;
        const float sink = sinks == nullptr ? -INFINITY : sinks[row.head];
        const float largest = fmaxf(sink, maxOverBlock(row.first, row.end, [&](Index key) {
                                        return own[key] = finished(row, key, own[key]);
                                    }));
        const float ofSink = expf(sink - largest);
        const float total = ofSink + sumOverBlock(row.first, row.end, [&](Index key) {
                                return own[key] = expf(own[key] - largest);
                            });
        shareOut(strip.firstKey, strip.endKey, [&](Index key) {
            own[key] = row.sees(key) ? own[key] / total : 0.0F;
            if (probabilities != nullptr) {
                probabilities[row.start + key] = __float2bfloat16(own[key]);
            }
        });
        if (sinkShares != nullptr && threadIdx.x == 0) {
            sinkShares[row.number] = ofSink / total;
        }
    }

    /// From gradients of probabilities to those of biased scores, in place.
    __device__ void back(const Strip& strip, Index which) const
    {
        const ScoreRow row(size, strip, which);
        const float* const p = scores + row.start;
        float* const g = gradients + row.start;
        const float centre =
            sumOverBlock(row.first, row.end, [&](Index key) { return p[key] * g[key]; });
        if (centres != nullptr && threadIdx.x == 0) {
            centres[row.number] = centre;
        }
        shareOut(strip.firstKey, strip.endKey, [&](Index key) {
            g[key] = row.sees(key) ? p[key] * (g[key] - centre) : 0.0F;
        });
    }

    /// From those of biased scores to those of scaled products, as operands.
    __device__ void uncap(const Strip& strip, Index which) const
    {
        const ScoreRow row(size, strip, which);
        shareOut(strip.firstKey, strip.endKey, [&](Index key) {
            const Index at = row.start + key;
            const float tangent = tangents == nullptr || !row.sees(key) ? 0.0F : tangents[at];
            gradients[at] *= 1.0F - tangent * tangent;
            if (dScores != nullptr) {
                dScores[at] = __float2bfloat16(gradients[at]);
            }
        });
    }

    /// Adds the gradients of biased scores at one offset of one head of the strip to `sums`
    /// [batch, H, kOffsets]; `which` counts heads and offsets. The outermost sums are also those of
    /// all offsets beyond.
    __device__ void sumOffset(const Strip& strip, Index which, float* sums) const
    {
        const auto slot = static_cast<int>(which % kOffsets);
        const Index firstRow = which / kOffsets * strip.queries;
        const float sum = sumOverBlock(firstRow, firstRow + strip.queries, [&](Index query) {
            const ScoreRow row(size, strip, query);
            const Index key = row.position + slot - kFarthestOffset;
            const Index from = slot == 0 || key < row.first ? row.first : key;
            const Index to = slot == kOffsets - 1 || key >= row.end ? row.end : key + 1;
            float ofQuery = 0.0F;
            for (Index k = from; k < to; ++k) {
                ofQuery += gradients[row.start + k];
            }
            return ofQuery;
        });
        if (threadIdx.x == 0) {
            const Index number = ScoreRow(size, strip, firstRow).number;
            sums[number / size.queries * kOffsets + slot] += sum;
        }
    }
};

} // namespace flopsmith::cuda
