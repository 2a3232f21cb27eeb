// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/attention_core_backward.cuh"

#include "core/kernels/cuda/block/block.cuh"

#include <algorithm>

namespace flopsmith::cuda {
namespace {

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

struct Tiling
{
    int pieces;
    int keyChunk;
    int valueChunk;
    bool together = false; ///< see CoreBackwardArguments
};

int strideOf(const Device& device, int chunk)
{
    return chunk + paddingOf(device);
}

std::size_t sharedBytes(const Device& device, const Tiling& tiling, bool biases)
{
    const int keyStride = strideOf(device, tiling.keyChunk);
    const int strides =
        tiling.together ? keyStride : keyStride + strideOf(device, tiling.valueChunk);
    const std::size_t sums =
        biases ? (kTileRows * kDiagonalStride + 2 * kTileRows + kOffsets) * sizeof(float) : 0;
    return static_cast<std::size_t>(2 * kTileRows * strides * bytesOfValue(device)) + sums;
}

// Whole rows on chip if they fit, else chunks as wide as a block's gradients, in the end those of
// scores and of values one after the other.
Tiling tilingFor(const Device& device, const CoreSize& size, bool biases)
{
    const int widest = std::max(size.keyDim, size.valueDim);
    for (const int pieces : {kWideGradient, kNarrowGradient}) {
        const int chunk = kPieceColumns * pieces;
        if (pieces == kWideGradient && widest <= kPieceColumns * kNarrowGradient) {
            continue;
        }
        const int keys = roundedUp(size.keyDim, chunk);
        const int values = roundedUp(size.valueDim, chunk);
        for (const Tiling& tiling : {Tiling{pieces, keys, values},
                                     Tiling{pieces, chunk, values},
                                     Tiling{pieces, chunk, chunk},
                                     Tiling{pieces, chunk, chunk, true}}) {
            const bool last = pieces == kNarrowGradient;
            if ((last || !tiling.together)
                && sharedBytes(device, tiling, biases) <= sharedBytesForTiles(device)) {
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
    m_together = tiling.together;
}

void AttentionCoreBackward::run(const CoreInput& input,
                                const ScoreSteps& steps,
                                const Operand& out,
                                const RowSums& sums,
                                const Operand& dOut,
                                const CoreGradients& gradients)
{
    FLOPSMITH_CHECK(out.element == dOut.element);
    sumCentres(out, dOut);
    if (gradients.sinks != nullptr) {
        sumSinks(steps, sums, gradients.sinks);
    }
    const CoreBackwardArguments arguments{.size = m_size,
                                          .input = input,
                                          .steps = steps,
                                          .sums = sums,
                                          .centres = m_centres.data(),
                                          .dOut = dOut,
                                          .to = gradients,
                                          .partial = gradients.biases != nullptr ? m_partial.data()
                                                                                 : nullptr,
                                          .keyChunk = m_keyChunk,
                                          .keyStride = strideOf(*m_device, m_keyChunk),
                                          .valueChunk = m_valueChunk,
                                          .valueStride = strideOf(*m_device, m_valueChunk),
                                          .together = m_together,
                                          .vectors = isPacked(input, m_size) && isPacked(dOut)};
    const std::size_t bytes =
        sharedBytes(*m_device, {m_pieces, m_keyChunk, m_valueChunk, m_together}, m_biases);
    enqueueQueryGradients(*m_device, arguments, m_pieces, bytes);
    enqueueKeyGradients(*m_device, arguments, m_pieces, bytes);
    if (gradients.biases != nullptr) {
        addOffsetParts(*m_device,
                       m_partial.data(),
                       m_size.heads,
                       m_size.batch * dividedUp(m_size.queries, kTileRows),
                       gradients.biases);
    }
}

void AttentionCoreBackward::sumCentres(const Operand& out, const Operand& dOut)
{
    launch(*m_device,
           static_cast<unsigned>(dividedUp(m_size.rows(), kTileThreads / kWarp)),
           kTileThreads,
           0,
           out.element == Element::bfloat16 ? &addCentres<__nv_bfloat16> : &addCentres<float>,
           m_size.rows(),
           m_size.heads,
           m_size.valueDim,
           out,
           dOut,
           m_centres.data());
}

void AttentionCoreBackward::sumSinks(const ScoreSteps& steps, const RowSums& sums, float* to)
{
    launch(*m_device,
           static_cast<unsigned>(m_size.heads),
           kTileThreads,
           0,
           &addSinkGradients,
           m_size.batch * m_size.queries,
           m_size.heads,
           steps.sinks,
           sums,
           static_cast<const float*>(m_centres.data()),
           to);
}

} // namespace flopsmith::cuda
