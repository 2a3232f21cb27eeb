// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/run/model_plan.h"
#include "core/train/batch.h"

#include <span>
#include <string>

namespace flopsmith::torch {

/// Writes batches as one safetensors file: tokens [N, B, S], source [N, B, S_src] or images
/// [N, B, channels, size, size]; labels [N, B, rows of a sequence], or values [N, n] with places
/// [N, n] among the outputs. An Error if one has another size than the first.
Status writeBatches(const std::string& path,
                    const ModelPlan& plan,
                    std::span<const TrainingBatch<float>> batches);

} // namespace flopsmith::torch
