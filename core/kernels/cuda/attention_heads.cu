// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/attention_heads.h"

#include "core/kernels/cuda/elements.cuh"

#include <cmath>

namespace flopsmith::cuda {
namespace {

// One element of rows q | k | v as the scores read it.
template <class Value>
struct Finish
{
    const float* x;
    Value* to;
    int queryWidth;
    int keyWidth;
    int headDim;
    int sequence;
    int turned; ///< 0 without RoPE
    bool perHead;
    const float* bias;
    const float* gamma[2];
    const float* beta[2];
    const NormMeasure* measures[2]; ///< null without norms
    const float2* table;

    __device__ float normed(std::int64_t row, int part, int column) const
    {
        const int first = part == 0 ? 0 : queryWidth;
        const int width = part == 0 ? queryWidth : keyWidth;
        const int stride = queryWidth + 2 * keyWidth;
        float value = x[row * stride + first + column];
        if (bias != nullptr) {
            value += bias[first + column];
        }
        if (measures[0] == nullptr) {
            return value;
        }
        const int features = perHead ? headDim : width;
        const int unit = column / features;
        const int feature = column - unit * features;
        const NormMeasure measure = measures[part][row * (width / features) + unit];
        value = (value - measure.centre) * measure.factor * gamma[part][feature];
        return beta[part] == nullptr ? value : value + beta[part][feature];
    }

    __device__ float finished(std::int64_t row, int column) const
    {
        if (column >= queryWidth + keyWidth) {
            const float value = x[row * (queryWidth + 2 * keyWidth) + column];
            return bias == nullptr ? value : value + bias[column];
        }
        const int part = column < queryWidth ? 0 : 1;
        const int own = part == 0 ? column : column - queryWidth;
        const float value = normed(row, part, own);
        const int feature = own % headDim;
        const int half = turned / 2;
        if (feature >= 2 * half) {
            return value;
        }
        const int pair = feature < half ? feature : feature - half;
        const float2 turn = table[row % sequence * half + pair];
        const float other = normed(row, part, feature < half ? own + half : own - half);
        return feature < half ? value * turn.x - other * turn.y : value * turn.x + other * turn.y;
    }

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        Pack<float, N> values;
        for (int i = 0; i < N; ++i) {
            values.at[i] = finished(row, static_cast<int>(column) + i);
        }
        store<N>(to + row * (queryWidth + 2 * keyWidth) + column, values);
    }
};

// One pair of features per thread.
struct TurnTails
{
    TailsToTurn tails;
    const float2* table;
    float direction;
    float* rows;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const int half = tails.features / 2;
        for (int i = 0; i < N; ++i) {
            const int unit = static_cast<int>(column + i) / half;
            const int pair = static_cast<int>(column + i) - unit * half;
            float* const first = rows + row * tails.stride + tails.column + (unit + 1) * tails.width
                - tails.features + pair;
            const float2 turn = table[row % tails.sequence * half + pair];
            const float sine = direction * turn.y;
            const float before = first[0];
            const float other = first[half];
            first[0] = before * turn.x - other * sine;
            first[half] = other * turn.x + before * sine;
        }
    }
};

// The same for the first features of each head, back.
struct TurnHeadsBack
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
            const float2 turn = table[row % sequence * half + pair];
            const float before = first[0];
            const float other = first[half];
            first[0] = before * turn.x + other * turn.y;
            first[half] = other * turn.x - before * turn.y;
        }
    }
};

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

// Each entry adds the offsets of its bucket up, in order.
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

std::vector<float2> turns(int first, int count, int features)
{
    std::vector<float2> values;
    for (int position = first; position < first + count; ++position) {
        for (int pair = 0; pair < features / 2; ++pair) {
            const double angle = rotaryAngle(position, pair, features);
            values.push_back(
                {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
        }
    }
    return values;
}

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

RotaryTable::RotaryTable(const Device& device, int first, int count, int features)
    : m_values(device.memory(), turns(first, count, features))
{}

void turnTails(const Device& device,
               const TailsToTurn& tails,
               const float2* table,
               bool back,
               float* rows)
{
    forEachElement(device,
                   tails.tokens,
                   std::int64_t{tails.units} * (tails.features / 2),
                   TurnTails{tails, table, back ? -1.0F : 1.0F, rows});
}

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
        m_table = RotaryTable(device,
                              shape.context - shape.sequence,
                              shape.sequence,
                              attention.rotaryFeatures(shape.dModel));
    }
    if (!changesNothing()) {
        m_rows = OperandBuffer(device, m_layout.elements());
    }
}

bool AttentionHeads::changesNothing() const
{
    return m_bias == nullptr && !m_attention.normalisesQk() && !m_attention.rotary
        && operandElement(*m_device) == Element::float32;
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
        measureRows(*m_device, m_attention.qkNormKind, pieces(projected, part), measures(part));
    }
    const Destination to = m_rows.rows(m_layout.rowWidth());
    const auto finish = [&](auto* values) {
        using Value = std::remove_pointer_t<decltype(values)>;
        forEachElement(
            *m_device,
            m_layout.tokens,
            m_layout.rowWidth(),
            Finish<Value>{
                projected,
                values,
                m_layout.queryWidth,
                m_layout.keyWidth,
                m_layout.headDim,
                m_layout.sequence,
                m_attention.rotary
                    ? m_attention.rotaryDim > 0 ? m_attention.rotaryDim : m_layout.headDim
                    : 0,
                m_attention.qkNorm == QkNorm::perHead,
                m_bias,
                {m_gamma[0], m_gamma[1]},
                {m_beta[0], m_beta[1]},
                {parts() > 0 ? measures(0) : nullptr, parts() > 0 ? measures(1) : nullptr},
                m_table.data()});
    };
    if (to.element == Element::float32) {
        finish(static_cast<float*>(to.first));
    } else {
        finish(static_cast<__nv_bfloat16*>(to.first));
    }
    return to;
}

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

// γ and β of one head are shared by all of them.
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
    if (heads.m_attention.rotary) {
        const int turned =
            heads.m_attention.rotaryDim > 0 ? heads.m_attention.rotaryDim : n.headDim;
        const int half = turned / 2;
        forEachElement(
            device,
            n.tokens,
            std::int64_t{half} * ((n.queryWidth + n.keyWidth) / n.headDim),
            TurnHeadsBack{
                gradient, n.rowWidth(), n.headDim, half, n.sequence, heads.m_table.data()});
    }
    for (int part = 0; part < heads.parts(); ++part) {
        const NormPieces pieces = heads.pieces(projected, part);
        const std::size_t tensor = part == 0 ? m_places.qNorm : m_places.kNorm;
        if (heads.m_beta[part] != nullptr) {
            sumOfTokens(
                gradient + pieces.column, n.rowWidth(), part, m_gradients[tensor + 1].data());
        }
        normBackward(device,
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
    if (m_places.qkvBias != 0) {
        m_biasSums.run(
            operandAt(gradient, n.rowWidth()), n.tokens, m_gradients[m_places.qkvBias].data());
    }
}

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
        attention.scaleScores ? static_cast<float>(1.0 / std::sqrt(double(headDim))) : 1.0F;
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

CoreSize coreSizeOf(const Attention& attention, const Shape& shape)
{
    const int headDim = attention.headDimFor(shape.dModel);
    return {.batch = shape.batch,
            .queries = shape.sequence,
            .cached = shape.context - shape.sequence,
            .fresh = shape.sequence,
            .heads = attention.heads,
            .sharers = attention.heads / attention.kvHeads,
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
    const auto columns = [&](int first) {
        const auto bytes = static_cast<std::size_t>(first) * bytesOf(rows.element);
        return Operand{
            static_cast<const std::byte*>(rows.first) + bytes, rows.stride, rows.element};
    };
    const auto heads = [&](int first, const float* cached) {
        HeadRows of = ownRows(columns(first), layout.headDim);
        of.cached = cached;
        of.cachedStride = layout.keyWidth;
        return of;
    };
    return {.queries = rows,
            .keys = heads(layout.queryWidth, cachedKeys),
            .values = heads(layout.queryWidth + layout.keyWidth, cachedValues)};
}

} // namespace flopsmith::cuda
