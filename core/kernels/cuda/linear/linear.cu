// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/linear/linear.h"

#include "core/kernels/cuda/block/activation.cuh"

namespace flopsmith::cuda {
namespace {

template <class From, class To>
struct BiasAndActivation
{
    Activation activation;
    const float* bias;
    const From* from;
    std::int64_t fromStride;
    To* to;
    std::int64_t toStride;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        Pack<float, N> values = load<N>(from + row * fromStride + column);
        for (int i = 0; i < N; ++i) {
            const float added = bias == nullptr ? 0.0F : bias[column + i];
            values.at[i] = activated(activation, values.at[i] + added);
        }
        store<N>(to + row * toStride + column, values);
    }
};

template <class Value>
struct ActivationBackward
{
    Activation activation;
    const Value* x;
    std::int64_t xStride;
    const Value* dy;
    std::int64_t dyStride;
    Value* to;
    std::int64_t toStride;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const Pack<float, N> before = load<N>(x + row * xStride + column);
        Pack<float, N> gradients = load<N>(dy + row * dyStride + column);
        for (int i = 0; i < N; ++i) {
            gradients.at[i] *= slopeOf(activation, before.at[i]);
        }
        store<N>(to + row * toStride + column, gradients);
    }
};

struct Rounding
{
    const float* from;
    __nv_bfloat16* to;

    template <int N>
    __device__ void operator()(std::int64_t, std::int64_t column, Width<N>) const
    {
        store<N>(to + column, load<N>(from + column));
    }
};

template <class From, class To>
void addAndActivate(const Device& device,
                    Activation activation,
                    const float* bias,
                    std::int64_t rows,
                    std::int64_t columns,
                    const Operand& from,
                    const Destination& to)
{
    forEachElement(device,
                   rows,
                   columns,
                   BiasAndActivation<From, To>{activation,
                                               bias,
                                               static_cast<const From*>(from.first),
                                               from.stride,
                                               static_cast<To*>(to.first),
                                               to.stride});
}

template <class Value>
void activateBackwardAs(const Device& device,
                        Activation activation,
                        std::int64_t rows,
                        std::int64_t columns,
                        const Operand& x,
                        const Operand& dy,
                        const Destination& to)
{
    forEachElement(device,
                   rows,
                   columns,
                   ActivationBackward<Value>{activation,
                                             static_cast<const Value*>(x.first),
                                             x.stride,
                                             static_cast<const Value*>(dy.first),
                                             dy.stride,
                                             static_cast<Value*>(to.first),
                                             to.stride});
}

// Rows summed by one thread before the partial sums are summed. More than usual if the grid would
// exceed kMaxGridY.
std::int64_t rowsPerPart(std::int64_t rows)
{
    constexpr std::int64_t kUsual = 64;
    const std::int64_t minimum = (rows + kMaxGridY - 1) / kMaxGridY;
    return minimum > kUsual ? minimum : kUsual;
}

std::int64_t partsOf(std::int64_t rows)
{
    const std::int64_t ofPart = rowsPerPart(rows);
    return (rows + ofPart - 1) / ofPart;
}

// sums[part, column] = Σ of the part's rows, each times `factors` unless that is null. Grid: columns
// by parts.
template <class Value>
__global__ void addRows(const Value* from,
                        const float* factors,
                        std::int64_t stride,
                        std::int64_t rows,
                        std::int64_t columns,
                        std::int64_t rowsPerPart,
                        float* sums)
{
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t part = blockIdx.y;
    if (column >= columns) {
        return;
    }
    const std::int64_t first = part * rowsPerPart;
    const std::int64_t last = first + rowsPerPart < rows ? first + rowsPerPart : rows;
    float sum = 0.0F;
    for (std::int64_t row = first; row < last; ++row) {
        const float factor = factors == nullptr ? 1.0F : factors[row * stride + column];
        sum += asFloat(from[row * stride + column]) * factor;
    }
    sums[part * columns + column] = sum;
}

constexpr int kColumnThreads = 128;

} // namespace

void roundToBfloat16(const Device& device, const float* from, __nv_bfloat16* to, std::int64_t count)
{
    forEachElement(device, 1, count, Rounding{from, to});
}

Linear::Linear(const Device& device,
               int in,
               int out,
               DeviceSpan<const float> weight,
               DeviceSpan<const float> bias)
    : m_device(&device)
    , m_in(in)
    , m_out(out)
    , m_rounded(device, weight.size())
    , m_weight(m_rounded.of(weight.data(), in, out))
    , m_bias(bias.data())
{
    FLOPSMITH_CHECK(weight.size() == static_cast<std::size_t>(in) * static_cast<std::size_t>(out));
}

void Linear::product(const Operand& x, std::int64_t rows, const Destination& y, Into into) const
{
    multiply(*m_device, {rows, m_in, m_out}, x, m_weight, y, into);
}

void Linear::run(const Operand& x, std::int64_t rows, const Destination& y) const
{
    product(x, rows, y);
    if (m_bias != nullptr) {
        addBiasAndActivate(*m_device, Activation::none, m_bias, rows, m_out, y, y);
    }
}

void Linear::productBackward(const Operand& dy,
                             std::int64_t rows,
                             const Destination& dx,
                             Into into) const
{
    multiply(*m_device,
             {rows, m_out, m_in},
             dy,
             Stored::straight,
             m_weight,
             Stored::transposed,
             dx,
             into);
}

void Linear::backward(const Operand& x,
                      const Operand& dy,
                      std::int64_t rows,
                      DeviceSpan<float> dWeight,
                      const Destination& dx,
                      Into into) const
{
    weightGradient(*m_device, x, dy, rows, m_in, m_out, dWeight);
    productBackward(dy, rows, dx, into);
}

void weightGradient(const Device& device,
                    const Operand& x,
                    const Operand& dy,
                    std::int64_t rows,
                    int in,
                    int out,
                    DeviceSpan<float> gradient)
{
    multiply(device,
             {in, rows, out},
             x,
             Stored::transposed,
             dy,
             Stored::straight,
             destinationAt(gradient.data(), out));
}

void addBiasAndActivate(const Device& device,
                        Activation activation,
                        const float* bias,
                        std::int64_t rows,
                        std::int64_t columns,
                        const Operand& from,
                        const Destination& to)
{
    using Half = __nv_bfloat16;
    const bool halfFrom = from.element == Element::bfloat16;
    const bool halfTo = to.element == Element::bfloat16;
    auto* run = halfFrom ? (halfTo ? &addAndActivate<Half, Half> : &addAndActivate<Half, float>)
                         : (halfTo ? &addAndActivate<float, Half> : &addAndActivate<float, float>);
    run(device, activation, bias, rows, columns, from, to);
}

void activateBackward(const Device& device,
                      Activation activation,
                      std::int64_t rows,
                      std::int64_t columns,
                      const Operand& x,
                      const Operand& dy,
                      const Destination& to)
{
    FLOPSMITH_CHECK(x.element == dy.element && x.element == to.element);
    auto* run = x.element == Element::bfloat16 ? &activateBackwardAs<__nv_bfloat16>
                                               : &activateBackwardAs<float>;
    run(device, activation, rows, columns, x, dy, to);
}

ColumnSums::ColumnSums(const Device& device, std::int64_t rows, std::int64_t columns)
    : m_device(&device)
    , m_columns(columns)
    , m_partial(device.memory(), static_cast<std::size_t>(partsOf(rows) * columns))
{}

void ColumnSums::run(const Operand& from, std::int64_t rows, float* sums)
{
    const std::int64_t parts = partsOf(rows);
    FLOPSMITH_CHECK(static_cast<std::size_t>(parts * m_columns) <= m_partial.size());
    const auto ofParts = [&]<class Value>(void (*kernel)(const Value*,
                                                         const float*,
                                                         std::int64_t,
                                                         std::int64_t,
                                                         std::int64_t,
                                                         std::int64_t,
                                                         float*)) {
        launch(*m_device,
               dim3(static_cast<unsigned>(dividedUp(m_columns, kColumnThreads)),
                    static_cast<unsigned>(parts)),
               kColumnThreads,
               0,
               kernel,
               static_cast<const Value*>(from.first),
               nullptr,
               from.stride,
               rows,
               m_columns,
               rowsPerPart(rows),
               m_partial.data());
    };
    if (from.element == Element::bfloat16) {
        ofParts(&addRows<__nv_bfloat16>);
    } else {
        ofParts(&addRows<float>);
    }
    addParts(parts, sums);
}

void ColumnSums::runOfProducts(const float* a, const float* b, std::int64_t rows, float* sums)
{
    const std::int64_t parts = partsOf(rows);
    FLOPSMITH_CHECK(static_cast<std::size_t>(parts * m_columns) <= m_partial.size());
    launch(*m_device,
           dim3(static_cast<unsigned>(dividedUp(m_columns, kColumnThreads)),
                static_cast<unsigned>(parts)),
           kColumnThreads,
           0,
           &addRows<float>,
           a,
           b,
           m_columns,
           rows,
           m_columns,
           rowsPerPart(rows),
           m_partial.data());
    addParts(parts, sums);
}

void ColumnSums::addParts(std::int64_t parts, float* sums)
{
    launch(*m_device,
           static_cast<unsigned>(dividedUp(m_columns, kColumnThreads)),
           kColumnThreads,
           0,
           &addRows<float>,
           m_partial.data(),
           nullptr,
           m_columns,
           parts,
           m_columns,
           parts,
           sums);
}

} // namespace flopsmith::cuda
