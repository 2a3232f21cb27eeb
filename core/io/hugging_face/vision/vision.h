// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/common.h"

namespace flopsmith {

/// An encoder of image patches: a class token before them, learned positions, LayerNorm before each
/// part and at the end, biases in all but perhaps queries, keys and values; a classifier of the
/// class token, or a pooler.
Model visionEncoder(ConfigReader& config, const Architecture& architecture);

} // namespace flopsmith
