// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/plan/operations.h"

#include "core/kernels/cuda/block/gate.cuh"
#include "core/kernels/cuda/plan/elements.cuh"

namespace flopsmith::cuda {
namespace {

// Values to which a bias may be added.
struct Biased
{
    Matrix values;
    const float* bias;

    Biased(const Tensor* x, const Tensor* b)
        : values(valuesOf(x))
        , bias(b == nullptr ? nullptr : b->values)
    {}
    __device__ float operator()(Index row, Index column) const
    {
        return values(row, column) + (bias == nullptr ? 0.0F : bias[column]);
    }
};

// The gradient of a bias, from that of what it was added to.
void sumBias(Plan& plan, Tensor* bias, const Tensor* x)
{
    const Matrix dx = gradientOf(x);
    sumIntoGradient(
        plan, bias, x->rows, [=] __device__(Index row, Index column) { return dx(row, column); });
}

} // namespace

void roundValues(const Device& device, const float* from, __nv_bfloat16* to, Index count)
{
    forEach(
        device, 1, count, [=] __device__(Index, Index at) { to[at] = __float2bfloat16(from[at]); });
}

void addBias(Plan& plan, Tensor* y, Tensor* bias)
{
    if (bias != nullptr) {
        fill(plan, y, Biased(y, bias));
        sumBias(plan, bias, y);
    }
}

Tensor* activated(Plan& plan, Activation activation, Tensor* x, Tensor* bias)
{
    if (activation == Activation::none) {
        addBias(plan, x, bias);
        return x;
    }
    Tensor* const y = plan.like(x);
    const Biased from(x, bias);
    const Matrix dy = gradientOf(y);
    fill(plan, y, [=] __device__(Index row, Index column) {
        return activated(activation, from(row, column));
    });
    addGradient(plan, x, [=] __device__(Index row, Index column) {
        return dy(row, column) * slopeOf(activation, from(row, column));
    });
    sumBias(plan, bias, x);
    return y;
}

Tensor* gated(Plan& plan,
              Activation activation,
              const GatedHalves& halves,
              const GateValues& values)
{
    const Gate gate(activation, values);
    Tensor* const y = plan.like(halves.gate);
    const Biased opening(halves.gate, halves.gateBias);
    const Biased up(halves.up, halves.upBias);
    const Matrix dy = gradientOf(y);
    fill(plan, y, [=] __device__(Index row, Index column) {
        return gate.opened(opening(row, column)) * gate.factor(up(row, column));
    });
    addGradient(plan, halves.gate, [=] __device__(Index row, Index column) {
        return dy(row, column) * gate.factor(up(row, column))
            * gate.openedSlope(opening(row, column));
    });
    addGradient(plan, halves.up, [=] __device__(Index row, Index column) {
        return dy(row, column) * gate.opened(opening(row, column))
            * gate.factorSlope(up(row, column));
    });
    sumBias(plan, halves.gateBias, halves.gate);
    sumBias(plan, halves.upBias, halves.up);
    return y;
}

Tensor* sumOf(Plan& plan, Tensor* a, Tensor* b, float scale)
{
    Tensor* const y = plan.tensor(b->rows, b->columns);
    const Matrix first = valuesOf(a);
    const Matrix second = valuesOf(b);
    const Matrix dy = gradientOf(y);
    fill(plan, y, [=] __device__(Index row, Index column) {
        return (first.first == nullptr ? 0.0F : first(row, column)) + scale * second(row, column);
    });
    addGradient(plan, a, [=] __device__(Index row, Index column) { return dy(row, column); });
    addGradient(
        plan, b, [=] __device__(Index row, Index column) { return scale * dy(row, column); });
    return y;
}

Tensor* selected(Plan& plan, Tensor* x, const std::vector<int>& sources)
{
    std::vector<int> places(static_cast<std::size_t>(x->columns), -1);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        places[static_cast<std::size_t>(sources[i])] = static_cast<int>(i);
    }
    Tensor* const y = plan.tensor(x->rows, static_cast<Index>(sources.size()));
    const int* const source = plan.copied(sources);
    const int* const place = plan.copied(places);
    const Matrix from = valuesOf(x);
    const Matrix dy = gradientOf(y);
    fill(plan, y, [=] __device__(Index row, Index column) { return from(row, source[column]); });
    addGradient(plan, x, [=] __device__(Index row, Index column) {
        return place[column] < 0 ? 0.0F : dy(row, place[column]);
    });
    return y;
}

Tensor* scattered(Plan& plan,
                  Tensor* entries,
                  const std::vector<Index>& places,
                  Index rows,
                  Index columns)
{
    Tensor* const dense = plan.weight(std::vector<float>(static_cast<std::size_t>(rows * columns)));
    const Index* const place = plan.copied(places);
    const float* const from = entries->values;
    float* const to = dense->values;
    const float* const gradient = dense->gradient;
    forEach(plan.device(), 1, entries->elements(), [=] __device__(Index, Index i) {
        to[place[i]] = from[i];
    });
    addGradient(plan, entries, [=] __device__(Index, Index i) { return gradient[place[i]]; });
    return dense;
}

Tensor* zeros(Plan& plan, Index rows, Index columns)
{
    return plan.constant(std::vector<float>(static_cast<std::size_t>(rows * columns)), columns);
}

} // namespace flopsmith::cuda
