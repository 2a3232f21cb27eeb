// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/export/torch/tensors/stored_tensors.h"
#include "core/export/torch/tensors/weight_source.h"
#include "core/io/safetensors/tensor_source.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith::torch {

/// The scenario in which an exported model is checked: a prefill of two sequences of at most 16
/// tokens.
Scenario checkedScenario(Scenario scenario);

/// How many bytes of tensors writeExpected() writes.
std::int64_t expectedBytes(const ModelPlan& plan,
                           const std::vector<StoredTensor>& stored,
                           bool gradients);

/// Writes the inputs, the reference's outputs from `weights` in double, and on request the
/// gradients of Σ output_gradients ⊙ outputs. After a stop request: the error "stopped", and no
/// file.
Status writeExpected(const std::string& path,
                     const ModelPlan& plan,
                     const std::vector<StoredTensor>& stored,
                     const WeightSource& weights,
                     bool gradients,
                     const std::stop_token& stop = {});

} // namespace flopsmith::torch
