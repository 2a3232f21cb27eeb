// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/safetensors/safetensors_header.h"
#include "core/train/trainer.h"

#include <string>
#include <vector>

namespace flopsmith {

/// A state in a file, with its writer's metadata.
template <class S>
struct SavedState
{
    TrainingState<S> state;
    SafetensorsMetadata metadata;
};

/// Writes the state as a complete safetensors file: "weights/PATH", "first_moment/PATH" and
/// "second_moment/PATH" of each tensor, and the step in the metadata with `metadata`. float as F32,
/// double as F64, so that nothing is rounded.
template <class S>
Status saveState(const std::string& path,
                 const std::vector<ModelTensor>& tensors,
                 const TrainingState<S>& state,
                 const SafetensorsMetadata& metadata);

/// Reads it back bit for bit. Errors name the file: one that is no state, of other tensors or of
/// another precision.
template <class S>
Result<SavedState<S>> loadState(const std::string& path, const std::vector<ModelTensor>& tensors);

} // namespace flopsmith
