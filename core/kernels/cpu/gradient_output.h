// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/buffer.h"
#include "core/layer/weight_shape.h"

#include <cstddef>
#include <span>
#include <vector>

namespace flopsmith::cpu {

/// Where the gradients of weights are written: one tensor per weight, sized like it.
using GradientSpans = std::span<const std::span<float>>;

/// The output of a backward kernel: the gradient of its input, then that of each weight.
class GradientOutput
{
public:
    GradientOutput(std::size_t inputs, const WeightShapes& shapes)
        : m_values(inputs + elementsOf(shapes))
    {
        std::size_t first = inputs;
        for (const WeightShape& shape : shapes) {
            const auto size = static_cast<std::size_t>(shape.size());
            m_gradients.emplace_back(m_values.data() + first, size);
            first += size;
        }
    }

    float* input() { return m_values.data(); }
    GradientSpans gradients() const { return m_gradients; }
    std::span<const float> span() const { return m_values.span(); }

private:
    static std::size_t elementsOf(const WeightShapes& shapes)
    {
        std::size_t elements = 0;
        for (const WeightShape& shape : shapes) {
            elements += static_cast<std::size_t>(shape.size());
        }
        return elements;
    }

    Buffer m_values;
    std::vector<std::span<float>> m_gradients;
};

} // namespace flopsmith::cpu
