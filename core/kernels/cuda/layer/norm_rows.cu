// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/layer/norm_rows.h"

#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/block/elements.cuh"

namespace flopsmith::cuda {
namespace {

// Wider rows do not fit into shared memory and are read from global memory in every pass.
constexpr std::int64_t kWidestShared = 12 * 1024;

struct NormArguments
{
    bool centres; ///< LayerNorm
    bool shared; ///< the row is kept in shared memory
    float epsilon;
    std::int64_t width;
    const float* x;
    const float* scale;
    const float* shift;
    float* y;
    float* normalised; ///< null if not saved, as is the next
    float* factors;
};

__device__ float sumOfRow(const float* row, std::int64_t width)
{
    float sum = 0.0F;
    for (std::int64_t j = threadIdx.x; j < width; j += blockDim.x) {
        sum += row[j];
    }
    return sumOverBlock(sum);
}

// One block per row: mean, variance, normalised row.
__global__ void normalise(NormArguments a)
{
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * a.width;
    const float* row = a.x + at;
    if (a.shared) {
        float* copy = sharedMemory<float>();
        for (std::int64_t j = threadIdx.x; j < a.width; j += blockDim.x) {
            copy[j] = row[j]; // each thread reads only what it wrote
        }
        row = copy;
    }
    const auto width = static_cast<float>(a.width);
    const float centre = a.centres ? sumOfRow(row, a.width) / width : 0.0F;
    float squares = 0.0F;
    for (std::int64_t j = threadIdx.x; j < a.width; j += blockDim.x) {
        const float value = row[j] - centre;
        squares += value * value;
    }
    const float factor = 1.0F / sqrtf(sumOverBlock(squares) / width + a.epsilon);
    for (std::int64_t j = threadIdx.x; j < a.width; j += blockDim.x) {
        const float value = (row[j] - centre) * factor;
        if (a.normalised != nullptr) {
            a.normalised[at + j] = value;
        }
        const float scaled = a.scale == nullptr ? value : value * a.scale[j];
        a.y[at + j] = a.shift == nullptr ? scaled : scaled + a.shift[j];
    }
    if (a.factors != nullptr && threadIdx.x == 0) {
        a.factors[blockIdx.x] = factor;
    }
}

struct NormBackwardArguments
{
    bool centres;
    std::int64_t width;
    const float* normalised;
    const float* factors;
    const float* scale;
    const float* dy;
    float* dx;
};

// With n the normalised row, r its factor, g = dy ⊙ γ: dx = (g − [mean(g)] − n·mean(g ⊙ n))·r.
__global__ void normaliseBackward(NormBackwardArguments a)
{
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * a.width;
    const auto width = static_cast<float>(a.width);
    float sum = 0.0F;
    float along = 0.0F;
    for (std::int64_t j = threadIdx.x; j < a.width; j += blockDim.x) {
        const float g = a.dy[at + j] * (a.scale == nullptr ? 1.0F : a.scale[j]);
        sum += g;
        along += g * a.normalised[at + j];
    }
    const float mean = a.centres ? sumOverBlock(sum) / width : 0.0F;
    const float meanAlong = sumOverBlock(along) / width;
    const float factor = a.factors[blockIdx.x];
    for (std::int64_t j = threadIdx.x; j < a.width; j += blockDim.x) {
        const float g = a.dy[at + j] * (a.scale == nullptr ? 1.0F : a.scale[j]);
        a.dx[at + j] = (g - mean - a.normalised[at + j] * meanAlong) * factor;
    }
}

void copyRows(const Device& device, const float* from, float* to, std::int64_t elements)
{
    if (from != to && elements > 0) {
        check(cudaMemcpyAsync(to,
                              from,
                              static_cast<std::size_t>(elements) * sizeof(float),
                              cudaMemcpyDeviceToDevice,
                              device.stream()),
              "copy activations");
    }
}

void launchNormalise(const Device& device, std::int64_t rows, const NormArguments& arguments)
{
    launch(device,
           static_cast<unsigned>(rows),
           static_cast<unsigned>(threadsForRow(arguments.width)),
           arguments.shared ? static_cast<std::size_t>(arguments.width) * sizeof(float) : 0,
           &normalise,
           arguments);
}

} // namespace

NormRows::NormRows(const Device& device,
                   const Norm& norm,
                   std::int64_t rows,
                   std::int64_t width,
                   DeviceWeights weights)
    : m_device(&device)
    , m_norm(norm)
    , m_rows(rows)
    , m_width(width)
{
    if (norm.kind != NormKind::none) {
        m_scale = norm.scale ? weights[0].data() : nullptr;
        m_shift = norm.hasShift() ? weights[norm.scale ? 1 : 0].data() : nullptr;
    }
}

void NormRows::run(const float* x, float* y) const
{
    if (m_norm.kind == NormKind::none) {
        copyRows(*m_device, x, y, m_rows * m_width);
        return;
    }
    launchNormalise(*m_device,
                    m_rows,
                    {.centres = m_norm.kind == NormKind::layerNorm,
                     .shared = m_width <= kWidestShared,
                     .epsilon = static_cast<float>(m_norm.epsilon),
                     .width = m_width,
                     .x = x,
                     .scale = m_scale,
                     .shift = m_shift,
                     .y = y,
                     .normalised = nullptr,
                     .factors = nullptr});
}

NormRowsBackward::NormRowsBackward(const Device& device,
                                   const Norm& norm,
                                   std::int64_t rows,
                                   std::int64_t width,
                                   DeviceWeights weights,
                                   DeviceGradients gradients)
    : NormRows(device, norm, rows, width, weights)
{
    if (norm.kind != NormKind::none) {
        m_dScale = norm.scale ? gradients[0] : DeviceSpan<float>();
        m_dShift = norm.hasShift() ? gradients[norm.scale ? 1 : 0] : DeviceSpan<float>();
        m_normalised = DeviceBuffer<float>(device.memory(), static_cast<std::size_t>(rows * width));
        m_factors = DeviceBuffer<float>(device.memory(), static_cast<std::size_t>(rows));
        m_sums = ColumnSums(device, rows, width);
    }
}

void NormRowsBackward::save(const float* x, float* y)
{
    if (m_norm.kind == NormKind::none) {
        run(x, y);
        return;
    }
    launchNormalise(*m_device,
                    m_rows,
                    {.centres = m_norm.kind == NormKind::layerNorm,
                     .shared = m_width <= kWidestShared,
                     .epsilon = static_cast<float>(m_norm.epsilon),
                     .width = m_width,
                     .x = x,
                     .scale = m_scale,
                     .shift = m_shift,
                     .y = y,
                     .normalised = m_normalised.data(),
                     .factors = m_factors.data()});
}

void NormRowsBackward::runBackward(const float* dy, float* dx)
{
    if (m_norm.kind == NormKind::none) {
        copyRows(*m_device, dy, dx, m_rows * m_width);
        return;
    }
    if (!m_dScale.empty()) {
        m_sums.runOfProducts(dy, m_normalised.data(), m_rows, m_dScale.data());
    }
    if (!m_dShift.empty()) {
        m_sums.run(operandAt(dy, m_width), m_rows, m_dShift.data());
    }
    launch(*m_device,
           static_cast<unsigned>(m_rows),
           static_cast<unsigned>(threadsForRow(m_width)),
           0,
           &normaliseBackward,
           NormBackwardArguments{.centres = m_norm.kind == NormKind::layerNorm,
                                 .width = m_width,
                                 .normalised = m_normalised.data(),
                                 .factors = m_factors.data(),
                                 .scale = m_scale,
                                 .dy = dy,
                                 .dx = dx});
}

} // namespace flopsmith::cuda
