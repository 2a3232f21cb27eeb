// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/score_core.h"
#include "core/kernels/cuda/mixer/attention/score_rows.cuh"

namespace flopsmith::cuda {
namespace {

constexpr int kSumThreads = 128;

// Input of one block of sumByOffset(): the rows of a strip of queries of one head.
struct StripOfScores
{
    int firstQuery;
    int endQuery;
    int keys;
    const float* matrix; ///< of the head and the sequence

    __device__ StripOfScores(const CoreSize& size, int strips, const float* scores)
        : keys(size.cached + size.fresh)
    {
        const std::int64_t block = blockIdx.x;
        const std::int64_t strip = block % strips;
        const std::int64_t sequence = block / strips % size.batch;
        const std::int64_t head = block / strips / size.batch;
        firstQuery = static_cast<int>(strip) * kStripQueries;
        endQuery =
            firstQuery + kStripQueries < size.queries ? firstQuery + kStripQueries : size.queries;
        matrix = scores + (sequence * size.heads + head) * size.queries * keys;
    }

    __device__ const float* row(int query) const { return matrix + std::int64_t{query} * keys; }
};

// The sum over all scores at one offset.
__device__ float sumOfOffset(const CoreSize& size, const StripOfScores& strip, int offset)
{
    float sum = 0.0F;
    for (int query = strip.firstQuery; query < strip.endQuery; ++query) {
        const int position = size.firstPosition + query;
        const int key = position + offset;
        sum += sees(size, position, key) ? strip.row(query)[key] : 0.0F;
    }
    return sum;
}

// Adds this thread's share of the scores beyond the farthest offset, on either side.
__device__ void addFarOffsets(const CoreSize& size,
                              const StripOfScores& strip,
                              float& before,
                              float& behind)
{
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    for (int query = strip.firstQuery; query < strip.endQuery; ++query) {
        const int position = size.firstPosition + query;
        const float* const row = strip.row(query);
        for (int key = firstSeen(size, position) + thread; key <= position - kFarthestOffset;
             key += threads) {
            before += row[key];
        }
        for (int key = position + kFarthestOffset + thread; key < endSeen(size, position);
             key += threads) {
            behind += row[key];
        }
    }
}

// One block per head, sequence and strip: sums the gradients of scores by offset. Offsets beyond
// ±kFarthestOffset are added to the first or the last sum.
__global__ void sumByOffset(CoreSize size, const float* gradients, int strips, float* partial)
{
    const StripOfScores strip(size, strips, gradients);
    float* const sums = partial + static_cast<std::int64_t>(blockIdx.x) * kOffsets;
    for (int slot = 1 + static_cast<int>(threadIdx.x); slot < kOffsets - 1;
         slot += static_cast<int>(blockDim.x)) {
        sums[slot] = sumOfOffset(size, strip, slot - kFarthestOffset);
    }
    float before = 0.0F;
    float behind = 0.0F;
    addFarOffsets(size, strip, before, behind);
    before = sumOverBlock(before);
    behind = sumOverBlock(behind);
    if (threadIdx.x == 0) {
        sums[0] = before;
        sums[kOffsets - 1] = behind;
    }
}

// One block per head: −Σ share·centre over its rows; accumulates if `adds`.
__global__ void sumOfSinks(CoreSize size,
                           const float* shares,
                           const float* centres,
                           bool adds,
                           float* sums)
{
    const int head = static_cast<int>(blockIdx.x);
    float sum = 0.0F;
    for (std::int64_t i = threadIdx.x; i < size.batch * size.queries; i += blockDim.x) {
        const std::int64_t sequence = i / size.queries;
        const std::int64_t row =
            (sequence * size.heads + head) * size.queries + i - sequence * size.queries;
        sum -= shares[row] * centres[row];
    }
    sum = sumOverBlock(sum);
    if (threadIdx.x == 0) {
        sums[head] = adds ? sums[head] + sum : sum;
    }
}

// One block per head: sums [H, kOffsets] of partial [H, parts, kOffsets], in order.
__global__ void addOffsetParts(const float* partial, std::int64_t parts, bool adds, float* sums)
{
    const float* const from = partial + blockIdx.x * parts * kOffsets;
    float* const to = sums + static_cast<std::int64_t>(blockIdx.x) * kOffsets;
    for (int slot = static_cast<int>(threadIdx.x); slot < kOffsets;
         slot += static_cast<int>(blockDim.x)) {
        float sum = adds ? to[slot] : 0.0F;
        for (std::int64_t part = 0; part < parts; ++part) {
            sum += from[part * kOffsets + slot];
        }
        to[slot] = sum;
    }
}

void clearColumns(const Device& device,
                  float* first,
                  std::int64_t stride,
                  int columns,
                  std::int64_t rows)
{
    check(cudaMemset2DAsync(first,
                            static_cast<std::size_t>(stride) * sizeof(float),
                            0,
                            static_cast<std::size_t>(columns) * sizeof(float),
                            static_cast<std::size_t>(rows),
                            device.stream()),
          "clear gradients");
}

} // namespace

template <class Value>
void ScoreCore::softmaxBackwardAs(const ScoreSlice& slice, const ScoreSteps& steps, float* biases)
{
    const auto blocks = static_cast<unsigned>(slice.size.rows());
    const int threads = threadsForRow(slice.size.keys());
    auto* const to = static_cast<Value*>(gradientsOfScores().first);
    launch(*m_device,
           blocks,
           threads,
           0,
           &softmaxRowsBackward<Value>,
           slice.size,
           steps,
           static_cast<const Value*>(probabilities().first),
           m_tangents.data(),
           m_dScores.data(),
           to,
           m_centres.data(),
           biases != nullptr);
    if (biases != nullptr) {
        sumOffsets(slice, biases);
        launch(*m_device,
               blocks,
               threads,
               0,
               &scoreRowsBackward<Value>,
               slice.size,
               steps,
               m_tangents.data(),
               m_dScores.data(),
               to);
    }
}

void ScoreCore::softmaxBackward(const ScoreSlice& slice,
                                const ScoreSteps& steps,
                                const CoreGradients& gradients)
{
    if (isHalf()) {
        softmaxBackwardAs<__nv_bfloat16>(slice, steps, gradients.biases);
    } else {
        softmaxBackwardAs<float>(slice, steps, gradients.biases);
    }
    if (gradients.sinks != nullptr) {
        launch(*m_device,
               static_cast<unsigned>(slice.size.heads),
               kSumThreads,
               0,
               &sumOfSinks,
               slice.size,
               m_sinkShares.data(),
               m_centres.data(),
               !slice.isFirstOfHeads(),
               gradients.sinks);
    }
}

// Sums the gradients of the biases by offset.
void ScoreCore::sumOffsets(const ScoreSlice& slice, float* biases)
{
    const std::int64_t strips = stripsOfHead(slice.size);
    launch(*m_device,
           static_cast<unsigned>(slice.size.heads * strips),
           kSumThreads,
           0,
           &sumByOffset,
           slice.size,
           m_dScores.data(),
           dividedUp(slice.size.queries, kStripQueries),
           m_partial.data());
    launch(*m_device,
           static_cast<unsigned>(slice.size.heads),
           kSumThreads,
           0,
           &addOffsetParts,
           m_partial.data(),
           strips,
           !slice.isFirstOfHeads(),
           biases);
}

void ScoreCore::runBackward(const CoreInput& input,
                            const ScoreSteps& steps,
                            const Operand& dOut,
                            const CoreGradients& gradients)
{
    FLOPSMITH_CHECK(m_size.cached == 0);
    const MatrixRows keys = withCache(input.keys, m_cachedKeys);
    const MatrixRows values = withCache(input.values, m_cachedValues);
    const int keyColumns = m_size.keyHeads() * m_size.keyDim;
    const int valueColumns = m_size.keyHeads() * m_size.valueDim;
    const std::int64_t rows = m_size.batch * m_size.fresh;
    clearColumns(*m_device, gradients.keys, gradients.keyStride, keyColumns, rows);
    clearColumns(*m_device, gradients.values, gradients.valueStride, valueColumns, rows);
    for (const ScoreSlice& slice : m_slices) {
        runBackward(slice,
                    sliceOfKeys(keys, m_size, slice),
                    sliceOfKeys(values, m_size, slice),
                    sliceOfQueries(input.queries, m_size, slice, m_size.keyDim),
                    sliceOfQueries(dOut, m_size, slice, m_size.valueDim),
                    sliceOfSteps(steps, slice),
                    sliceOfGradients(gradients, m_size, slice));
    }
}

// `input` is that of the slice. Gradients of keys and values accumulate over slices with other
// queries.
void ScoreCore::runBackward(const ScoreSlice& slice,
                            const MatrixRows& keys,
                            const MatrixRows& values,
                            const Operand& queries,
                            const Operand& dOut,
                            const ScoreSteps& steps,
                            const CoreGradients& gradients)
{
    const CoreSize& size = slice.size;
    const Destination dScores = destinationAt(m_dScores.data(), size.keys());
    const Destination dKeys = destinationAt(gradients.keys, gradients.keyStride);
    const Destination dValues = destinationAt(gradients.values, gradients.valueStride);
    const Destination dQueries = destinationAt(gradients.queries, gradients.queryStride);
    if (m_recomputes) {
        computeProbabilities(slice, queries, keys, steps);
    }
    const std::vector<ScorePart> parts = scoreParts(size);
    for (const ScorePart& part : parts) {
        multiplyIntoKeys(*m_device, size, probabilities(), dOut, size.valueDim, part, dValues);
        multiplyWithKeys(*m_device, size, dOut, size.valueDim, values, part, dScores);
    }
    softmaxBackward(slice, steps, gradients);
    const Operand ds = gradientsOfScores();
    for (const ScorePart& part : parts) {
        multiplyIntoKeys(*m_device, size, ds, queries, size.keyDim, part, dKeys);
        multiplyIntoQueries(*m_device, size, ds, keys, size.keyDim, part, dQueries);
    }
}

} // namespace flopsmith::cuda
