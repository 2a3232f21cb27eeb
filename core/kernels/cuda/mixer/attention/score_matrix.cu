// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/score_matrix.h"

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

} // namespace

ScoreMatrix::ScoreMatrix(const Device& device,
                         const CoreSize& size,
                         const ScoreSteps& steps,
                         const CacheStrides& cache,
                         Keeping keeping)
    : m_device(&device)
    , m_size(size)
    , m_scores(device.memory(), elementsOf(size))
    , m_rounded(device, roundedElements(device, size))
    , m_cachedKeys(device, cachedElements(size, cache.keys))
    , m_cachedValues(device, cachedElements(size, cache.values))
{
    if (keeping == Keeping::nothing) {
        return;
    }
    const auto rows = static_cast<std::size_t>(size.rows());
    const bool biases = steps.biases != nullptr;
    m_tangents = DeviceBuffer<float>(device.memory(), steps.cap > 0.0F ? elementsOf(size) : 0);
    m_dScores = DeviceBuffer<float>(device.memory(), elementsOf(size));
    m_roundedGradients = OperandBuffer(device, roundedElements(device, size));
    m_sinkShares = DeviceBuffer<float>(device.memory(), steps.sinks != nullptr ? rows : 0);
    m_centres = DeviceBuffer<float>(device.memory(), m_sinkShares.size());
    m_partial = DeviceBuffer<float>(
        device.memory(),
        biases ? static_cast<std::size_t>(size.heads * size.batch * strips() * kOffsets) : 0);
}

int ScoreMatrix::strips() const
{
    return dividedUp(m_size.queries, kStripQueries);
}

Destination ScoreMatrix::probabilities() const
{
    return isHalf() ? m_rounded.rows(m_size.keys()) : destinationAt(m_scores.data(), m_size.keys());
}

Destination ScoreMatrix::gradientsOfScores() const
{
    return isHalf() ? m_roundedGradients.rows(m_size.keys())
                    : destinationAt(m_dScores.data(), m_size.keys());
}

// The cache is float32, so that it is rounded where operands are bfloat16.
MatrixRows ScoreMatrix::withCache(const HeadRows& rows, RoundedRows& cached) const
{
    const std::int64_t count = m_size.batch * m_size.cached;
    return {rows.fresh,
            count > 0 ? cached.of(rows.cached, count, rows.cachedStride) : Operand{},
            rows.own,
            rows.shared};
}

void ScoreMatrix::run(const CoreInput& input, const ScoreSteps& steps, const Destination& out)
{
    const MatrixRows keys = withCache(input.keys, m_cachedKeys);
    const MatrixRows values = withCache(input.values, m_cachedValues);
    const Destination scores = destinationAt(m_scores.data(), m_size.keys());
    const std::vector<ScorePart> parts = scoreParts(m_size);
    for (const ScorePart& part : parts) {
        multiplyWithKeys(*m_device, m_size, input.queries, m_size.keyDim, keys, part, scores);
    }
    softmax(steps);
    for (const ScorePart& part : parts) {
        multiplyIntoQueries(*m_device, m_size, probabilities(), values, m_size.valueDim, part, out);
    }
}

void ScoreMatrix::softmax(const ScoreSteps& steps)
{
    const auto start = [&](auto* to) {
        using Value = std::remove_pointer_t<decltype(to)>;
        launch(*m_device,
               static_cast<unsigned>(m_size.rows()),
               threadsForRow(m_size.keys()),
               0,
               &softmaxRows<Value>,
               m_size,
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
