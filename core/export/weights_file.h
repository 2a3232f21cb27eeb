// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/export/torch/tensors/weight_source.h"
#include "core/io/safetensors/safetensors_folder.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <string>

namespace flopsmith {

/// The content of one file of weights.
struct WeightsFile
{
    std::int64_t tensors = 0;
    std::int64_t elements = 0; ///< of all tensors, lists drawn from seeds included
    WrittenSafetensors written{};
};

/// A model's weights under the names of the exported program, and its lists drawn from seeds, as one
/// safetensors file; real numbers as F32 or BF16. Errors: a model that cannot be executed, a number
/// that the type does not hold, a file that cannot be written.
Result<WeightsFile> writeWeightsFile(const std::string& path,
                                     const Scenario& scenario,
                                     const torch::WeightSource& weights,
                                     TensorType type);

/// Copies the tensors of a folder or file to one file, under their names: whole numbers as I64,
/// real ones as `type` or, without one, F64 as F64 and others as F32. Errors: boolean tensors;
/// errors of writing.
Result<WeightsFile> copyWeightsFile(const std::string& path,
                                    const SafetensorsFolder& from,
                                    std::optional<TensorType> type);

} // namespace flopsmith
