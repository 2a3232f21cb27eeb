// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn/kronecker/kronecker_layer.h"

#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/gemm/columns.cuh"
#include "core/kernels/cuda/linear/linear.h"
#include "core/mixer/position_bias.h"

namespace flopsmith::cuda {
namespace {

// dense[places[i]] = entries[i]
struct Scatter
{
    const std::int64_t* places;
    const float* entries;
    float* dense;

    template <int N>
    __device__ void operator()(std::int64_t, std::int64_t column, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            dense[places[column + i]] = entries[column + i];
        }
    }
};

// entries[i] = dense[places[i]]
struct Gather
{
    const std::int64_t* places;
    const float* dense;
    float* entries;

    template <int N>
    __device__ void operator()(std::int64_t, std::int64_t column, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            entries[column + i] = dense[places[column + i]];
        }
    }
};

// Strides of element (term, row, column) of the stacked factors in the dense matrix.
struct Strides
{
    std::int64_t term;
    std::int64_t row;
    std::int64_t column;
};

std::vector<std::int64_t> placesOf(const KroneckerFactor& factor,
                                   const std::vector<int>& columns,
                                   const Strides& strides)
{
    std::vector<std::int64_t> places;
    places.reserve(columns.size());
    for (std::size_t entry = 0; entry < columns.size(); ++entry) {
        const auto row = static_cast<std::int64_t>(entry) / factor.kept;
        places.push_back(row / factor.in * strides.term + row % factor.in * strides.row
                         + columns[entry] * strides.column);
    }
    return places;
}

bool isRightFirst(const KroneckerMatrix& w)
{
    return w.order() == KroneckerOrder::rightFirst;
}

// Right first, X·B_r gives [in₁, R, out₂] and the left factors are [in₁·R, out₁]; left first,
// A_rᵀ·X gives [out₁, R, in₂] and the right factors are [R·in₂, out₂] as they are stored.
KroneckerProduct firstProduct(const Device& device,
                              const KroneckerMatrix& w,
                              const std::vector<int>& a,
                              const std::vector<int>& b,
                              DeviceWeights weights,
                              std::int64_t tokens)
{
    const int rank = w.a.rank;
    if (isRightFirst(w)) {
        const int width = rank * w.b.out;
        return {device,
                {KroneckerProduct::Direction::along, w.b.in, width, w.a.in},
                placesOf(w.b, b, {w.b.out, width, 1}),
                weights[1],
                tokens};
    }
    const int width = w.a.out * rank;
    return {device,
            {KroneckerProduct::Direction::across, w.a.in, width, w.b.in},
            placesOf(w.a, a, {1, width, rank}),
            weights[0],
            tokens};
}

KroneckerProduct secondProduct(const Device& device,
                               const KroneckerMatrix& w,
                               const std::vector<int>& a,
                               const std::vector<int>& b,
                               DeviceWeights weights,
                               std::int64_t tokens)
{
    const int rank = w.a.rank;
    if (isRightFirst(w)) {
        return {device,
                {KroneckerProduct::Direction::across, w.a.in * rank, w.a.out, w.b.out},
                placesOf(w.a, a, {w.a.out, std::int64_t{rank} * w.a.out, 1}),
                weights[0],
                tokens};
    }
    return {device,
            {KroneckerProduct::Direction::along, rank * w.b.in, w.b.out, w.a.out},
            placesOf(w.b, b, {std::int64_t{w.b.in} * w.b.out, w.b.out, 1}),
            weights[1],
            tokens};
}

Operand rowsOf(const Operand& operand, std::int64_t columns)
{
    return {operand.first, columns, operand.element};
}

Destination rowsOf(const Destination& destination, std::int64_t columns)
{
    return {destination.first, columns, destination.element};
}

} // namespace

KroneckerProduct::KroneckerProduct(const Device& device,
                                   const Sizes& sizes,
                                   const std::vector<std::int64_t>& places,
                                   DeviceSpan<const float> entries,
                                   std::int64_t tokens)
    : m_device(&device)
    , m_sizes(sizes)
    , m_tokens(tokens)
    , m_places(device.memory(), places)
    , m_dense(device.memory(),
              static_cast<std::size_t>(sizes.in) * static_cast<std::size_t>(sizes.out))
    , m_rounded(device, m_dense.size())
{
    FLOPSMITH_CHECK(places.size() == entries.size());
    check(cudaMemsetAsync(m_dense.data(), 0, m_dense.bytes(), device.stream()), "write zeros");
    forEachElement(device,
                   1,
                   static_cast<std::int64_t>(places.size()),
                   Scatter{m_places.data(), entries.data(), m_dense.data()});
    m_factor = m_rounded.of(m_dense.data(), sizes.in, sizes.out);
}

void KroneckerProduct::run(const Operand& x, const Destination& y) const
{
    const auto [direction, in, out, others] = m_sizes;
    if (direction == Direction::along) {
        multiply(*m_device, {m_tokens * others, in, out}, rowsOf(x, in), m_factor, rowsOf(y, out));
        return;
    }
    multiply(*m_device,
             {out, in, others},
             m_factor,
             Stored::transposed,
             rowsOf(x, others),
             Stored::straight,
             rowsOf(y, others),
             Into::overwrite,
             {m_tokens, 0, inputs(), outputs()});
}

void KroneckerProduct::prepareBackward()
{
    m_gradient = DeviceBuffer<float>(m_device->memory(), m_dense.size());
    if (m_sizes.direction == Direction::across) {
        constexpr std::int64_t kMaxPartial = std::int64_t{1} << 24; // 64 MiB
        const auto entries = static_cast<std::int64_t>(m_dense.size());
        const std::int64_t wanted = kMaxPartial / entries < 1 ? 1 : kMaxPartial / entries;
        m_tokensAtOnce = wanted < m_tokens ? wanted : m_tokens;
        m_partial = DeviceBuffer<float>(m_device->memory(),
                                        static_cast<std::size_t>(m_tokensAtOnce * entries));
    }
}

void KroneckerProduct::backward(const Operand& x,
                                const Operand& dy,
                                const Destination& dx,
                                DeviceSpan<float> dEntries)
{
    const auto [direction, in, out, others] = m_sizes;
    if (direction == Direction::along) {
        const std::int64_t rows = m_tokens * others;
        multiply(*m_device,
                 {in, rows, out},
                 rowsOf(x, in),
                 Stored::transposed,
                 rowsOf(dy, out),
                 Stored::straight,
                 destinationAt(m_gradient.data(), out));
        multiply(*m_device,
                 {rows, out, in},
                 rowsOf(dy, out),
                 Stored::straight,
                 m_factor,
                 Stored::transposed,
                 rowsOf(dx, in));
    } else {
        sumOverTokens(x, dy);
        multiply(*m_device,
                 {in, out, others},
                 m_factor,
                 Stored::straight,
                 rowsOf(dy, others),
                 Stored::straight,
                 rowsOf(dx, others),
                 Into::overwrite,
                 {m_tokens, 0, outputs(), inputs()});
    }
    forEachElement(*m_device,
                   1,
                   static_cast<std::int64_t>(dEntries.size()),
                   Gather{m_places.data(), m_gradient.data(), dEntries.data()});
}

// Σ_t x_t·dy_tᵀ: the products of some tokens at once, then their sum in a fixed order.
void KroneckerProduct::sumOverTokens(const Operand& x, const Operand& dy)
{
    const auto [direction, in, out, others] = m_sizes;
    const std::int64_t entries = std::int64_t{in} * out;
    for (std::int64_t first = 0; first < m_tokens; first += m_tokensAtOnce) {
        const std::int64_t left = m_tokens - first;
        const std::int64_t now = left < m_tokensAtOnce ? left : m_tokensAtOnce;
        multiply(*m_device,
                 {in, others, out},
                 {shifted(x, first * inputs()).first, others, x.element},
                 Stored::straight,
                 {shifted(dy, first * outputs()).first, others, dy.element},
                 Stored::transposed,
                 destinationAt(m_partial.data(), out),
                 Into::overwrite,
                 {now, inputs(), outputs(), entries});
        addParts(*m_device,
                 m_partial.data(),
                 now,
                 entries,
                 m_gradient.data(),
                 first == 0 ? Into::overwrite : Into::accumulate);
    }
}

KroneckerLayer::KroneckerLayer(const Device& device,
                               const KroneckerMatrix& matrix,
                               const std::vector<int>& a,
                               const std::vector<int>& b,
                               DeviceWeights weights,
                               std::int64_t tokens)
    : m_device(&device)
    , m_rightFirst(isRightFirst(matrix))
    , m_tokens(tokens)
    , m_out(matrix.a.out * matrix.b.out)
    , m_first(firstProduct(device, matrix, a, b, weights, tokens))
    , m_second(secondProduct(device, matrix, a, b, weights, tokens))
    , m_bias(weights.size() > 2 ? weights[2].data() : nullptr)
    , m_between(device, static_cast<std::size_t>(tokens * m_first.outputs()))
{}

void KroneckerLayer::product(const Operand& x, const Destination& y)
{
    const Destination between = m_between.rows(m_first.outputs());
    m_first.run(x, between);
    m_second.run(between, y);
}

void KroneckerLayer::run(const Operand& x, const Destination& y)
{
    product(x, y);
    if (m_bias != nullptr) {
        addBiasAndActivate(*m_device, Activation::none, m_bias, m_tokens, m_out, y, y);
    }
}

void KroneckerLayer::prepareBackward(DeviceGradients gradients)
{
    m_gradients = gradients;
    m_dBetween = OperandBuffer(*m_device, m_between.size());
    m_first.prepareBackward();
    m_second.prepareBackward();
}

void KroneckerLayer::backward(const Operand& x, const Operand& dy, const Destination& dx)
{
    const DeviceSpan<float> dA = m_gradients[0];
    const DeviceSpan<float> dB = m_gradients[1];
    const Destination dBetween = m_dBetween.rows(m_first.outputs());
    m_second.backward(m_between.rows(m_first.outputs()), dy, dBetween, m_rightFirst ? dA : dB);
    m_first.backward(x, dBetween, dx, m_rightFirst ? dB : dA);
}

} // namespace flopsmith::cuda
