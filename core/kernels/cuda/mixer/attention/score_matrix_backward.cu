// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/score_matrix.h"
#include "core/kernels/cuda/mixer/attention/score_rows.cuh"

namespace flopsmith::cuda {
namespace {

// What a block of sumByOffset() adds up: the rows of a head's strip of queries.
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

// The sum of one offset.
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

// A thread's part of the sums of all offsets beyond the farthest, before and behind.
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

// One block per head, sequence and strip: the sums of the gradients of scores by offset. All that
// are farther than the farthest share the first or the last.
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

// One block per head: −Σ share·centre of its rows.
__global__ void sumOfSinks(CoreSize size, const float* shares, const float* centres, float* sums)
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
        sums[head] = sum;
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
void ScoreMatrix::softmaxBackwardAs(const ScoreSteps& steps, float* biases)
{
    const auto blocks = static_cast<unsigned>(m_size.rows());
    const int threads = threadsForRow(m_size.keys());
    auto* const to = static_cast<Value*>(gradientsOfScores().first);
    launch(*m_device,
           blocks,
           threads,
           0,
           &softmaxRowsBackward<Value>,
           m_size,
           steps,
           static_cast<const Value*>(probabilities().first),
           m_tangents.data(),
           m_dScores.data(),
           to,
           m_centres.data(),
           biases != nullptr);
    if (biases != nullptr) {
        sumOffsets(biases);
        launch(*m_device,
               blocks,
               threads,
               0,
               &scoreRowsBackward<Value>,
               m_size,
               steps,
               m_tangents.data(),
               m_dScores.data(),
               to);
    }
}

void ScoreMatrix::softmaxBackward(const ScoreSteps& steps, const CoreGradients& gradients)
{
    if (isHalf()) {
        softmaxBackwardAs<__nv_bfloat16>(steps, gradients.biases);
    } else {
        softmaxBackwardAs<float>(steps, gradients.biases);
    }
    if (gradients.sinks != nullptr) {
        launch(*m_device,
               static_cast<unsigned>(m_size.heads),
               kTileThreads,
               0,
               &sumOfSinks,
               m_size,
               m_sinkShares.data(),
               m_centres.data(),
               gradients.sinks);
    }
}

// Of the gradients before the biases were added.
void ScoreMatrix::sumOffsets(float* biases)
{
    launch(*m_device,
           static_cast<unsigned>(m_size.heads * m_size.batch * strips()),
           kTileThreads,
           0,
           &sumByOffset,
           m_size,
           m_dScores.data(),
           strips(),
           m_partial.data());
    addOffsetParts(*m_device, m_partial.data(), m_size.heads, m_size.batch * strips(), biases);
}

void ScoreMatrix::runBackward(const CoreInput& input,
                              const ScoreSteps& steps,
                              const Operand& dOut,
                              const CoreGradients& gradients)
{
    FLOPSMITH_CHECK(m_size.cached == 0);
    const MatrixRows keys = withCache(input.keys, m_cachedKeys);
    const MatrixRows values = withCache(input.values, m_cachedValues);
    const int keyDim = m_size.keyDim;
    const int valueDim = m_size.valueDim;
    const std::int64_t rows = m_size.batch * m_size.fresh;
    const Destination dScores = destinationAt(m_dScores.data(), m_size.keys());
    const Destination dKeys = destinationAt(gradients.keys, gradients.keyStride);
    const Destination dValues = destinationAt(gradients.values, gradients.valueStride);
    const Destination dQueries = destinationAt(gradients.queries, gradients.queryStride);
    clearColumns(*m_device, gradients.keys, gradients.keyStride, m_size.keyHeads() * keyDim, rows);
    clearColumns(
        *m_device, gradients.values, gradients.valueStride, m_size.keyHeads() * valueDim, rows);
    const std::vector<ScorePart> parts = scoreParts(m_size);
    for (const ScorePart& part : parts) {
        multiplyIntoKeys(*m_device, m_size, probabilities(), dOut, valueDim, part, dValues);
        multiplyWithKeys(*m_device, m_size, dOut, valueDim, values, part, dScores);
    }
    softmaxBackward(steps, gradients);
    for (const ScorePart& part : parts) {
        const Operand ds = gradientsOfScores();
        multiplyIntoKeys(*m_device, m_size, ds, input.queries, keyDim, part, dKeys);
        multiplyIntoQueries(*m_device, m_size, ds, keys, keyDim, part, dQueries);
    }
}

} // namespace flopsmith::cuda
