// SPDX-License-Identifier: MIT
#pragma once

#include "core/export/torch/tensor_names.h"
#include "core/layer/weight_shape.h"

namespace flopsmith::torch {

/// The rule that most tensors follow: "/" and numbers in brackets become dots and plurals
/// ("stage[0]/gate.weight" → "stages.0.gate.weight"), a norm's gamma and beta after a dot or alone
/// weight and bias; what is called weight is transposed, and what has one row is a vector.
TorchTensor plainTensor(const WeightShape& shape, std::size_t index);

} // namespace flopsmith::torch
