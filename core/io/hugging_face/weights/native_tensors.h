// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/hugging_face/weights/native_names.h"
#include "core/io/safetensors/tensor_shape.h"
#include "core/model/model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flopsmith {

/// A tensor of a checkpoint as the library stores it, and the rows of our tensor that it holds:
/// after its transpose, or with 1 added, it is rows firstRow … firstRow + rows − 1 of ours.
struct NativeTensor
{
    std::vector<std::string> names; ///< a reader of checkpoints takes the first that is there
    std::vector<std::string> written; ///< a writer stores it under all of these
    TensorShape shape; ///< as stored there
    NativeForm form = NativeForm::same;
    std::int64_t firstRow = 0; ///< elements where ours is a vector
    std::int64_t rows = 0;

    bool operator==(const NativeTensor&) const = default;
};

/// The tensors that make up one of ours, whose name and shape are those in the exported program's
/// state dict, in the order of its rows. The Error names a tensor that the family does not have.
Result<std::vector<NativeTensor>> nativeTensors(const NativeFamily& family,
                                                const Model& model,
                                                const std::string& ours,
                                                const TensorShape& shape);

/// Whether checkpoints of the family have tensors of this name that are never read.
bool isUnreadNative(const NativeFamily& family, std::string_view name);

} // namespace flopsmith
