// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/workload.h"

namespace flopsmith {

class ConfigReader;

/// In which precision a config.json says that weights are stored and computed with: `dtype` or
/// `torch_dtype`, and which of them `quantization_config` or MLX's `quantization` replaces by fewer
/// bits, with the scales and zero points of their groups. What is not understood is in the notes.
Precision readPrecision(ConfigReader& config);

} // namespace flopsmith
