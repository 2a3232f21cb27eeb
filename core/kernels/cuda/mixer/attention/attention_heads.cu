// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/attention_heads.h"

#include "core/kernels/cuda/mixer/attention/attention_heads.cuh"

#include <limits>

namespace flopsmith::cuda {
namespace {

// One element of rows q | k | v as the scores read it.
template <class Value>
struct Finish
{
    NormedRows rows;
    Value* to;
    int sequence;
    int rotated; ///< features of a head, 0 without RoPE
    float limit; ///< of q, k and v; infinite without one
    const float2* table;

    __device__ float limited(std::int64_t row, int column) const
    {
        const float value = rows.at(row, column);
        return fabsf(value) > limit ? copysignf(limit, value) : value;
    }

    __device__ float finished(std::int64_t row, int column) const
    {
        const float value = limited(row, column);
        const int half = rotated / 2;
        const int feature = column % rows.headDim;
        if (column >= rows.queryWidth + rows.keyWidth || feature >= 2 * half) {
            return value;
        }
        const int pair = feature < half ? feature : feature - half;
        const float2 sinCos = table[row % sequence * half + pair];
        const float other = limited(row, feature < half ? column + half : column - half);
        return feature < half ? value * sinCos.x - other * sinCos.y
                              : value * sinCos.x + other * sinCos.y;
    }

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        Pack<float, N> values;
        for (int i = 0; i < N; ++i) {
            values.at[i] = finished(row, static_cast<int>(column) + i);
        }
        store<N>(to + row * rows.stride() + column, values);
    }
};

std::size_t measuresOf(const Attention& attention, const QkvLayout& n)
{
    if (!attention.normalisesQk()) {
        return 0;
    }
    const std::int64_t units =
        attention.qkNorm == QkNorm::perHead ? (n.queryWidth + n.keyWidth) / n.headDim : 2;
    return static_cast<std::size_t>(n.tokens * units);
}

} // namespace

QkvLayout::QkvLayout(const Attention& attention, const Shape& shape)
    : tokens(static_cast<std::int64_t>(shape.tokens()))
    , sequence(shape.sequence)
    , queryWidth(attention.heads * attention.headDimFor(shape.dModel))
    , keyWidth(attention.kvHeads * attention.headDimFor(shape.dModel))
    , headDim(attention.headDimFor(shape.dModel))
{}

AttentionHeads::AttentionHeads(const Device& device,
                               const Attention& attention,
                               const Shape& shape,
                               DeviceWeights weights)
    : m_device(&device)
    , m_attention(attention)
    , m_layout(attention, shape)
    , m_measures(device.memory(), measuresOf(attention, m_layout))
{
    const AttentionTensors places(attention);
    m_bias = tensorAt(weights, places.qkvBias).data();
    if (attention.normalisesQk()) {
        const bool shifts = attention.queryKeyNorm().hasShift();
        for (int part = 0; part < 2; ++part) {
            const std::size_t first = part == 0 ? places.qNorm : places.kNorm;
            m_gamma[part] = weights[first].data();
            m_beta[part] = shifts ? weights[first + 1].data() : nullptr;
        }
    }
    if (attention.rotary) {
        m_rotated = attention.rotaryFeatures(shape.dModel);
        m_table = RotaryTable(
            device, shape.context - shape.sequence, shape.sequence, m_rotated, attention.rope);
    }
    if (!changesNothing()) {
        m_rows = OperandBuffer(device, m_layout.elements());
    }
}

bool AttentionHeads::changesNothing() const
{
    return m_bias == nullptr && !m_attention.normalisesQk() && !m_attention.limitsQkv()
        && !m_attention.rotary && operandElement(*m_device) == Element::float32;
}

NormPieces AttentionHeads::pieces(const float* projected, int part) const
{
    const int width = part == 0 ? m_layout.queryWidth : m_layout.keyWidth;
    const int features = m_attention.qkNorm == QkNorm::perHead ? m_layout.headDim : width;
    return {.x = projected,
            .stride = m_layout.rowWidth(),
            .tokens = m_layout.tokens,
            .column = part == 0 ? 0 : m_layout.queryWidth,
            .units = width / features,
            .features = features,
            .bias = m_bias};
}

NormMeasure* AttentionHeads::measures(int part) const
{
    return part == 0 ? m_measures.data() : m_measures.data() + pieces(nullptr, 0).pieces();
}

Operand AttentionHeads::run(const float* projected)
{
    if (changesNothing()) {
        return operandAt(projected, m_layout.rowWidth());
    }
    for (int part = 0; part < parts(); ++part) {
        measureRows(*m_device, m_attention.queryKeyNorm(), pieces(projected, part), measures(part));
    }
    const Destination to = m_rows.rows(m_layout.rowWidth());
    if (to.element == Element::float32) {
        finish(projected, static_cast<float*>(to.first));
    } else {
        finish(projected, static_cast<__nv_bfloat16*>(to.first));
    }
    return to;
}

NormedRows AttentionHeads::normedRows(const float* projected) const
{
    const bool normalises = parts() > 0;
    return {projected,
            m_layout.queryWidth,
            m_layout.keyWidth,
            m_layout.headDim,
            m_attention.qkNorm == QkNorm::perHead,
            m_bias,
            {m_gamma[0], m_gamma[1]},
            {m_beta[0], m_beta[1]},
            {normalises ? measures(0) : nullptr, normalises ? measures(1) : nullptr}};
}

float AttentionHeads::limit() const
{
    return m_attention.limitsQkv() ? static_cast<float>(m_attention.qkvLimit)
                                   : std::numeric_limits<float>::infinity();
}

template <class Value>
void AttentionHeads::finish(const float* projected, Value* to) const
{
    forEachElement(
        *m_device,
        m_layout.tokens,
        m_layout.rowWidth(),
        Finish<Value>{
            normedRows(projected), to, m_layout.sequence, m_rotated, limit(), m_table.data()});
}

CoreSize coreSizeOf(const Attention& attention, const Shape& shape)
{
    const int headDim = attention.headDimFor(shape.dModel);
    return {.batch = shape.batch,
            .queries = shape.sequence,
            .cached = shape.context - shape.sequence,
            .fresh = shape.sequence,
            .heads = attention.heads,
            .groupSize = attention.heads / attention.kvHeads,
            .keyDim = headDim,
            .valueDim = headDim,
            .firstPosition = shape.context - shape.sequence,
            .back = attention.reachBack(shape.context),
            .forward = attention.reachForward(shape.context)};
}

CoreInput coreInputOf(const QkvLayout& layout,
                      const Operand& rows,
                      const float* cachedKeys,
                      const float* cachedValues)
{
    const auto heads = [&](int first, const float* cached) {
        HeadRows of = ownRows(shifted(rows, first), layout.headDim);
        of.cached = cached;
        of.cachedStride = layout.keyWidth;
        return of;
    };
    return {.queries = rows,
            .keys = heads(layout.queryWidth, cachedKeys),
            .values = heads(layout.queryWidth + layout.keyWidth, cachedValues)};
}

} // namespace flopsmith::cuda
