// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/plan/plan.h"

#include <algorithm>

// The templates that kernels are made of: work on every element, on every row, sums of columns. What
// they call is a lambda of the device that captures pointers and sizes by value.
namespace flopsmith::cuda {

constexpr int kWorkThreads = 256;

template <class Number, class Work>
__global__ void onElements(Number elements, Number columns, Work work)
{
    const Number at = static_cast<Number>(blockIdx.x) * kWorkThreads + threadIdx.x;
    if (at < elements) {
        const Number row = at / columns;
        work(static_cast<Index>(row), static_cast<Index>(at - row * columns));
    }
}

/// work(row, column) for every element, a thread each. Indices of 32 bits, where they suffice,
/// divide faster.
template <class Work>
void forEach(const Device& device, Index rows, Index columns, const Work& work)
{
    constexpr Index kShort = 0xffffff00;
    const Index elements = rows * columns;
    const auto blocks = static_cast<unsigned>(dividedUp(elements, kWorkThreads));
    if (elements <= kShort) {
        launch(device,
               blocks,
               kWorkThreads,
               0,
               &onElements<unsigned, Work>,
               static_cast<unsigned>(elements),
               static_cast<unsigned>(columns),
               work);
    } else {
        launch(device, blocks, kWorkThreads, 0, &onElements<Index, Work>, elements, columns, work);
    }
}

template <class Work>
__global__ void onRows(Work work)
{
    work(static_cast<Index>(blockIdx.x));
}

/// work(row) by a block per row, which has a thread for each of `width` values or 256. Every thread
/// must reach the reductions of block.cuh that `work` calls.
template <class Work>
void forEachRow(const Device& device, Index rows, Index width, const Work& work)
{
    const auto threads = static_cast<unsigned>(threadsForRow(width));
    launch(device, static_cast<unsigned>(rows), threads, 0, &onRows<Work>, work);
}

/// Into how many parts a column sum divides its rows, so that its threads fill a device.
inline Index sumParts(Index rows, Index columns)
{
    constexpr Index kThreads = Index{1} << 17;
    constexpr Index kFewestRows = 64;
    const Index wanted = columns < 1 ? 1 : kThreads / columns;
    const Index most = dividedUp(rows, kFewestRows);
    return std::max<Index>(1, std::min(wanted, most));
}

/// sums[column] (+)= Σ over the rows of value(row, column), always in the same order. `partial` has
/// sumParts() rows of `columns`.
template <class Value>
void sumColumns(const Device& device,
                Index rows,
                Index columns,
                const Value& value,
                float* partial,
                Into into,
                float* sums)
{
    const Index parts = sumParts(rows, columns);
    const bool adds = into == Into::accumulate;
    forEach(device, parts, columns, [=] __device__(Index part, Index column) {
        float sum = adds && parts == 1 ? sums[column] : 0.0F;
        for (Index row = part; row < rows; row += parts) {
            sum += value(row, column);
        }
        (parts == 1 ? sums : partial)[part * columns + column] = sum;
    });
    if (parts > 1) {
        forEachRow(device, columns, parts, [=] __device__(Index column) {
            const float sum = sumOverBlock(
                0, parts, [&](Index part) { return partial[part * columns + column]; });
            if (threadIdx.x == 0) {
                sums[column] = (adds ? sums[column] : 0.0F) + sum;
            }
        });
    }
}

// ---- steps of a plan ----

/// Rows of values on the device, as kernels read and write them.
struct Matrix
{
    float* first = nullptr; ///< null: there is none
    Index stride = 0;

    __device__ float& operator()(Index row, Index column) const
    {
        return first[row * stride + column];
    }
};

inline Matrix valuesOf(const Tensor* of)
{
    return of == nullptr ? Matrix() : Matrix{of->values, of->stride};
}
inline Matrix gradientOf(const Tensor* of)
{
    return of == nullptr ? Matrix() : Matrix{of->gradient, of->stride};
}

/// A forward step: work(row, column) for every element.
template <class Work>
void each(Plan& plan, Index rows, Index columns, const Work& work)
{
    plan.forward(
        [&device = plan.device(), rows, columns, work] { forEach(device, rows, columns, work); });
}

/// The same as a backward step.
template <class Work>
void eachBack(Plan& plan, Index rows, Index columns, const Work& work)
{
    plan.backward(
        [&device = plan.device(), rows, columns, work] { forEach(device, rows, columns, work); });
}

/// A forward step: every element of y becomes value(row, column).
template <class Value>
void fill(Plan& plan, Tensor* y, const Value& value)
{
    const Matrix to = valuesOf(y);
    each(plan, y->rows, y->columns, [=] __device__(Index row, Index column) {
        to(row, column) = value(row, column);
    });
}

/// A backward step: every element of x's gradient becomes value(row, column), or grows by it.
template <class Value>
void addGradient(Plan& plan, Tensor* x, const Value& value)
{
    if (x == nullptr || x->gradient == nullptr) {
        return;
    }
    const Into* const into = plan.claim(x);
    const Matrix to = gradientOf(x);
    plan.backward([=, &device = plan.device(), rows = x->rows, columns = x->columns] {
        const bool adds = *into == Into::accumulate;
        forEach(device, rows, columns, [=] __device__(Index row, Index column) {
            to(row, column) = (adds ? to(row, column) : 0.0F) + value(row, column);
        });
    });
}

/// A backward step: the gradient of the tensor, as one row of `columns` values, becomes or grows by
/// the sum of value(row, column) over `rows` rows.
template <class Value>
void sumIntoGradient(Plan& plan, Tensor* of, Index rows, const Value& value)
{
    if (of == nullptr || of->gradient == nullptr) {
        return;
    }
    const Index columns = of->elements();
    plan.reserve(sumParts(rows, columns) * columns);
    const Into* const into = plan.claim(of);
    plan.backward([=, &plan, to = of->gradient] {
        sumColumns(plan.device(), rows, columns, value, plan.scratch(), *into, to);
    });
}

/// y = value(x) of every element, and dx = dy·slope(x).
template <class Value, class Slope>
Tensor* mapped(Plan& plan, Tensor* x, const Value& value, const Slope& slope)
{
    Tensor* const y = plan.like(x);
    const Matrix from = valuesOf(x);
    const Matrix dy = gradientOf(y);
    fill(plan, y, [=] __device__(Index row, Index column) { return value(from(row, column)); });
    addGradient(plan, x, [=] __device__(Index row, Index column) {
        return dy(row, column) * slope(from(row, column));
    });
    return y;
}

/// A forward step: work(row) by a block per row.
template <class Work>
void eachRow(Plan& plan, Index rows, Index width, const Work& work)
{
    plan.forward(
        [&device = plan.device(), rows, width, work] { forEachRow(device, rows, width, work); });
}

/// A backward step: the gradient of a tensor of `rows` values, which no other operation writes, becomes
/// the sums of value(row, column) over `width` columns.
template <class Value>
void sumRowsIntoGradient(Plan& plan, Tensor* of, Index width, const Value& value)
{
    if (of->gradient == nullptr) {
        return;
    }
    plan.claim(of);
    float* const to = of->gradient;
    plan.backward([=, &device = plan.device(), rows = of->elements()] {
        forEachRow(device, rows, width, [=] __device__(Index row) {
            const float sum =
                sumOverBlock(0, width, [&](Index column) { return value(row, column); });
            if (threadIdx.x == 0) {
                to[row] = sum;
            }
        });
    });
}

} // namespace flopsmith::cuda
