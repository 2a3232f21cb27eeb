// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/layer/embedding_rows.h"

#include "core/kernels/cuda/block/elements.cuh"

namespace flopsmith::cuda {
namespace {

std::vector<float> fixedRows(const Embedding& embedding, const Shape& shape, int width)
{
    std::vector<float> rows;
    const int first = embedding.readsPatches() ? 0 : shape.context - shape.sequence;
    for (int position = first; position < first + shape.sequence; ++position) {
        for (int feature = 0; feature < width; ++feature) {
            rows.push_back(static_cast<float>(sinusoidalPosition(position, feature, width)));
        }
    }
    return rows;
}

struct PositionSum
{
    const float* from;
    std::int64_t batch;
    std::int64_t period;
    std::int64_t first;
    std::int64_t width;
    std::int64_t rows; ///< after which the table repeats
    float* gradient;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        Pack<float, N> sum{};
        const std::int64_t begin = (row + rows - first % rows) % rows;
        for (std::int64_t b = 0; b < batch; ++b) {
            for (std::int64_t place = begin; place < period; place += rows) {
                const Pack<float, N> values = load<N>(from + (b * period + place) * width + column);
                for (int i = 0; i < N; ++i) {
                    sum.at[i] += values.at[i];
                }
            }
        }
        store<N>(gradient + row * width + column, sum);
    }
};

} // namespace

PositionRows::PositionRows(const Device& device,
                           const Embedding& embedding,
                           const Shape& shape,
                           int width,
                           std::optional<DeviceSpan<const float>> learned)
{
    if (learned) {
        m_table = learned->data();
        m_rows = embedding.positionTableRows();
        m_first = embedding.readsPatches() ? 0 : shape.context - shape.sequence;
    } else if (embedding.positions == Positions::sinusoidal) {
        m_fixed = DeviceBuffer<float>(device.memory(), fixedRows(embedding, shape, width));
        m_table = m_fixed.data();
        m_rows = shape.sequence;
    }
}

void sumByPosition(const Device& device,
                   const float* from,
                   std::int64_t batch,
                   std::int64_t period,
                   std::int64_t first,
                   std::int64_t width,
                   std::int64_t rows,
                   float* gradient)
{
    forEachElement(
        device, rows, width, PositionSum{from, batch, period, first, width, rows, gradient});
}

void sumFirstRows(const Device& device,
                  const float* from,
                  std::int64_t batch,
                  std::int64_t period,
                  std::int64_t rows,
                  std::int64_t width,
                  float* gradient)
{
    forEachElement(
        device, rows, width, PositionSum{from, batch, period, 0, width, period, gradient});
}

} // namespace flopsmith::cuda
