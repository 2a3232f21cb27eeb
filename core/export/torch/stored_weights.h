// SPDX-License-Identifier: MIT
#pragma once

#include "core/export/torch/stored_tensors.h"
#include "core/io/safetensors/safetensors_folder.h"
#include "core/kernels/weights.h"

namespace flopsmith::torch {

/// The weights of a plan from safetensors in which they have the names of the exported program:
/// what writeDesignFolder() wrote, or a checkpoint trained from it. S is float or double. `notes` gets
/// a sentence for each tensor that holds NaN or infinity. Errors: a tensor that is missing, or has
/// another shape.
template <class S>
Result<Weights<S>> readStoredWeights(const SafetensorsFolder& file,
                                     const Model& model,
                                     const ModelPlan& plan,
                                     std::vector<std::string>* notes = nullptr);

} // namespace flopsmith::torch
