// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/family.h"

namespace flopsmith {

/// Fills what changes no count: ε of norms, base and stretching of RoPE, and the constants that
/// scores, embeddings, residuals and logits are multiplied by. Missing keys have the defaults of the
/// family's class. A number that no model can have is reported through the reader.
void readValues(ConfigReader& config, const Family& family, Model& model);

} // namespace flopsmith
