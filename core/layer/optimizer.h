// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"

namespace flopsmith {

/// How a training step turns gradients into new weights.
enum class Optimizer {
    sgd, ///< w − η·g
    momentum, ///< SGD with one running sum per weight
    adam, ///< two running means per weight (Kingma and Ba 2015)
    adamMixed, ///< Adam on a 32-bit copy of weights that are stored in 16 bits
};

template <>
std::vector<std::string_view> enumNames<Optimizer>();

/// Bits of every element of optimizer state: running means, and the copy of the weights in mixed
/// precision.
inline constexpr int kOptimizerStateBits = 32;

/// Elements of state that an optimizer keeps for each weight: 0, 1, 2, and 3 in mixed precision
/// (Rajbhandari et al. 2020, ZeRO: with 16-bit weights and gradients 16 bytes per weight in all).
int stateElements(Optimizer optimizer);

} // namespace flopsmith
