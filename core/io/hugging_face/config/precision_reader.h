// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/workload.h"

namespace flopsmith {

class ConfigReader;

/// The precision in which, according to a config.json, weights are stored and computed with:
/// `dtype` or `torch_dtype`, and the weights that `quantization_config` or MLX's `quantization`
/// stores in fewer bits, with the scales and zero points of their groups. Unknown settings are in
/// the notes.
Precision readPrecision(ConfigReader& config);

} // namespace flopsmith
