// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/weights.h"

#include <cstddef>
#include <cstdint>

namespace flopsmith::cpu {

/// The projection of tensors `weight` and `bias`; a bias of 0 means none, since tensor 0 is a
/// weight.
inline Linear projection(std::int64_t in,
                         std::int64_t out,
                         WeightView<float> weights,
                         std::size_t weight,
                         std::size_t bias,
                         Precision precision)
{
    Linear linear(in, out, weights[weight].data(), bias == 0 ? nullptr : weights[bias].data());
    return linear.computedIn(precision);
}

} // namespace flopsmith::cpu
