// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/export/torch/tensors/stored_tensors.h"
#include "core/io/hugging_face/weights/native_tensors.h"
#include "core/io/safetensors/safetensors_folder.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// One of the exported program's tensors, and its source tensors in a checkpoint.
struct ConvertedTensor
{
    struct Source
    {
        SafetensorsFolder::Place place;
        NativeTensor native;
    };

    torch::StoredTensor stored;
    TensorType type = TensorType::f32; ///< f64 if a source is, or if it gets 1 + γ
    std::vector<Source> sources; ///< in the order of their rows
};

/// The weights of a model from a checkpoint, which must outlive it.
struct ConvertedWeights
{
    std::vector<ConvertedTensor> tensors{};
    /// Tensors that are missing, of another shape or no real numbers: one sentence each.
    std::vector<std::string> problems{};
    /// Tensors that the model does not have: one sentence each.
    std::vector<std::string> unexpected{};
};

/// The name of the checkpoint's separate matrix for the head, although the model's head is tied to
/// the table of tokens; nothing if there is none, or if both are equal. Errors: a tensor that
/// cannot be read.
Result<std::optional<std::string>> otherHead(const NativeFamily& family,
                                             const Model& model,
                                             const SafetensorsFolder& checkpoint);

/// Finds all tensors of a model of the family in a checkpoint. Errors: a model with a tensor for
/// which the family has no name.
Result<ConvertedWeights> convertedWeights(const NativeFamily& family,
                                          const Model& model,
                                          const ModelPlan& plan,
                                          const SafetensorsFolder& checkpoint);

/// All values in the order of the program's state dict. T is float or double. `notes` gets a sentence
/// for each tensor that holds NaN or infinity. Errors: a number that T does not hold.
template <class T>
Result<std::vector<T>> valuesOf(const ConvertedTensor& tensor,
                                std::vector<std::string>* notes = nullptr);

} // namespace flopsmith
