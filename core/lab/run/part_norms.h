// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/log/lab_log.h"
#include "core/run/model_plan.h"

#include <span>
#include <vector>

namespace flopsmith {

/// One norm for the trained tensors of each part, in the order of the model: the root of the sum of
/// squares of `norms`, one per tensor. A model of a single part has one norm per tensor.
std::vector<PartNorm> partNorms(const std::vector<ModelTensor>& tensors,
                                std::span<const double> norms);

} // namespace flopsmith
