// SPDX-License-Identifier: MIT
#pragma once

#include "core/export/torch/stored_tensors.h"
#include "core/io/safetensors/tensor_source.h"

#include <cstdint>
#include <vector>

namespace flopsmith::torch {

/// The values of one tensor as the state dict has them, drawn from the seed: that of an export plus
/// the tensor's place in the plan.
std::vector<float> drawnValues(const ModelPlan& plan,
                               const StoredTensor& stored,
                               std::uint64_t seed);

/// All of them, each drawn when it is written.
std::vector<TensorToWrite> drawnTensors(const ModelPlan& plan,
                                        const std::vector<StoredTensor>& stored,
                                        std::uint64_t seed);

} // namespace flopsmith::torch
