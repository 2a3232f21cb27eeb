// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/plan/operations.h"

#include "core/kernels/cuda/block/activation.cuh"
#include "core/kernels/cuda/plan/elements.cuh"

namespace flopsmith::cuda {
void roundValues(const Device& device, const float* from, __nv_bfloat16* to, Index count)
{
    forEach(
        device, 1, count, [=] __device__(Index, Index at) { to[at] = __float2bfloat16(from[at]); });
}

void addBias(Plan& plan, Tensor* y, Tensor* bias)
{
    if (bias == nullptr) {
        return;
    }
    const Matrix values = valuesOf(y);
    const Matrix dy = gradientOf(y);
    const float* const b = bias->values;
    fill(plan, y, [=] __device__(Index row, Index column) {
        return values(row, column) + b[column];
    });
    sumIntoGradient(
        plan, bias, y->rows, [=] __device__(Index row, Index column) { return dy(row, column); });
}

Tensor* activated(Plan& plan, Activation activation, Tensor* x)
{
    if (activation == Activation::none) {
        return x;
    }
    return mapped(
        plan,
        x,
        [=] __device__(float v) { return activated(activation, v); },
        [=] __device__(float v) { return slopeOf(activation, v); });
}

Tensor* sigmoids(Plan& plan, Tensor* x)
{
    return mapped(
        plan,
        x,
        [] __device__(float v) { return sigmoid(v); },
        [] __device__(float v) { return sigmoid(v) * (1.0F - sigmoid(v)); });
}

Tensor* gated(Plan& plan, Activation activation, Tensor* gate, Tensor* up, const GateValues& values)
{
    const Gate of(activation, values);
    Tensor* const y = plan.like(gate);
    const Matrix opening = valuesOf(gate);
    const Matrix factor = valuesOf(up);
    const Matrix dy = gradientOf(y);
    fill(plan, y, [=] __device__(Index row, Index column) {
        return of.opened(opening(row, column)) * of.factor(factor(row, column));
    });
    addGradient(plan, gate, [=] __device__(Index row, Index column) {
        return dy(row, column) * of.factor(factor(row, column))
            * of.openedSlope(opening(row, column));
    });
    addGradient(plan, up, [=] __device__(Index row, Index column) {
        return dy(row, column) * of.opened(opening(row, column))
            * of.factorSlope(factor(row, column));
    });
    return y;
}

Tensor* weightedSum(Plan& plan, Tensor* a, Tensor* b, Tensor* weight)
{
    Tensor* const y = plan.tensor(b->rows, b->columns);
    const Index columns = b->columns;
    const bool perRow = weight->rows > 1;
    const bool perColumn = weight->columns > 1;
    const Matrix first = valuesOf(a);
    const Matrix second = valuesOf(b);
    const Matrix weights = valuesOf(weight);
    const Matrix dy = gradientOf(y);
    const auto w = [=] __device__(Index row, Index column) {
        return weights(perRow ? row : 0, perColumn ? column : 0);
    };
    fill(plan, y, [=] __device__(Index row, Index column) {
        const float before = first.first == nullptr ? 0.0F : first(row, column);
        return fmaf(w(row, column), second(row, column), before);
    });
    addGradient(plan, a, [=] __device__(Index row, Index column) { return dy(row, column); });
    addGradient(plan, b, [=] __device__(Index row, Index column) {
        return w(row, column) * dy(row, column);
    });
    if (perRow) {
        sumRowsIntoGradient(plan, weight, columns, [=] __device__(Index row, Index column) {
            return dy(row, column) * second(row, column);
        });
    } else { // of one weight all elements are rows of one column
        const Index width = weight->columns;
        sumIntoGradient(plan, weight, y->elements() / width, [=] __device__(Index i, Index column) {
            const Index at = i * width + column;
            return dy(at / columns, at % columns) * second(at / columns, at % columns);
        });
    }
    return y;
}

Tensor* sumOf(Plan& plan, Tensor* a, Tensor* b, float scale)
{
    return weightedSum(plan, a, b, plan.constant({scale}, 1));
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

Tensor* turned(Plan& plan, Tensor* x, Index rows, Index columns)
{
    std::vector<int> sources;
    for (Index column = 0; column < columns; ++column) {
        for (Index row = 0; row < rows; ++row) {
            sources.push_back(static_cast<int>(row * columns + column));
        }
    }
    return selected(plan, x, sources);
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
