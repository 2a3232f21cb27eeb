// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/attention_heads.cuh"

namespace flopsmith::cuda {
namespace {

// Undoes RoPE on the first features of each head; one pair of features per thread.
struct RotateHeadsBack
{
    float* rows;
    std::int64_t stride;
    int headDim;
    int half;
    int sequence;
    const float2* table;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            const int head = static_cast<int>(column + i) / half;
            const int pair = static_cast<int>(column + i) - head * half;
            float* const first = rows + row * stride + head * headDim + pair;
            const float2 sinCos = table[row % sequence * half + pair];
            const float before = first[0];
            const float other = first[half];
            first[0] = before * sinCos.x + other * sinCos.y;
            first[half] = other * sinCos.x - before * sinCos.y;
        }
    }
};

// No gradient passes where a value is beyond the limit.
struct LimitBackward
{
    NormedRows rows;
    float limit;
    float* gradient;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            if (fabsf(rows.at(row, static_cast<int>(column) + i)) > limit) {
                gradient[row * rows.stride() + column + i] = 0.0F;
            }
        }
    }
};

} // namespace

AttentionHeadsBackward::AttentionHeadsBackward(const AttentionHeads& heads,
                                               DeviceGradients gradients)
    : m_heads(&heads)
    , m_gradients(gradients)
    , m_places(heads.m_attention)
{
    const Device& device = *heads.m_device;
    const QkvLayout& n = heads.m_layout;
    if (heads.parts() > 0) {
        const auto width = static_cast<std::size_t>(n.queryWidth);
        m_products =
            DeviceBuffer<float>(device.memory(), static_cast<std::size_t>(n.tokens) * width);
        m_headSums = DeviceBuffer<float>(device.memory(), width);
        m_partSums[0] = ColumnSums(device, n.tokens, n.queryWidth);
        m_partSums[1] = ColumnSums(device, n.tokens, n.keyWidth);
        m_sumsOfHeads = ColumnSums(device, n.queryWidth / n.headDim, n.headDim);
    }
    if (m_places.qkvBias != 0) {
        m_biasSums = ColumnSums(device, n.tokens, n.rowWidth());
    }
}

// All heads share one γ and one β.
void AttentionHeadsBackward::sumOfTokens(const float* rows,
                                         std::int64_t stride,
                                         int part,
                                         float* to)
{
    const NormPieces pieces = m_heads->pieces(nullptr, part);
    const bool shared = pieces.units > 1;
    m_partSums[part].run(operandAt(rows, stride), pieces.tokens, shared ? m_headSums.data() : to);
    if (shared) {
        m_sumsOfHeads.run(operandAt(m_headSums.data(), pieces.features), pieces.units, to);
    }
}

void AttentionHeadsBackward::run(const float* projected, float* gradient)
{
    const AttentionHeads& heads = *m_heads;
    const Device& device = *heads.m_device;
    const QkvLayout& n = heads.m_layout;
    if (heads.m_rotated > 0) {
        const int half = heads.m_rotated / 2;
        forEachElement(
            device,
            n.tokens,
            std::int64_t{half} * ((n.queryWidth + n.keyWidth) / n.headDim),
            RotateHeadsBack{
                gradient, n.rowWidth(), n.headDim, half, n.sequence, heads.m_table.data()});
    }
    if (heads.m_attention.limitsQkv()) {
        forEachElement(device,
                       n.tokens,
                       n.rowWidth(),
                       LimitBackward{heads.normedRows(projected), heads.limit(), gradient});
    }
    for (int part = 0; part < heads.parts(); ++part) {
        throughNorm(projected, part, gradient);
    }
    if (m_places.qkvBias != 0) {
        m_biasSums.run(
            operandAt(gradient, n.rowWidth()), n.tokens, m_gradients[m_places.qkvBias].data());
    }
}

void AttentionHeadsBackward::throughNorm(const float* projected, int part, float* gradient)
{
    const AttentionHeads& heads = *m_heads;
    const QkvLayout& n = heads.m_layout;
    const NormPieces pieces = heads.pieces(projected, part);
    const std::size_t tensor = part == 0 ? m_places.qNorm : m_places.kNorm;
    if (heads.m_beta[part] != nullptr) {
        sumOfTokens(gradient + pieces.column, n.rowWidth(), part, m_gradients[tensor + 1].data());
    }
    normBackward(*heads.m_device,
                 heads.m_attention.qkNormKind,
                 pieces,
                 heads.measures(part),
                 heads.m_gamma[part],
                 gradient,
                 n.rowWidth(),
                 m_products.data(),
                 n.queryWidth);
    sumOfTokens(m_products.data(), n.queryWidth, part, m_gradients[tensor].data());
}

} // namespace flopsmith::cuda
