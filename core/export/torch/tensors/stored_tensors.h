// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/export/torch/tensors/tensor_names.h"
#include "core/run/model_plan.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace flopsmith::torch {

/// A tensor of a plan as the state dict of the exported program has it.
struct StoredTensor
{
    std::string name; ///< in the state dict: "blocks.3.ffn.c_fc.weight"
    std::size_t tensor = 0; ///< in ModelPlan::tensors
    bool transposed = false; ///< its [rows, columns] become [columns, rows], …
    std::vector<std::int64_t> shape; ///< … which then are read in this shape

    bool operator==(const StoredTensor&) const = default;
};

/// All tensors of the state dict but the lists drawn from seeds, in the order of execution. Errors:
/// a tensor that the plan of the model does not have.
Result<std::vector<StoredTensor>> storedTensors(const Model& model, const ModelPlan& plan);

/// How many numbers they hold, and how many of these are parameters: a buffer, such as the
/// correction of a router, is not trained and does not count.
std::int64_t storedNumbers(const std::vector<StoredTensor>& stored, const ModelPlan& plan);
std::int64_t storedParameters(const std::vector<StoredTensor>& stored, const ModelPlan& plan);

/// The lists drawn from seeds, by their names in the state dict.
std::vector<TorchBuffer> storedBuffers(const Model& model);

/// Row-major values [rows, columns] in the order in which the state dict has them.
template <class S>
std::vector<S> storedOrder(const StoredTensor& stored,
                           const WeightShape& shape,
                           std::vector<S> values)
{
    if (!stored.transposed) {
        return values;
    }
    std::vector<S> transposed(values.size());
    const auto rows = static_cast<std::size_t>(shape.rows);
    const auto columns = static_cast<std::size_t>(shape.columns);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            transposed[column * rows + row] = values[row * columns + column];
        }
    }
    return transposed;
}

} // namespace flopsmith::torch
