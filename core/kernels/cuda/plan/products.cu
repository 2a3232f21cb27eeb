// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/plan/products.h"

#include "core/kernels/cuda/plan/elements.cuh"

namespace flopsmith::cuda {
namespace {

// One side of a product: the operand, and how it is read.
struct Side
{
    Operand operand;
    Stored stored;
    std::int64_t step;

    Side flipped() const
    {
        const bool straight = stored == Stored::straight;
        return {operand, straight ? Stored::transposed : Stored::straight, step};
    }
};

Side sideOf(Plan& plan, const Factor& factor, bool exact)
{
    Operand operand = exact ? operandAt(factor.of->values, factor.stride) : plan.operand(factor.of);
    operand.stride = factor.stride;
    return {operand, factor.stored, factor.step};
}

// The gradient of a factor that all products of a batch share is the sum of theirs, some at once.
void sumOfBatch(Plan& plan,
                const Factor& to,
                const ProductSize& size,
                const Side& a,
                const Side& b,
                const ProductOptions& options)
{
    constexpr std::int64_t kMostPartial = std::int64_t{1} << 24; // 64 MiB
    const std::int64_t entries = size.rows * size.columns;
    FLOPSMITH_CHECK(to.stride == size.columns);
    const std::int64_t fitting = kMostPartial / entries < 1 ? 1 : kMostPartial / entries;
    const std::int64_t most = fitting < options.count ? fitting : options.count;
    plan.reserve((most + SumParts(most, entries).count) * entries);
    const Into* const into = plan.claim(to.of);
    plan.backward([=, &plan] {
        const Device& device = plan.device();
        float* const partial = plan.scratch();
        for (std::int64_t first = 0; first < options.count; first += most) {
            const std::int64_t left = options.count - first;
            const std::int64_t now = left < most ? left : most;
            multiply(device,
                     size,
                     shifted(a.operand, first * a.step),
                     a.stored,
                     shifted(b.operand, first * b.step),
                     b.stored,
                     destinationAt(partial, size.columns),
                     Into::overwrite,
                     {now, a.step, b.step, entries},
                     options.scale);
            const auto value = [=] __device__(std::int64_t row, std::int64_t column) {
                return partial[row * entries + column];
            };
            const Into how = first == 0 ? *into : Into::accumulate;
            sumColumns(device, now, entries, value, partial + most * entries, how, to.of->gradient);
        }
    });
}

void backInto(Plan& plan,
              const Factor& to,
              const ProductSize& size,
              const Side& a,
              const Side& b,
              const ProductOptions& options)
{
    if (to.of->gradient == nullptr) {
        return;
    }
    if (to.step == 0 && options.count > 1) {
        sumOfBatch(plan, to, size, a, b, options);
        return;
    }
    const Into* const into = plan.claim(to.of);
    plan.backward([=, &device = plan.device()] {
        multiply(device,
                 size,
                 a.operand,
                 a.stored,
                 b.operand,
                 b.stored,
                 destinationAt(to.of->gradient, to.stride),
                 *into,
                 {options.count, a.step, b.step, to.step},
                 options.scale);
    });
}

} // namespace

void product(Plan& plan,
             const ProductSize& size,
             const Factor& a,
             const Factor& b,
             const Factor& c,
             const ProductOptions& options)
{
    const auto [rows, inner, columns] = size;
    const Side left = sideOf(plan, a, options.exact);
    const Side right = sideOf(plan, b, options.exact);
    plan.forward([=, &device = plan.device()] {
        multiply(device,
                 size,
                 left.operand,
                 left.stored,
                 right.operand,
                 right.stored,
                 destinationAt(c.of->values, c.stride),
                 Into::overwrite,
                 {options.count, a.step, b.step, c.step},
                 options.scale);
    });
    if (!plan.learns()) {
        return;
    }
    Operand dc = options.exact ? operandAt(c.of->gradient, c.stride) : plan.gradientOperand(c.of);
    dc.stride = c.stride;
    const Side out{dc, Stored::straight, c.step};
    if (a.stored == Stored::straight) {
        backInto(plan, a, {rows, columns, inner}, out, right.flipped(), options);
    } else {
        backInto(plan, a, {inner, columns, rows}, right, out.flipped(), options);
    }
    if (b.stored == Stored::straight) {
        backInto(plan, b, {inner, rows, columns}, left.flipped(), out, options);
    } else {
        backInto(plan, b, {columns, rows, inner}, out.flipped(), left, options);
    }
}

void addBias(Plan& plan, Tensor* y, Tensor* bias)
{
    if (bias == nullptr) {
        return;
    }
    const std::int64_t stride = y->stride;
    const float* const values = y->values;
    const float* const b = bias->values;
    const float* const dy = y->gradient;
    fill(plan, y, [=] __device__(std::int64_t row, std::int64_t column) {
        return values[row * stride + column] + b[column];
    });
    sumIntoGradient(plan, bias, y->rows, [=] __device__(std::int64_t row, std::int64_t column) {
        return dy[row * stride + column];
    });
}

Tensor* linear(Plan& plan, Tensor* x, std::int64_t out, Tensor* w, Tensor* bias)
{
    Tensor* const y = plan.tensor(x->rows, out);
    product(plan, {x->rows, x->columns, out}, {x, x->stride}, {w, out}, {y, out});
    addBias(plan, y, bias);
    return y;
}

} // namespace flopsmith::cuda
