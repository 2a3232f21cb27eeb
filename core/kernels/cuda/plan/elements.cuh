// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/plan/plan.h"

#include <utility>

// The templates that kernels are made of: work on every element, on every row, sums of columns. What
// they call is a lambda of the device that captures pointers and sizes by value.
namespace flopsmith::cuda {

constexpr int kWorkThreads = 256;

template <class Index, class Work>
__global__ void onElements(Index elements, Index columns, Work work)
{
    const Index at = static_cast<Index>(blockIdx.x) * kWorkThreads + threadIdx.x;
    if (at < elements) {
        const Index row = at / columns;
        work(static_cast<std::int64_t>(row), static_cast<std::int64_t>(at - row * columns));
    }
}

/// work(row, column) for every element, a thread each. Indices of 32 bits, where they suffice,
/// divide faster.
template <class Work>
void forEach(const Device& device, std::int64_t rows, std::int64_t columns, const Work& work)
{
    constexpr std::int64_t kShort = 0xffffffff;
    const std::int64_t elements = rows * columns;
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
        launch(device,
               blocks,
               kWorkThreads,
               0,
               &onElements<std::int64_t, Work>,
               elements,
               columns,
               work);
    }
}

template <class Work>
__global__ void onRows(Work work)
{
    work(static_cast<std::int64_t>(blockIdx.x));
}

/// work(row) by a block per row, which has a thread for each of `width` values or 256. Every thread
/// must reach the reductions of block.cuh that `work` calls.
template <class Work>
void forEachRow(const Device& device, std::int64_t rows, std::int64_t width, const Work& work)
{
    const auto threads = static_cast<unsigned>(threadsForRow(width));
    launch(device, static_cast<unsigned>(rows), threads, 0, &onRows<Work>, work);
}

constexpr int kSumThreads = 256;

// A block adds up some rows of `width` columns, a power of 2; threads share the rows of a column.
template <class Value>
__global__ void sumRows(std::int64_t rows,
                        std::int64_t rowsPerPart,
                        std::int64_t columns,
                        int width,
                        Value value,
                        Into into,
                        float* sums)
{
    __shared__ float ofLanes[kSumThreads];
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = thread / width;
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * width + thread % width;
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * rowsPerPart;
    const std::int64_t end = first + rowsPerPart < rows ? first + rowsPerPart : rows;
    float sum = 0.0F;
    for (std::int64_t row = first + lane; column < columns && row < end;
         row += kSumThreads / width) {
        sum += value(row, column);
    }
    ofLanes[thread] = sum;
    __syncthreads();
    if (lane == 0 && column < columns) {
        float& to = sums[blockIdx.y * columns + column];
        float total = into == Into::accumulate ? to : 0.0F;
        for (int i = thread; i < kSumThreads; i += width) {
            total += ofLanes[i];
        }
        to = total;
    }
}

/// How the rows of a column sum are split into parts, so that its blocks fill a device.
struct SumParts
{
    int width = 1; ///< columns of a block
    std::int64_t blocks = 1;
    std::int64_t count = 1;

    SumParts(std::int64_t rows, std::int64_t columns)
    {
        while (width < kWarp && width < columns) {
            width *= 2;
        }
        blocks = dividedUp(columns, width);
        const std::int64_t most = blocks < 1024 ? 1024 / (blocks < 1 ? 1 : blocks) : 1;
        const std::int64_t wanted = dividedUp(rows, 8 * (kSumThreads / width));
        count = wanted < 1 ? 1 : (wanted < most ? wanted : most);
    }
};

/// sums[column] (+)= Σ over the rows of value(row, column), always in the same order. `partial` has
/// SumParts::count rows of `columns`.
template <class Value>
void sumColumns(const Device& device,
                std::int64_t rows,
                std::int64_t columns,
                const Value& value,
                float* partial,
                Into into,
                float* sums)
{
    const SumParts parts(rows, columns);
    const auto start =
        [&](std::int64_t many, std::int64_t count, const auto& of, Into how, float* to) {
            launch(device,
                   dim3(static_cast<unsigned>(parts.blocks), static_cast<unsigned>(count)),
                   kSumThreads,
                   0,
                   &sumRows<std::decay_t<decltype(of)>>,
                   many,
                   dividedUp(many, count),
                   columns,
                   parts.width,
                   of,
                   how,
                   to);
        };
    if (parts.count == 1) {
        start(rows, 1, value, into, sums);
        return;
    }
    start(rows, parts.count, value, Into::overwrite, partial);
    const auto ofParts = [=] __device__(std::int64_t part, std::int64_t column) {
        return partial[part * columns + column];
    };
    start(parts.count, 1, ofParts, into, sums);
}

// ---- steps of a plan ----

/// A forward step: work(row, column) for every element.
template <class Work>
void each(Plan& plan, std::int64_t rows, std::int64_t columns, const Work& work)
{
    plan.forward(
        [&device = plan.device(), rows, columns, work] { forEach(device, rows, columns, work); });
}

/// The same as a backward step.
template <class Work>
void eachBack(Plan& plan, std::int64_t rows, std::int64_t columns, const Work& work)
{
    plan.backward(
        [&device = plan.device(), rows, columns, work] { forEach(device, rows, columns, work); });
}

/// A forward step: every element of y becomes value(row, column).
template <class Value>
void fill(Plan& plan, Tensor* y, const Value& value)
{
    float* const to = y->values;
    const std::int64_t stride = y->stride;
    each(plan, y->rows, y->columns, [=] __device__(std::int64_t row, std::int64_t column) {
        to[row * stride + column] = value(row, column);
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
    float* const to = x->gradient;
    const std::int64_t stride = x->stride;
    plan.backward([=, &device = plan.device(), rows = x->rows, columns = x->columns] {
        const bool adds = *into == Into::accumulate;
        forEach(device, rows, columns, [=] __device__(std::int64_t row, std::int64_t column) {
            float& at = to[row * stride + column];
            at = (adds ? at : 0.0F) + value(row, column);
        });
    });
}

/// A backward step: the gradient of the tensor, as one row of `columns` values, becomes or grows by
/// the sum of value(row, column) over `rows` rows.
template <class Value>
void sumIntoGradient(Plan& plan, Tensor* of, std::int64_t rows, const Value& value)
{
    if (of == nullptr || of->gradient == nullptr) {
        return;
    }
    const std::int64_t columns = of->elements();
    plan.reserve(SumParts(rows, columns).count * columns);
    const Into* const into = plan.claim(of);
    plan.backward([=, &plan, to = of->gradient] {
        sumColumns(plan.device(), rows, columns, value, plan.scratch(), *into, to);
    });
}

/// A forward step: work(row) by a block per row.
template <class Work>
void eachRow(Plan& plan, std::int64_t rows, std::int64_t width, const Work& work)
{
    plan.forward(
        [&device = plan.device(), rows, width, work] { forEachRow(device, rows, width, work); });
}

template <class Work>
void eachRowBack(Plan& plan, std::int64_t rows, std::int64_t width, const Work& work)
{
    plan.backward(
        [&device = plan.device(), rows, width, work] { forEachRow(device, rows, width, work); });
}

} // namespace flopsmith::cuda
