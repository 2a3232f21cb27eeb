// SPDX-License-Identifier: MIT
#pragma once

#include "core/export/torch/tensors/tensor_names.h"
#include "core/layer/weight_shape.h"

namespace flopsmith::torch {

/// The naming rule of most tensors: "/" and numbers in brackets become dots and plurals
/// ("stage[0]/gate.weight" → "stages.0.gate.weight"), a norm's gamma and beta become weight and
/// bias; a tensor called weight is transposed, and a single row becomes a vector.
TorchTensor plainTensor(const WeightShape& shape, std::size_t index);

} // namespace flopsmith::torch
