// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

namespace flopsmith {

/// The model with every number that changes no count at its default: ε of norms, angles of RoPE,
/// and the factors of scores, embeddings, logits and residuals. Two models that differ in nothing
/// else have the same structure and cost.
Model withoutValues(Model model);

} // namespace flopsmith
