// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/family.h"

namespace flopsmith {

/// Fills in numbers that change no count: ε of norms, base and stretching of RoPE, and the factors
/// of scores, embeddings, residuals and logits. Missing keys have the defaults of the family's
/// class. An impossible number is reported through the reader.
void readValues(ConfigReader& config, const Family& family, Model& model);

} // namespace flopsmith
