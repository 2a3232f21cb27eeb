// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/score_core.h"

#include "core/kernels/cuda/mixer/attention/score_rows.cuh"

namespace flopsmith::cuda {
namespace {

std::size_t elementsOf(const CoreSize& size)
{
    return static_cast<std::size_t>(size.rows()) * static_cast<std::size_t>(size.keys());
}

std::size_t roundedElements(const Device& device, const CoreSize& size)
{
    return operandElement(device) == Element::bfloat16 ? elementsOf(size) : 0;
}

std::size_t cachedElements(const CoreSize& size, std::int64_t stride)
{
    return static_cast<std::size_t>(size.batch * size.cached * stride);
}

std::int64_t scoresInMemory(AttentionAlgorithm algorithm,
                            const CoreSize& size,
                            std::int64_t scoresAtOnce)
{
    return algorithm == AttentionAlgorithm::materialised ? size.rows() * size.keys() : scoresAtOnce;
}

} // namespace

ScoreCore::ScoreCore(const Device& device,
                     AttentionAlgorithm algorithm,
                     const CoreSize& size,
                     const ScoreSteps& steps,
                     const CacheStrides& cache,
                     Keeping keeping,
                     std::int64_t scoresAtOnce)
    : m_device(&device)
    , m_size(size)
    , m_slices(scoreSlices(size, scoresInMemory(algorithm, size, scoresAtOnce)))
    , m_recomputes(algorithm == AttentionAlgorithm::flash)
    , m_scores(device.memory(), elementsOf(m_slices.front().size))
    , m_rounded(device, roundedElements(device, m_slices.front().size))
    , m_cachedKeys(device, cachedElements(size, cache.keys))
    , m_cachedValues(device, cachedElements(size, cache.values))
{
    if (keeping == Keeping::nothing) {
        return;
    }
    const CoreSize& largest = m_slices.front().size;
    const auto rows = static_cast<std::size_t>(largest.rows());
    const bool biases = steps.biases != nullptr;
    m_tangents = DeviceBuffer<float>(device.memory(), steps.cap > 0.0F ? elementsOf(largest) : 0);
    m_dScores = DeviceBuffer<float>(device.memory(), elementsOf(largest));
    m_roundedGradients = OperandBuffer(device, roundedElements(device, largest));
    m_sinkShares = DeviceBuffer<float>(device.memory(), steps.sinks != nullptr ? rows : 0);
    m_centres = DeviceBuffer<float>(device.memory(), m_sinkShares.size());
    m_partial = DeviceBuffer<float>(
        device.memory(),
        biases ? static_cast<std::size_t>(largest.heads * stripsOfHead(largest) * kOffsets) : 0);
}

Destination ScoreCore::probabilities() const
{
    return isHalf() ? m_rounded.rows(m_size.keys()) : destinationAt(m_scores.data(), m_size.keys());
}

Destination ScoreCore::gradientsOfScores() const
{
    return isHalf() ? m_roundedGradients.rows(m_size.keys())
                    : destinationAt(m_dScores.data(), m_size.keys());
}

// The cache is float32: it is rounded here if operands are bfloat16.
MatrixRows ScoreCore::withCache(const HeadRows& rows, RoundedRows& cached) const
{
    const std::int64_t count = m_size.batch * m_size.cached;
    return {rows.fresh,
            count > 0 ? cached.of(rows.cached, count, rows.cachedStride) : Operand{},
            rows.own,
            rows.shared};
}

void ScoreCore::run(const CoreInput& input, const ScoreSteps& steps, const Destination& out)
{
    const MatrixRows keys = withCache(input.keys, m_cachedKeys);
    const MatrixRows values = withCache(input.values, m_cachedValues);
    for (const ScoreSlice& slice : m_slices) {
        computeProbabilities(slice,
                             sliceOfQueries(input.queries, m_size, slice, m_size.keyDim),
                             sliceOfKeys(keys, m_size, slice),
                             sliceOfSteps(steps, slice));
        const MatrixRows ofSlice = sliceOfKeys(values, m_size, slice);
        const Destination to = sliceOfQueries(out, m_size, slice, m_size.valueDim);
        for (const ScorePart& part : scoreParts(slice.size)) {
            multiplyIntoQueries(
                *m_device, slice.size, probabilities(), ofSlice, m_size.valueDim, part, to);
        }
    }
}

// `operands` are those of the slice, not of the whole attention.
void ScoreCore::computeProbabilities(const ScoreSlice& slice,
                                     const Operand& queries,
                                     const MatrixRows& keys,
                                     const ScoreSteps& steps)
{
    const Destination scores = destinationAt(m_scores.data(), m_size.keys());
    for (const ScorePart& part : scoreParts(slice.size)) {
        multiplyWithKeys(*m_device, slice.size, queries, m_size.keyDim, keys, part, scores);
    }
    softmax(slice.size, steps);
}

void ScoreCore::softmax(const CoreSize& size, const ScoreSteps& steps)
{
    const auto start = [&](auto* to) {
        using Value = std::remove_pointer_t<decltype(to)>;
        launch(*m_device,
               static_cast<unsigned>(size.rows()),
               threadsForRow(size.keys()),
               0,
               &softmaxRows<Value>,
               size,
               steps,
               m_scores.data(),
               to,
               m_tangents.data(),
               m_sinkShares.data());
    };
    if (isHalf()) {
        start(static_cast<__nv_bfloat16*>(probabilities().first));
    } else {
        start(m_scores.data());
    }
}

} // namespace flopsmith::cuda
