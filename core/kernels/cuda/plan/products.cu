// SPDX-License-Identifier: MIT
#include "core/base/check.h"
#include "core/kernels/cuda/plan/elements.cuh"
#include "core/kernels/cuda/plan/operations.h"

namespace flopsmith::cuda {
namespace {

Operand with(const Factor& factor, Operand operand)
{
    operand.stride = factor.stride;
    operand.stored = factor.stored;
    operand.step = factor.step;
    return operand;
}

// The gradient of a factor as a result, which is not transposed.
Operand gradientAt(const Factor& factor)
{
    Operand gradient = with(factor, operandAt(factor.of->gradient, factor.stride));
    gradient.stored = Stored::straight;
    return gradient;
}

void backInto(Plan& plan,
              const Factor& to,
              const ProductSize& size,
              const Operand& a,
              const Operand& b,
              const ProductOptions& options)
{
    if (to.of->gradient == nullptr) {
        return;
    }
    FLOPSMITH_CHECK(options.count == 1 || to.step != 0); // no two products write the same
    const Into* const into = plan.claim(to.of);
    plan.backward([=, &device = plan.device()] {
        multiply(device, size, a, b, gradientAt(to), {options.count, *into, options.scale});
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
    const auto operandOf = [&](const Factor& f) {
        const Operand exact = operandAt(f.of->values, f.stride);
        return with(f, options.exact ? exact : plan.operand(f.of));
    };
    const Operand left = operandOf(a);
    const Operand right = operandOf(b);
    plan.forward([=, &device = plan.device()] {
        const Operand to = with(c, operandAt(c.of->values, c.stride));
        multiply(device, size, left, right, to, {options.count, Into::overwrite, options.scale});
    });
    if (!plan.learns()) {
        return;
    }
    const Operand exact = operandAt(c.of->gradient, c.stride);
    const Operand out = with(c, options.exact ? exact : plan.gradientOperand(c.of));
    if (a.stored == Stored::straight) {
        backInto(plan, a, {rows, columns, inner}, out, right.transposed(), options);
    } else {
        backInto(plan, a, {inner, columns, rows}, right, out.transposed(), options);
    }
    if (b.stored == Stored::straight) {
        backInto(plan, b, {inner, rows, columns}, left.transposed(), out, options);
    } else {
        backInto(plan, b, {columns, rows, inner}, out.transposed(), left, options);
    }
}

Tensor* linear(Plan& plan, Tensor* x, Index out, Tensor* w, Tensor* bias)
{
    Tensor* const y = plan.tensor(x->rows, out);
    product(plan, {x->rows, x->columns, out}, {x, x->stride}, {w, out}, {y, out});
    addBias(plan, y, bias);
    return y;
}

} // namespace flopsmith::cuda
