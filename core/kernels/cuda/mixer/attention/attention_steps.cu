// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/attention_steps.h"

#include "core/kernels/cuda/block/elements.cuh"

#include <cmath>

namespace flopsmith::cuda {
namespace {

struct BiasesByOffset
{
    const float* table;
    const int* buckets;
    int heads;
    float* biases;

    template <int N>
    __device__ void operator()(std::int64_t head, std::int64_t slot, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            biases[head * kOffsets + slot + i] = table[buckets[slot + i] * heads + head];
        }
    }
};

// The gradient of a table entry is the sum over the offsets of its bucket, in order.
struct TableGradients
{
    const float* byOffset;
    const int* buckets;
    int heads;
    float* gradient;

    template <int N>
    __device__ void operator()(std::int64_t bucket, std::int64_t head, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            float sum = 0.0F;
            for (int slot = 0; slot < kOffsets; ++slot) {
                sum += buckets[slot] == bucket ? byOffset[(head + i) * kOffsets + slot] : 0.0F;
            }
            gradient[bucket * heads + head + i] = sum;
        }
    }
};

std::vector<float> slopesOf(const Attention& attention)
{
    std::vector<float> slopes;
    for (int head = 0; attention.positionBias == PositionBias::alibi && head < attention.heads;
         ++head) {
        slopes.push_back(static_cast<float>(alibiSlope(head, attention.heads)));
    }
    return slopes;
}

std::vector<int> bucketsOf(const Attention& attention)
{
    static_assert(kFarthestOffset >= kFarthestDistance);
    std::vector<int> buckets;
    for (int offset = -kFarthestOffset; attention.readsBiasTable() && offset <= kFarthestOffset;
         ++offset) {
        buckets.push_back(relativeBucket(offset, attention.relativeBuckets, attention.direction()));
    }
    return buckets;
}

} // namespace

AttentionSteps::AttentionSteps(const Device& device,
                               const Attention& attention,
                               int headDim,
                               DeviceWeights weights)
    : m_device(&device)
    , m_attention(attention)
    , m_slopes(device.memory(), slopesOf(attention))
    , m_buckets(device.memory(), bucketsOf(attention))
{
    const AttentionTensors places(attention);
    const std::size_t biases =
        attention.readsBiasTable() ? static_cast<std::size_t>(attention.heads * kOffsets) : 0;
    m_biases = DeviceBuffer<float>(device.memory(), biases);
    m_offsetGradients = DeviceBuffer<float>(device.memory(), biases);
    m_table = tensorAt(weights, places.relativeBias).data();
    m_steps.scale =
        attention.scaleScores ? static_cast<float>(attention.scoreFactor(headDim)) : 1.0F;
    m_steps.cap = attention.hasSoftCap() ? static_cast<float>(attention.softCap) : 0.0F;
    m_steps.slopes = m_slopes.data();
    m_steps.biases = m_biases.data();
    m_steps.sinks = tensorAt(weights, places.sinks).data();
}

ScoreSteps AttentionSteps::run()
{
    if (m_table != nullptr) {
        forEachElement(
            *m_device,
            m_attention.heads,
            kOffsets,
            BiasesByOffset{m_table, m_buckets.data(), m_attention.heads, m_biases.data()});
    }
    return m_steps;
}

void AttentionSteps::addToTable(float* gradient) const
{
    forEachElement(
        *m_device,
        m_attention.relativeBuckets,
        m_attention.heads,
        TableGradients{m_offsetGradients.data(), m_buckets.data(), m_attention.heads, gradient});
}

} // namespace flopsmith::cuda
