// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/layer.h"

#include <algorithm>
#include <new>
#include <span>

namespace flopsmith::cpu {

/// y [T, d] = the embedding of tokens or images, by a kernel that is prepared for this call: its
/// projection is packed as the weights are now.
template <class Input>
void computeForward(const Embedding& embedding,
                    const Shape& shape,
                    WeightView<float> weights,
                    std::span<const Input> inputs,
                    Threads threads,
                    Precision precision,
                    float* y)
{
    const auto kernel = prepare(embedding, shape, weights, inputs, threads, precision);
    if (!kernel) {
        throw std::bad_alloc();
    }
    (*kernel)->run();
    std::ranges::copy((*kernel)->output(), y);
}

} // namespace flopsmith::cpu
