// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/plan/operations.h"

#include "core/kernels/cuda/block/gate.cuh"
#include "core/kernels/cuda/plan/elements.cuh"

namespace flopsmith::cuda {
namespace {

__device__ float biased(const float* values,
                        std::int64_t at,
                        const float* bias,
                        std::int64_t column)
{
    return values[at] + (bias == nullptr ? 0.0F : bias[column]);
}

const float* valuesOf(const Tensor* tensor)
{
    return tensor == nullptr ? nullptr : tensor->values;
}

// The gradient of a bias, from that of what it was added to.
void sumBias(Plan& plan, Tensor* bias, const Tensor* x)
{
    const float* const dx = x->gradient;
    const std::int64_t stride = x->stride;
    sumIntoGradient(plan, bias, x->rows, [=] __device__(std::int64_t row, std::int64_t column) {
        return dx[row * stride + column];
    });
}

} // namespace

void roundValues(const Device& device, const float* from, __nv_bfloat16* to, std::int64_t count)
{
    forEach(device, 1, count, [=] __device__(std::int64_t, std::int64_t at) {
        to[at] = __float2bfloat16(from[at]);
    });
}

Tensor* activated(Plan& plan, Activation activation, Tensor* x, Tensor* bias)
{
    if (activation == Activation::none) {
        addBias(plan, x, bias);
        return x;
    }
    Tensor* const y = plan.like(x);
    const float* const from = x->values;
    const std::int64_t stride = x->stride;
    const float* const b = valuesOf(bias);
    fill(plan, y, [=] __device__(std::int64_t row, std::int64_t column) {
        return activated(activation, biased(from, row * stride + column, b, column));
    });
    const float* const dy = y->gradient;
    const std::int64_t dyStride = y->stride;
    addGradient(plan, x, [=] __device__(std::int64_t row, std::int64_t column) {
        const float before = biased(from, row * stride + column, b, column);
        return dy[row * dyStride + column] * slopeOf(activation, before);
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
    const std::int64_t columns = y->columns;
    const float* const opening = halves.gate->values;
    const float* const up = halves.up->values;
    const float* const gateBias = valuesOf(halves.gateBias);
    const float* const upBias = valuesOf(halves.upBias);
    fill(plan, y, [=] __device__(std::int64_t row, std::int64_t column) {
        const std::int64_t at = row * columns + column;
        return gate.opened(biased(opening, at, gateBias, column))
            * gate.factor(biased(up, at, upBias, column));
    });
    const float* const dy = y->gradient;
    addGradient(plan, halves.gate, [=] __device__(std::int64_t row, std::int64_t column) {
        const std::int64_t at = row * columns + column;
        return dy[at] * gate.factor(biased(up, at, upBias, column))
            * gate.openedSlope(biased(opening, at, gateBias, column));
    });
    addGradient(plan, halves.up, [=] __device__(std::int64_t row, std::int64_t column) {
        const std::int64_t at = row * columns + column;
        return dy[at] * gate.opened(biased(opening, at, gateBias, column))
            * gate.factorSlope(biased(up, at, upBias, column));
    });
    sumBias(plan, halves.gateBias, halves.gate);
    sumBias(plan, halves.upBias, halves.up);
    return y;
}

Tensor* sumOf(Plan& plan, Tensor* a, Tensor* b, float scale)
{
    Tensor* const y = plan.tensor(b->rows, b->columns);
    const float* const first = valuesOf(a);
    const float* const second = b->values;
    const float* const dy = y->gradient;
    const std::int64_t columns = y->columns;
    fill(plan, y, [=] __device__(std::int64_t row, std::int64_t column) {
        const std::int64_t at = row * columns + column;
        return (first == nullptr ? 0.0F : first[at]) + scale * second[at];
    });
    addGradient(plan, a, [=] __device__(std::int64_t row, std::int64_t column) {
        return dy[row * columns + column];
    });
    addGradient(plan, b, [=] __device__(std::int64_t row, std::int64_t column) {
        return scale * dy[row * columns + column];
    });
    return y;
}

Tensor* selected(Plan& plan, Tensor* x, const std::vector<int>& sources)
{
    std::vector<int> places(static_cast<std::size_t>(x->columns), -1);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        places[static_cast<std::size_t>(sources[i])] = static_cast<int>(i);
    }
    Tensor* const y = plan.tensor(x->rows, static_cast<std::int64_t>(sources.size()));
    const int* const source = plan.copied(sources);
    const int* const place = plan.copied(places);
    const float* const from = x->values;
    const float* const dy = y->gradient;
    const std::int64_t stride = x->stride;
    const std::int64_t columns = y->columns;
    fill(plan, y, [=] __device__(std::int64_t row, std::int64_t column) {
        return from[row * stride + source[column]];
    });
    addGradient(plan, x, [=] __device__(std::int64_t row, std::int64_t column) {
        return place[column] < 0 ? 0.0F : dy[row * columns + place[column]];
    });
    return y;
}

Tensor* zeros(Plan& plan, std::int64_t rows, std::int64_t columns)
{
    return plan.constant(std::vector<float>(static_cast<std::size_t>(rows * columns)), columns);
}

} // namespace flopsmith::cuda
