// SPDX-License-Identifier: MIT
#pragma once

#include "core/export/torch/tensors/stored_tensors.h"
#include "core/io/safetensors/safetensors_folder.h"
#include "core/kernels/weights.h"

namespace flopsmith::torch {

/// The weights of a plan from safetensors whose names are the exported program's: written by
/// writeDesignFolder(), or a checkpoint trained from it. S is float or double. `notes` gets a
/// sentence for each tensor with NaN or infinity. Errors: a tensor that is missing, or has another
/// shape.
template <class S>
Result<Weights<S>> readStoredWeights(const SafetensorsFolder& file,
                                     const Model& model,
                                     const ModelPlan& plan,
                                     std::vector<std::string>* notes = nullptr);

} // namespace flopsmith::torch
