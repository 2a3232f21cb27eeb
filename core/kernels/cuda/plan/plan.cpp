// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/plan/plan.h"

#include "core/base/check.h"

#include <algorithm>
#include <utility>

namespace flopsmith::cuda {
namespace {

bool rounds(const Device& device)
{
    return operandElement(device) == Element::bfloat16;
}

} // namespace

Plan::Plan(const Device& device, Pass pass)
    : m_device(device)
    , m_pass(pass)
{}

std::byte* Plan::bytes(std::size_t count)
{
    return m_memory.emplace_back(m_device.memory(), count).data();
}

Tensor* Plan::kept(Tensor tensor, bool learns)
{
    if (learns) {
        tensor.gradient = memory<float>(tensor.elements());
    }
    tensor.stride = tensor.columns;
    return &m_tensors.emplace_back(tensor);
}

Tensor* Plan::tensor(std::int64_t rows, std::int64_t columns)
{
    return kept({.rows = rows, .columns = columns, .values = memory<float>(rows * columns)},
                learns());
}

Tensor* Plan::still(std::int64_t rows, std::int64_t columns)
{
    return kept({.rows = rows, .columns = columns, .values = memory<float>(rows * columns)}, false);
}

Tensor* Plan::like(Tensor* x)
{
    return learns() || x->borrowed ? tensor(x->rows, x->columns) : x;
}

Tensor* Plan::input(std::span<const float> values, std::int64_t columns)
{
    const auto count = static_cast<std::int64_t>(values.size());
    Tensor* const x = kept({.rows = count / columns,
                            .columns = columns,
                            .values = memory<float>(count),
                            .borrowed = true},
                           learns());
    if (!values.empty()) {
        copyToDevice(x->values, values.data(), values.size_bytes());
    }
    return x;
}

Tensor* Plan::weight(std::span<const float> values)
{
    Tensor* const w =
        input(values, std::max<std::int64_t>(1, static_cast<std::int64_t>(values.size())));
    w->constant = true;
    return w;
}

Tensor* Plan::constant(const std::vector<float>& values, std::int64_t columns)
{
    const auto count = static_cast<std::int64_t>(values.size());
    Tensor* const made = kept(
        {.rows = count / columns, .columns = columns, .borrowed = true, .constant = true}, false);
    made->values = const_cast<float*>(copied(values));
    return made;
}

Tensor* Plan::columns(Tensor* of, std::int64_t first, std::int64_t count)
{
    return view(of, first, of->rows, count);
}

Tensor* Plan::rows(Tensor* of, std::int64_t first, std::int64_t count)
{
    return view(of, first * of->stride, count, of->columns);
}

Tensor* Plan::view(Tensor* of, std::int64_t first, std::int64_t rows, std::int64_t columns)
{
    Tensor made{.rows = rows, .columns = columns, .stride = of->stride};
    made.values = of->values + first;
    made.gradient = of->gradient == nullptr ? nullptr : of->gradient + first;
    made.whole = of;
    made.first = first;
    made.borrowed = of->borrowed;
    made.constant = of->constant;
    return &m_tensors.emplace_back(made);
}

void Plan::reserve(std::int64_t elements)
{
    m_reserved = std::max(m_reserved, elements);
}

Plan::Operation& Plan::operation()
{
    if (std::exchange(m_opens, false)) {
        m_operations.emplace_back();
    }
    return m_operations.back();
}

void Plan::forward(Step step)
{
    m_forward.push_back(std::move(step));
    m_opens = true;
}

void Plan::backward(Step step)
{
    if (learns()) {
        operation().back.push_back(std::move(step));
    }
}

const Into* Plan::claim(Tensor* of)
{
    return &operation().claims.emplace_back(Claim{of, Into::overwrite}).into;
}

void Plan::clearFirst(Tensor* of)
{
    Tensor* const whole = of->whole == nullptr ? of : of->whole;
    if (whole->gradient != nullptr) {
        if (!std::exchange(whole->reached, true)) {
            m_cleared.push_back(whole);
        }
        of->reached = true;
    }
}

Operand Plan::operand(Tensor* of)
{
    if (of->whole != nullptr) {
        return shifted(operand(of->whole), of->first);
    }
    if (!rounds(m_device)) {
        return operandAt(of->values, of->stride);
    }
    if (of->rounded == nullptr) {
        of->rounded = memory<__nv_bfloat16>(of->elements());
        const auto round = [this, of] {
            roundValues(m_device, of->values, of->rounded, of->elements());
        };
        if (of->constant) {
            round();
        } else {
            forward(round);
        }
    }
    return {of->rounded, of->stride, Element::bfloat16};
}

Operand Plan::gradientOperand(Tensor* of)
{
    FLOPSMITH_CHECK(of->whole == nullptr);
    if (!rounds(m_device)) {
        return operandAt(of->gradient, of->stride);
    }
    if (of->roundedGradient == nullptr) {
        of->roundedGradient = memory<__nv_bfloat16>(of->elements());
        backward([this, of] {
            roundValues(m_device, of->gradient, of->roundedGradient, of->elements());
        });
    }
    return {of->roundedGradient, of->stride, Element::bfloat16};
}

void Plan::finish(Tensor* y)
{
    m_scratch = DeviceBuffer<float>(m_device.memory(), static_cast<std::size_t>(m_reserved));
    y->reached = true;
    for (auto operation = m_operations.rbegin(); operation != m_operations.rend(); ++operation) {
        for (Claim& claim : operation->claims) {
            claim.into = claim.of->reached ? Into::accumulate : Into::overwrite;
            claim.of->reached = true;
            if (claim.of->whole != nullptr) {
                claim.of->whole->reached = true;
            }
        }
    }
    for (Tensor& tensor : m_tensors) {
        if (tensor.gradient != nullptr && !tensor.reached && tensor.whole == nullptr) {
            m_cleared.push_back(&tensor);
        }
    }
}

void Plan::runForward() const
{
    for (const Step& step : m_forward) {
        step();
    }
}

void Plan::runBackward() const
{
    for (const Tensor* tensor : m_cleared) {
        if (tensor->elements() > 0) {
            const auto bytes = static_cast<std::size_t>(tensor->elements()) * sizeof(float);
            check(cudaMemsetAsync(tensor->gradient, 0, bytes, m_device.stream()),
                  "clear gradients");
        }
    }
    for (auto operation = m_operations.rbegin(); operation != m_operations.rend(); ++operation) {
        for (const Step& step : operation->back) {
            step();
        }
    }
}

} // namespace flopsmith::cuda
